// `${NAME}` and `${NAME:default}` in the strings of the config: filled in, then given the wanted type.
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { isPlainObject, joinKey, schemaOfKey, type WalkedSchema } from '../manifest/faults.ts'

export interface Filled {
  readonly value: unknown
  /** Paths of the strings that held a placeholder. */
  readonly paths: ReadonlySet<string>
  /** Placeholders without a default whose variable is not set. */
  readonly missing: readonly { readonly path: string; readonly variable: string }[]
}

const PLACEHOLDER = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\}/g

/** A variable that is set to the empty string counts as not set. `$${NAME}` stays as `${NAME}`. */
export function fillPlaceholders(
  given: unknown,
  env: Readonly<Record<string, string | undefined>>
): Filled {
  const paths = new Set<string>()
  const missing: { path: string; variable: string }[] = []

  const fillText = (text: string, path: string): string =>
    text.replace(PLACEHOLDER, (whole, dollar: string, variable: string, fallback?: string) => {
      if (dollar !== '') return whole.slice(1)
      paths.add(path)
      const found = env[variable]
      if (found !== undefined && found !== '') return found
      if (fallback === undefined) missing.push({ path, variable })
      return fallback ?? ''
    })

  const fill = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return fillText(value, path)
    if (Array.isArray(value)) return value.map((item, at) => fill(item, joinKey(path, String(at))))
    if (!isPlainObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, fill(child, joinKey(path, key))])
    )
  }
  return { value: fill(given, ''), paths, missing }
}

/**
 * Turns filled strings into what the schema wants there: numbers, booleans, null, lists of strings
 * (split at commas). An empty one that the schema does not take is left out.
 */
export function coerceFilled(
  schema: WalkedSchema | undefined,
  value: unknown,
  path: string,
  filled: ReadonlySet<string>
): unknown {
  if (schema === undefined) return value
  if (typeof value === 'string') return filled.has(path) ? coerceText(schema, value) : value
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      coerceFilled(schema.items, item, joinKey(path, String(at)), filled)
    )
  }
  if (!isPlainObject(value)) return value
  const shape = schema.anyOf?.find((branch) => branch.type === 'object') ?? schema
  const entries = Object.entries(value).map(([key, child]) => [
    key,
    coerceFilled(schemaOfKey(shape, key), child, joinKey(path, key), filled)
  ])
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
}

function coerceText(schema: WalkedSchema, text: string): unknown {
  const branches = schema.anyOf ?? [schema]
  const wants = (type: string) => branches.some((branch) => branch.type === type)
  if (text === '' && !Value.Check(schema as TSchema, text)) return undefined
  if (wants('string')) return text
  if (wants('null') && text === 'null') return null
  if (wants('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if ((wants('number') || wants('integer')) && Number.isFinite(Number(text))) return Number(text)
  if (branches.some((branch) => branch.type === 'array' && branch.items?.type === 'string')) {
    return text.split(',').map((part) => part.trim())
  }
  return text
}
