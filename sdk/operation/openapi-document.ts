// The OpenAPI document of routes. Pure.
import { errorBodySchema } from '../http/error-body.ts'
import { type Operation, statusesOf } from './operation.ts'
import type { RefusalTable } from './refusals.ts'
import { sharedSchemas } from './shared-schemas.ts'

/** What the document says about all routes. */
export interface OpenApiFacts {
  readonly title: string
  readonly version: string
  /** Where the paths are below. Left out: nothing, the paths are whole. */
  readonly server?: string
  /** By the names that routes give in `security`. */
  readonly securitySchemes?: Readonly<Record<string, object>>
}

/** What one status of a route answers. */
export interface DescribedAnswer {
  readonly description: string
  /** Left out, or of the type `null`: no content. */
  readonly schema?: object
}

/** A route as the document describes it. */
export interface DescribedRoute {
  readonly operationId: string
  readonly method: string
  /** As Fastify writes it: `/orders/:id`, `/files/*`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** The name of a security scheme. */
  readonly security?: string
  readonly params?: object
  readonly query?: object
  readonly headers?: object
  readonly body?: object
  /** Content types of the body. Default: JSON. */
  readonly bodyTypes?: readonly string[]
  /** By status, or by range as `3XX`. */
  readonly answers: Readonly<Record<string, DescribedAnswer>>
}

/** What the document says about all operations besides what each says itself. */
export interface OperationsFacts {
  /** The name of a security scheme. */
  readonly security: string
  /** What every operation may be refused with besides its own words. */
  readonly refusals: RefusalTable
}

type Described = object & { readonly description?: string }

interface Fields {
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

const JSON_TYPE = 'application/json'
const TEXT: object = { type: 'string' }

/** OpenAPI 3.1, whose schemas are JSON Schema. Titled schemas are shared. */
export function openApiDocument(
  { title, version, server, securitySchemes = {} }: OpenApiFacts,
  routes: readonly DescribedRoute[]
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{*}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: printed(route, path) }
  }
  return sharedSchemas({
    openapi: '3.1.0',
    info: { title, version },
    ...(server !== undefined && { servers: [{ url: server }] }),
    components: { securitySchemes },
    paths
  })
}

/** An operation as a route of the document, below the address that serves it. */
export function describedOperation(
  operation: Operation<never>,
  { security, refusals }: OperationsFacts
): DescribedRoute {
  const { id, summary, access, method, path, params, query, body, answer, errors } = operation
  const scopes = access.scopes ?? []
  const answered = { description: 'Success.', schema: answer }
  return {
    operationId: id,
    method,
    path,
    summary,
    ...(scopes.length > 0 && { description: `Scopes: ${scopes.join(', ')}.` }),
    security,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    answers: {
      ...describedRefusals({ ...refusals, ...errors }),
      ...Object.fromEntries(statusesOf(operation).map((status) => [status, answered]))
    }
  }
}

/**
 * Refusals by status, each word with its sentence. Every route can be refused for its input, so 400 is there.
 *
 * @param usual what a status says before the words
 */
export function describedRefusals(
  table: RefusalTable,
  usual: Readonly<Record<string, string>> = { 400: 'validation_failed: The request is invalid.' }
): Readonly<Record<string, DescribedAnswer>> {
  const words = new Map<number, string[]>([[400, []]])
  for (const [word, { status, message }] of Object.entries(table)) {
    words.set(status, [...(words.get(status) ?? []), `${word}: ${message}`])
  }
  return Object.fromEntries(
    [...words].map(([status, said]) => [
      status,
      {
        description: [usual[status] ?? [], said].flat().join(' '),
        schema: errorBodySchema
      }
    ])
  )
}

function printed(route: DescribedRoute, path: string): object {
  const { operationId, method, summary, description, tags, security, body, bodyTypes } = route
  const parameters = [
    ...pathParameters(path, route.params),
    ...parametersOf(route.query, 'query'),
    ...parametersOf(route.headers, 'header')
  ]
  return {
    operationId,
    summary,
    ...(description && { description }),
    ...(tags && { tags }),
    ...(security && { security: [{ [security]: [] }] }),
    parameters,
    ...(body && method !== 'GET' && { requestBody: printedBody(body, bodyTypes) }),
    responses: Object.fromEntries(
      Object.entries(route.answers).map(([status, answer]) => [
        status.replace('xx', 'XX'),
        printedAnswer(answer)
      ])
    )
  }
}

function printedBody(schema: object, types: readonly string[] | undefined): object {
  const { required = [] } = schema as Fields
  return { ...(required.length > 0 && { required: true }), content: contentOf(schema, types) }
}

function printedAnswer({ description, schema }: DescribedAnswer): object {
  const isEmpty = schema === undefined || (schema as { readonly type?: unknown }).type === 'null'
  return { description, ...(!isEmpty && { content: contentOf(schema) }) }
}

const contentOf = (schema: object, types: readonly string[] = [JSON_TYPE]) =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

/** Each part of the path in braces, described or not: a document must declare them all. */
function pathParameters(path: string, schema: object | undefined): readonly object[] {
  const { properties = {} } = (schema ?? {}) as Fields
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) =>
    parameter({ name, in: 'path', required: true }, properties[name] ?? TEXT)
  )
}

function parametersOf(schema: object | undefined, place: 'query' | 'header'): readonly object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Fields
  return Object.entries(properties).map(([name, each]) =>
    parameter({ name, in: place, required: required.includes(name) }, each)
  )
}

function parameter(head: object, schema: Described): object {
  const { description, ...rest } = schema
  return { ...head, ...(description && { description }), schema: rest }
}
