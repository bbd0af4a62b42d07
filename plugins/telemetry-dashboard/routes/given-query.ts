// Reads the text of a query string into the types of its schema.
import type { TSchema } from '@keelson/sdk'

interface ParameterSchema {
  readonly type?: string
  readonly 'x-refusal'?: string
}

export type GivenQuery =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly fault: string }

/**
 * The parameters that the schema names; others are left out and change nothing. An empty value counts as
 * absent. A parameter other than a list may be repeated with the same value only. Text that is neither
 * number nor flag is kept: the schema refuses it.
 */
export function givenQuery(schema: TSchema, given: unknown): GivenQuery {
  const query = given as Readonly<Record<string, unknown>>
  const { properties } = schema as unknown as {
    readonly properties: Readonly<Record<string, ParameterSchema>>
  }
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(properties)) {
    const isList = parameter.type === 'array'
    const found = [query[name] ?? []].flat().filter((value) => value !== '')
    const isBracketed = isList && Object.keys(query).some((key) => key.startsWith(`${name}[`))
    if (isBracketed || (!isList && new Set(found).size > 1)) {
      return { fault: parameter['x-refusal'] ?? `${name} must be given once` }
    }
    if (found.length > 0) values[name] = isList ? found : typed(found[0], parameter)
  }
  return { values }
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false]
])

function typed(value: unknown, { type }: ParameterSchema): unknown {
  if (type === 'boolean') return FLAGS.get(value) ?? value
  const isNumber = type === 'integer' && typeof value === 'string' && /^[0-9]+$/.test(value)
  // Larger than any cap, and whole.
  return isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value
}
