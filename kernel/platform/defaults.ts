// The defaults of a schema, put where a value has nothing. Works on any JSON Schema.
import { isPlainObject, schemaOfKey, type WalkedSchema } from '../manifest/faults.ts'

type DefaultingSchema = WalkedSchema & { readonly default?: unknown }

/** A copy of the value with every default that is missing in it, at any depth. */
export function withDefaults(schema: DefaultingSchema | undefined, value: unknown): unknown {
  if (value === undefined) {
    if (schema === undefined || !('default' in schema)) return undefined
    return withDefaults({ ...schema, default: undefined }, structuredClone(schema.default))
  }
  if (Array.isArray(value)) return value.map((item) => withDefaults(schema?.items, item))
  if (!isPlainObject(value)) return value
  const shape = schema?.anyOf?.find((branch) => branch.type === 'object') ?? schema ?? {}
  const entries = Object.entries(value).map(
    ([key, child]) => [key, withDefaults(schemaOfKey(shape, key), child)] as const
  )
  const missing = Object.entries(shape.properties ?? {})
    .filter(([key]) => value[key] === undefined)
    .map(([key, child]) => [key, withDefaults(child, undefined)] as const)
    .filter(([, child]) => child !== undefined)
  return Object.fromEntries([...entries, ...missing])
}
