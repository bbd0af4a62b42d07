// What is wrong with a value, in words that never hold the value.

import { nameHint } from '@keelson/sdk'
import { type TSchema, Value } from '@keelson/sdk/typebox'
import { everyPartOf, type Part } from './schema-parts.ts'

/** One thing that is wrong. `path` is like `routes[0].auth`, empty for the value itself. */
export type Fault =
  | { readonly kind: 'unknown'; readonly path: string; readonly hint: string }
  | { readonly kind: 'invalid'; readonly path: string; readonly reason: string }

/** Where a value is, and whether the schema marks it or what holds it as secret. */
export interface FaultPlace {
  readonly path: string
  readonly isSecret: boolean
}

/** The first fault that TypeBox finds in the value itself. */
export function ownFaults(part: Part, value: unknown, place: FaultPlace): Fault[] {
  const { schema, definitions } = part
  const { '#': _root, ...named } = definitions
  const whole = Object.keys(named).length === 0 ? schema : { ...schema, $defs: named }
  // Nearly every value fits, and to look for errors takes many times as long.
  if (Value.Check(whole as TSchema, value)) return []
  const [error] = Value.Errors(whole as TSchema, value)
  if (error === undefined) return []
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(joinKey, place.path)
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const keys = Object.values(error.params).flat().filter(isName)
    return keys.map((key) => ({
      kind: 'unknown',
      path: joinKey(path, key),
      hint: nameHint(key, [])
    }))
  }
  // A schema may hold what it marks, as a secret literal does; deeper marks are not looked up.
  const isSecret = place.isSecret || path !== place.path
  const form = path === place.path ? schema.form : undefined
  return [{ kind: 'invalid', path, reason: reasonOf(error, { isSecret, form }) }]
}

const isName = (value: unknown): value is string => typeof value === 'string'

/** Whether any part of the schema is marked secret. */
export function hasSecrets(part: Part): boolean {
  return everyPartOf(part).some(({ schema }) => schema.secret === true)
}

/** A schema says in words what its pattern asks for: patterns are not for people. */
function reasonOf(
  error: ReturnType<typeof Value.Errors>[number],
  { isSecret, form }: { readonly isSecret: boolean; readonly form: string | undefined }
): string {
  switch (error.keyword) {
    case 'const':
      return oneOfReason([error.params.allowedValue], isSecret)
    case 'enum':
      return oneOfReason(error.params.allowedValues, isSecret)
    case 'pattern':
      if (form !== undefined) return `must be ${form}`
      return isSecret ? 'has an invalid form' : `must match ${String(error.params.pattern)}`
    case 'type':
      return mustBe([error.params.type].flat())
    case 'minimum':
      return `must be ${error.params.limit} or more`
    case 'maximum':
      return `must be ${error.params.limit} or less`
    default:
      return error.message
  }
}

/** The types of JSON Schema for people who have not read it. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text'
}

const mustBe = (types: readonly string[]): string =>
  `must be ${types.map((type) => TYPE_WORDS[type] ?? type).join(' or ')}`

/** `must be 1`, `must be one of "a", "b"`. */
export function oneOfReason(values: readonly unknown[], isSecret: boolean): string {
  if (isSecret) return 'must be one of the allowed values'
  const names = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? `must be ${names}` : `must be one of ${names}`
}

/** Why none of the branches can be meant: each takes a value of another type. */
export function typeReason(branches: readonly Part[]): string {
  const types = branches.flatMap(typesOf)
  return types.length === 0 ? 'is invalid' : mustBe([...new Set(types)])
}

/** Whether the value has a type that the schema names; a schema that names none takes all. */
export function hasTypeOf(part: Part, value: unknown): boolean {
  const types = typesOf(part)
  if (types.length === 0) return true
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}

/** The types that the schema names, in all of its branches. */
export function typesOf(part: Part): string[] {
  return everyPartOf(part).flatMap(({ schema }) => schema.type ?? [])
}

/** `routes` and `0` make `routes[0]`; `routes[0]` and `auth` make `routes[0].auth`. */
export function joinKey(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
