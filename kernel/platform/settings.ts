// A plugin's own config: checked against its schema, with defaults, and with its secrets known.
import type { KeelsonError } from '@keelson/sdk'
import type { TSchema } from '@keelson/sdk/typebox'
import { errors } from '../errors/errors.ts'
import { fit } from '../manifest/fit.ts'
import { findSecrets, publicPart, type Secrets } from './marks.ts'

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
  /** Where the value is in the platform's config: for messages and placeholders. */
  readonly path: string
  readonly filled: ReadonlyMap<string, string>
}

/** No problem holds a value: it may be a secret. */
export function checkSettings(given: GivenSettings): CheckedSettings {
  const { plugin, schema, value, path, filled } = given
  const { value: all, faults } = fit(schema, value, { path, filled, defaults: true, closed: true })
  if (faults.length > 0) {
    const problems = faults.map((fault) =>
      fault.kind === 'unknown'
        ? errors.KRN_PLUGIN_CONFIG_UNKNOWN_KEY({ plugin, path: fault.path, hint: fault.hint })
        : errors.KRN_PLUGIN_CONFIG_INVALID({ plugin, path: fault.path, reason: fault.reason })
    )
    return { ok: false, problems }
  }
  const settings = {
    all: deepFreeze(all),
    public: publicPart(schema, all),
    secrets: findSecrets(schema, all, path)
  }
  return { ok: true, settings }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
