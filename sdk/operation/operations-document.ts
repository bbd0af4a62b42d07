// The OpenAPI document of operations, where nobody else describes their routes. Pure.
import { errorBodySchema } from '../http/error-body.ts'
import type { TSchema } from '../typebox.ts'
import { type Operation, statusesOf } from './operation.ts'
import type { RefusalTable } from './refusals.ts'
import { sharedSchemas } from './shared-schemas.ts'

/** What the document says about all operations. */
export interface OperationsDocument {
  readonly title: string
  readonly version: string
  /** Where the paths are below. */
  readonly server: string
  /** What the callers bring. Left out: nothing. */
  readonly security?: { readonly name: string; readonly scheme: object }
  /** What every operation may be refused with besides its own words. */
  readonly refusals?: RefusalTable
}

interface Fields {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** OpenAPI 3.1, whose schemas are JSON Schema. Titled schemas are shared. */
export function operationsDocument(
  operations: readonly Operation<never>[],
  { title, version, server, security, refusals = {} }: OperationsDocument
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
    const method = operation.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: described(operation, refusals) }
  }
  return sharedSchemas({
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: server }],
    ...(security && { security: [{ [security.name]: [] }] }),
    components: security && { securitySchemes: { [security.name]: security.scheme } },
    paths
  })
}

const json = (schema: object) => ({ 'application/json': { schema } })

function described(operation: Operation<never>, refusals: RefusalTable): object {
  const { id, summary, access, params, query, body, method, answer } = operation
  const scopes = access.scopes ?? []
  return {
    operationId: id,
    summary,
    ...(scopes.length > 0 && { description: `Scopes: ${scopes.join(', ')}.` }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body !== undefined && method !== 'GET' && { requestBody: { content: json(body) } }),
    responses: {
      ...refusalsByStatus({ ...refusals, ...operation.errors }),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          { description: 'Success.', content: json(answer) }
        ])
      )
    }
  }
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query'): readonly object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Fields
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: each
  }))
}

function refusalsByStatus(table: RefusalTable): Readonly<Record<string, object>> {
  const byStatus = new Map<number, string[]>([
    [400, ['validation_failed: The request is invalid.']]
  ])
  for (const [word, { status, message }] of Object.entries(table)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${word}: ${message}`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, words]) => [
      status,
      { description: words.join(' '), content: json(errorBodySchema) }
    ])
  )
}
