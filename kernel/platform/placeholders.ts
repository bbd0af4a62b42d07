// `${NAME}` and `${NAME:default}` in the strings of the config, filled in.
import { joinKey } from '../manifest/faults.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'

export interface Filled {
  readonly value: unknown
  /** Paths of the strings that held a placeholder. */
  readonly paths: ReadonlySet<string>
  /** Placeholders without a default whose variable is not set. */
  readonly missing: readonly { readonly path: string; readonly variable: string }[]
}

const PLACEHOLDER = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::((?:\$\{[^{}]*\}|[^}])*))?\}/g

/**
 * A variable that is set to the empty string counts as not set. A default may hold placeholders without
 * further ones in their defaults. `$${NAME}` stays as `${NAME}`.
 */
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
      if (fallback !== undefined) return fillText(fallback, path)
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
  return { value: fill(given, ''), paths, missing }
}
