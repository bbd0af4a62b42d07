// Puts settings over others. Pure.
import { isPlainObject } from '../manifest/schema-parts.ts'

/** Objects are joined key by key; any other value takes the place of what was there. */
export function withSettings(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  const joined: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const before = joined[key]
    joined[key] =
      isPlainObject(before) && isPlainObject(value) ? withSettings(before, value) : value
  }
  return joined
}
