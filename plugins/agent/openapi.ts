// The OpenAPI document of the agent API, from the table of operations. Pure.
import { errorBodySchema } from '@keelson/sdk'
import { type Operation, paramSchema, paramsOf } from './operations/operation.ts'

interface Fields {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** OpenAPI 3.1, whose schemas are JSON Schema. `mount` is where the routes are. */
export function openApiOf(
  operations: readonly Operation[],
  { version, mount }: { readonly version: string; readonly mount: string }
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Agent API', version },
    servers: [{ url: mount === '' ? '/' : mount }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: errorBodySchema }
    }
  }
}

const json = (schema: object) => ({ 'application/json': { schema } })

function described({ tool, summary, path, query, body, output, method, scope }: Operation): object {
  const { properties = {}, required = [] } = (query ?? {}) as Fields
  const parameters = [
    ...paramsOf(path).map((name) => ({ name, in: 'path', required: true, schema: paramSchema })),
    ...Object.entries(properties).map(([name, schema]) => ({
      ...{ name, in: 'query', required: required.includes(name), schema }
    })),
    ...(method === 'POST'
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } }]
      : [])
  ]
  return {
    operationId: tool,
    summary,
    description: `Scope: ${scope}.`,
    parameters,
    ...(body !== undefined && { requestBody: { content: json(body) } }),
    responses: {
      '2XX': { description: 'Done.', content: json(output) },
      '4XX': {
        description: 'Refused; `fix` says what to do.',
        content: json({ $ref: '#/components/schemas/Refusal' })
      }
    }
  }
}
