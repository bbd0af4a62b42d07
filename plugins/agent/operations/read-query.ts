// The query of an address as its schema has it: numbers are numbers. Pure.
import type { TSchema } from '@keelson/sdk'

/** Texts that are not whole numbers stay, for the schema to refuse. Prepared once per route. */
export function queryReader(
  schema: TSchema | undefined
): (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> {
  const { properties = {} } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>
  }
  const numbers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  if (numbers.length === 0) return (query) => query
  return (query) => {
    const read = { ...query }
    for (const name of numbers) {
      const value = read[name]
      if (typeof value === 'string' && /^\d{1,9}$/.test(value)) read[name] = Number(value)
    }
    return read
  }
}
