// Checks parts of requests by their schemas, and says what is wrong in the words of the API.
//
// A schema may carry its own words: `x-missing` for a value that is absent or of another type, `x-refusal`
// for any other fault (and for both, without `x-missing`). Otherwise the sentence names the property.
import type { TSchema } from '@keelson/sdk'
import { Compile } from '@keelson/sdk/typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { givenQuery } from './given-query.ts'

/** A request that does not fit its schema. Its message is answered word for word. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly code = 'invalid_request'
  readonly statusCode = 400
}

interface Words {
  readonly 'x-missing'?: string
  readonly 'x-refusal'?: string
}

type AnySchema = Words & {
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly items?: AnySchema
}

interface Fault {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

/** Keywords that mean: nothing usable was given. */
const ABSENT: ReadonlySet<string> = new Set([
  'type',
  'required',
  'minLength',
  'pattern',
  'minItems'
])

export type Check = (value: unknown) => InvalidRequest | undefined

/** Compiles a schema into a check. */
export function createCheck(schema: TSchema): Check {
  const compiled = Compile(schema)
  return (value) => {
    if (compiled.Check(value)) return undefined
    const [fault] = compiled.Errors(value)
    return new InvalidRequest(sentenceOf(schema, fault as Fault))
  }
}

/** Fastify's validators for every route of the API. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = createCheck(schema)
  return (given: unknown) => {
    if (httpPart !== 'querystring') return resultOf(given, check)
    const query = givenQuery(schema, given)
    return 'fault' in query
      ? { error: new InvalidRequest(query.fault) }
      : resultOf(query.values, check)
  }
}

function resultOf(value: unknown, check: Check) {
  const error = check(value)
  return error === undefined ? { value } : { error }
}

/** What is wrong, as one sentence that names the property. */
function sentenceOf(schema: TSchema, fault: Fault): string {
  const path = fault.instancePath.split('/').slice(1)
  const [absent] =
    fault.keyword === 'required'
      ? (fault.params as { readonly requiredProperties: readonly string[] }).requiredProperties
      : []
  if (absent !== undefined) path.push(absent)
  const at = schemaAt(schema as AnySchema, path)
  const isAbsent = ABSENT.has(fault.keyword)
  const own = (isAbsent ? at['x-missing'] : undefined) ?? at['x-refusal']
  if (own !== undefined) return own
  const name = path.filter((part) => !/^\d+$/.test(part)).at(-1) ?? 'body'
  return absent === undefined ? `${name} ${problemOf(fault)}` : `${name} required`
}

function schemaAt(schema: AnySchema, path: readonly string[]): AnySchema {
  return path.reduce<AnySchema>((at, part) => at.properties?.[part] ?? at.items ?? {}, schema)
}

function problemOf({ keyword, params, message }: Fault): string {
  if (keyword !== 'enum') return message
  const { allowedValues } = params as { readonly allowedValues: readonly unknown[] }
  return `must be one of ${allowedValues.join(', ')}`
}
