// The operations of the OpenAPI document, read once for the page of the API. Pure.
import { exampleOf, type ValueSchema } from './example-of-schema.ts'

interface GivenOperation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly schema?: ValueSchema
  }[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: ValueSchema }>>
  }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

interface SecurityScheme {
  readonly type: string
  readonly in?: string
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface ApiParameter {
  readonly name: string
  /** `path`, `query` or `header`. */
  readonly place: string
  readonly isRequired: boolean
  readonly schema: ValueSchema
  /** What a field of a form must match; undefined where browsers cannot read the pattern. */
  readonly pattern: string | undefined
}

export interface ApiOperation {
  /** As `get /orders/{id}`. */
  readonly key: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly parameters: readonly ApiParameter[]
  /** Its content type and an example of it. */
  readonly body: { readonly type: string; readonly text: string } | undefined
  /** How a caller proves itself: a token in a header, or the cookie of a session. */
  readonly credentials: 'bearer' | 'cookie' | undefined
  readonly responses: readonly (readonly [status: string, description: string])[]
  /** In lower case, for searches. */
  readonly text: string
}

export interface ApiContent {
  readonly title: string
  readonly version: string
  /** By their keys, in the order of the document. */
  readonly operations: ReadonlyMap<string, ApiOperation>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const FORM = 'application/x-www-form-urlencoded'

export function readApi(document: OpenApiDocument): ApiContent {
  const { info, paths, components } = document
  const schemes = components?.securitySchemes ?? {}
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const given = item[method] as GivenOperation | undefined
      return given === undefined ? [] : [readOperation({ method, path }, given, schemes)]
    })
  )
  return { ...info, operations: new Map(operations.map((operation) => [operation.key, operation])) }
}

function readOperation(
  { method, path }: Pick<ApiOperation, 'method' | 'path'>,
  given: GivenOperation,
  schemes: Readonly<Record<string, SecurityScheme>>
): ApiOperation {
  const { summary = '', tags = [], parameters = [], responses = {} } = given
  const [tag = 'kernel'] = tags
  return {
    key: `${method} ${path}`,
    method,
    path,
    summary,
    tag,
    parameters: parameters.map(({ name = '', in: place = '', required = false, schema = {} }) => ({
      name,
      place,
      isRequired: required,
      schema,
      pattern: fieldPattern(schema)
    })),
    body: bodyOf(given),
    credentials: credentialsOf(given, schemes),
    responses: Object.entries(responses).map(([status, { description = '' }]) => [
      status,
      description
    ]),
    text: `${method} ${path} ${summary} ${tag}`.toLowerCase()
  }
}

/** A schema looks for its pattern anywhere in a text; a field matches all of it, with the flag `v`. */
function fieldPattern({ pattern }: ValueSchema): string | undefined {
  if (pattern === undefined) return undefined
  const whole = `[\\s\\S]*(?:${pattern})[\\s\\S]*`
  try {
    return new RegExp(whole, 'v').source
  } catch {
    return undefined
  }
}

function bodyOf({ requestBody }: GivenOperation): ApiOperation['body'] {
  if (requestBody === undefined) return undefined
  const [type = 'application/json', { schema = {} } = {}] =
    Object.entries(requestBody.content ?? {})[0] ?? []
  const example = exampleOf(schema)
  if (type !== FORM) return { type, text: JSON.stringify(example, null, 2) }
  const fields = Object.entries(example ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value)
  ])
  return { type, text: new URLSearchParams(fields).toString() }
}

function credentialsOf(
  { security: [first = {}] = [] }: GivenOperation,
  schemes: Readonly<Record<string, SecurityScheme>>
): ApiOperation['credentials'] {
  const [name] = Object.keys(first)
  const scheme = name === undefined ? undefined : schemes[name]
  if (scheme === undefined) return undefined
  return scheme.in === 'cookie' ? 'cookie' : 'bearer'
}
