// What is wrong with a value, measured by a schema: where, and in words that never hold the value.
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { nameHint } from './nearest-name.ts'

/** One thing that is wrong. `path` is like `routes[0].auth`, empty for the value itself. */
export type Fault =
  | { readonly kind: 'unknown'; readonly path: string; readonly hint: string }
  | { readonly kind: 'invalid'; readonly path: string; readonly reason: string }

/** The parts of JSON Schema that are walked; everything else is left to TypeBox. */
export interface WalkedSchema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly WalkedSchema[]
  readonly properties?: Readonly<Record<string, WalkedSchema>>
  readonly patternProperties?: Readonly<Record<string, WalkedSchema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly items?: WalkedSchema
}

export type PlainObject = Readonly<Record<string, unknown>>

/** Unknown keys come first: they often explain what is missing. */
export function findFaults(schema: TSchema, value: unknown, base = ''): Fault[] {
  const faults = walk(schema as WalkedSchema, value, base)
  return faults.sort((a, b) => Number(a.kind !== 'unknown') - Number(b.kind !== 'unknown'))
}

function walk(schema: WalkedSchema, value: unknown, path: string): Fault[] {
  if (schema.anyOf !== undefined) return unionFaults(schema.anyOf, schema, value, path)
  if (schema.type === 'object' && isPlainObject(value)) {
    const inside = objectFaults(schema, value, path)
    return inside.length > 0 ? inside : ownFaults(schema, value, path)
  }
  if (schema.type === 'array' && Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema
    const inside = value.flatMap((item, at) => walk(items, item, joinKey(path, String(at))))
    return inside.length > 0 ? inside : ownFaults(schema, value, path)
  }
  return ownFaults(schema, value, path)
}

function objectFaults(schema: WalkedSchema, value: PlainObject, path: string): Fault[] {
  const known = Object.keys(schema.properties ?? {})
  const faults: Fault[] = (schema.required ?? [])
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => ({ kind: 'invalid', path: joinKey(path, key), reason: 'is missing' }))
  for (const [key, child] of Object.entries(value)) {
    const at = joinKey(path, key)
    const childSchema = schemaOfKey(schema, key)
    if (childSchema !== undefined) faults.push(...walk(childSchema, child, at))
    else if (schema.additionalProperties === false) {
      const [pattern] = Object.keys(schema.patternProperties ?? {})
      faults.push(
        pattern === undefined
          ? { kind: 'unknown', path: at, hint: nameHint(key, known) }
          : { kind: 'invalid', path: at, reason: `is not a name that matches ${pattern}` }
      )
    }
  }
  return faults
}

/** The schema that a key of an object falls under, when one names it. */
export function schemaOfKey(schema: WalkedSchema, key: string): WalkedSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
    return schema.properties[key]
  }
  const patterns = Object.entries(schema.patternProperties ?? {})
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1]
}

function unionFaults(
  branches: readonly WalkedSchema[],
  schema: WalkedSchema,
  value: unknown,
  path: string
): Fault[] {
  if (Value.Check(schema as TSchema, value)) return []
  if (branches.every((branch) => 'const' in branch)) {
    const names = branches.map((branch) => JSON.stringify(branch.const))
    return [{ kind: 'invalid', path, reason: `must be one of ${names.join(', ')}` }]
  }
  const meant = branches.find((branch) => branch.type === typeOf(value))
  if (meant !== undefined) return walk(meant, value, path)
  const types = [...new Set(branches.map((branch) => branch.type ?? 'something else'))]
  return [{ kind: 'invalid', path, reason: `must be ${types.join(' or ')}` }]
}

/** The first fault of the value itself, or of whatever TypeBox alone understands of it. */
function ownFaults(schema: WalkedSchema, value: unknown, path: string): Fault[] {
  const [error] = Value.Errors(schema as TSchema, value)
  if (error === undefined) return []
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(joinKey, path)
  return [{ kind: 'invalid', path: at, reason: reasonOf(error) }]
}

function reasonOf(error: ReturnType<typeof Value.Errors>[number]): string {
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`
  if (error.keyword === 'pattern') return `must match ${String(error.params.pattern)}`
  return error.message
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `routes` and `0` make `routes[0]`; `routes[0]` and `auth` make `routes[0].auth`. */
export function joinKey(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
