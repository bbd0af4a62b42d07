// A plugin's own config: checked against its schema, with defaults, and with its secrets known.
import type { KeelsonError } from '@keelson/sdk'
import type { TSchema } from 'typebox'
import { errors } from '../errors/errors.ts'
import { findFaults, isPlainObject, schemaOfKey, type WalkedSchema } from '../manifest/faults.ts'
import { withDefaults } from './defaults.ts'
import { coerceFilled } from './placeholders.ts'

/** What must not reach a log line or a reply. */
export interface Secrets {
  readonly values: readonly string[]
  /** Names of the fields marked secret. */
  readonly fields: readonly string[]
}

export interface Settings {
  /** With defaults, frozen. */
  readonly all: unknown
  /** Only the fields marked `public`, and never one marked `secret`. */
  readonly public: Readonly<Record<string, unknown>>
  readonly secrets: Secrets
}

export type CheckedSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly KeelsonError[] }

export interface GivenSettings {
  readonly plugin: string
  readonly schema: TSchema
  readonly value: unknown
  /** Where the value lies in the platform's config: for messages and placeholders. */
  readonly path: string
  readonly filled: ReadonlySet<string>
}

type MarkedSchema = WalkedSchema & { readonly secret?: boolean; readonly public?: boolean }

/** No problem ever tells a value: it may be a secret. */
export function checkSettings({
  plugin,
  schema,
  value,
  path,
  filled
}: GivenSettings): CheckedSettings {
  const closed = closeObjects(schema as WalkedSchema)
  const coerced = coerceFilled(closed, value, path, filled)
  const all = withDefaults(closed, coerced)
  const problems = findFaults(closed as TSchema, all, path).map((fault) =>
    fault.kind === 'unknown'
      ? errors.KRN_PLUGIN_CONFIG_UNKNOWN_KEY({ plugin, path: fault.path, hint: fault.hint })
      : errors.KRN_PLUGIN_CONFIG_INVALID({ plugin, path: fault.path, reason: fault.reason })
  )
  if (problems.length > 0) return { ok: false, problems }
  const settings = {
    all: deepFreeze(all),
    public: publicPart(closed, all) ?? {},
    secrets: findSecrets(closed, all)
  }
  return { ok: true, settings }
}

/** An object that does not say whether it takes further keys takes none. */
function closeObjects(schema: WalkedSchema): WalkedSchema {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: mapValues(properties, closeObjects),
      additionalProperties: schema.additionalProperties ?? false
    }),
    ...(items !== undefined && { items: closeObjects(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(closeObjects) })
  }
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, change: (value: T) => U) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function publicPart(schema: MarkedSchema, value: unknown): Record<string, unknown> | undefined {
  if (!isPlainObject(value)) return undefined
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const childSchema: MarkedSchema = schemaOfKey(schema, key) ?? {}
    if (childSchema.secret === true) return []
    if (childSchema.public === true) return [[key, withoutSecrets(childSchema, child)]]
    const part = publicPart(childSchema, child)
    return part === undefined ? [] : [[key, part]]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function withoutSecrets(schema: MarkedSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(schema.items ?? {}, item))
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const childSchema: MarkedSchema = schemaOfKey(schema, key) ?? {}
    return childSchema.secret === true ? [] : [[key, withoutSecrets(childSchema, child)]]
  })
  return Object.fromEntries(entries)
}

function findSecrets(schema: MarkedSchema, value: unknown): Secrets {
  const values = new Set<string>()
  const fields = new Set<string>()
  const visit = (at: MarkedSchema | undefined, part: unknown, isSecret: boolean): void => {
    if (typeof part === 'string' && isSecret && part !== '') values.add(part)
    if (Array.isArray(part)) for (const item of part) visit(at?.items, item, isSecret)
    if (!isPlainObject(part)) return
    const shape = at?.anyOf?.find((branch) => branch.type === 'object') ?? at
    for (const [key, child] of Object.entries(part)) {
      const childSchema: MarkedSchema | undefined = schemaOfKey(shape ?? {}, key)
      if (childSchema?.secret === true) fields.add(key)
      visit(childSchema, child, isSecret || childSchema?.secret === true)
    }
  }
  visit(schema, value, false)
  return { values: [...values], fields: [...fields] }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
