// `${NAME}` and `${NAME:default}` in the strings of the config, filled in.
import { type Environment, environmentOf } from '@keelson/sdk'
import { joinKey } from '../manifest/faults.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'

/** A placeholder of a string, and where the string is. */
export interface FilledPlaceholder {
  readonly path: string
  readonly variable: string
}

export interface Filled {
  readonly value: unknown
  /** By the path of each string that held a placeholder, the variable: the last of several. */
  readonly paths: ReadonlyMap<string, string>
  /** Placeholders without a default whose variable is not set. */
  readonly missing: readonly FilledPlaceholder[]
  /** Placeholders whose value in use is what the text gives as default, also where a variable repeats it. */
  readonly defaulted: readonly FilledPlaceholder[]
}

const PLACEHOLDER = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::((?:\$\{[^{}]*\}|[^}])*))?\}/g

/**
 * A variable that is set to the empty string counts as not set. A default may hold placeholders without
 * further ones in their defaults. `$${NAME}` stays as `${NAME}`.
 */
export function fillPlaceholders(given: unknown, env: Environment): Filled {
  const set = environmentOf(env)
  const paths = new Map<string, string>()
  const missing: FilledPlaceholder[] = []
  const defaulted: FilledPlaceholder[] = []

  const fillText = (text: string, path: string, isDefault = false): string =>
    text.replace(PLACEHOLDER, (whole, dollar: string, variable: string, fallback?: string) => {
      if (dollar !== '') return whole.slice(1)
      paths.set(path, variable)
      const found = set[variable]
      if (!isDefault && isPublic(fallback, found, set)) defaulted.push({ path, variable })
      if (found !== undefined) return found
      if (fallback !== undefined) return fillText(fallback, path, true)
      missing.push({ path, variable })
      return ''
    })

  const fill = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return fillText(value, path)
    if (Array.isArray(value)) return value.map((item, at) => fill(item, joinKey(path, String(at))))
    if (!isPlainObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, fill(child, joinKey(path, key))])
    )
  }
  return { value: fill(given, ''), paths, missing, defaulted }
}

/** Text that means itself where it is filled: no part of it is a placeholder. */
export const literal = (text: string): string => text.replace(PLACEHOLDER, (whole) => `$${whole}`)

/** Whether a placeholder gets text of its default, by itself or because its variable repeats it. */
function isPublic(fallback = '', found: string | undefined, set: Environment): boolean {
  if (found !== undefined) return fallback !== '' && found === textOf(fallback, {})
  if (fallback.replace(PLACEHOLDER, (whole, dollar) => dollar && whole) !== '') return true
  return [...fallback.matchAll(PLACEHOLDER)].some(([, , variable = '', inner]) =>
    isPublic(inner, set[variable], set)
  )
}

/** A text with its placeholders filled; empty for those that have nothing. */
const textOf = (text: string, set: Environment): string =>
  text.replace(PLACEHOLDER, (whole, dollar: string, variable: string, fallback = '') =>
    dollar === '' ? (set[variable] ?? textOf(fallback, set)) : whole.slice(1)
  )
