// Ingest keys: what is asked for when one is made, and what is shown of one.
import type { Kind } from '../registry/spec.ts'

export const KEY_KINDS = ['publishable', 'secret'] as const
/** Publishable keys ride in browsers; secret keys stay on servers. */
export type KeyKind = (typeof KEY_KINDS)[number]

export const TENANT_MODES = ['fixed', 'session', 'claimed'] as const
/** Whose rows a key writes: its own tenant, the tenant of the caller's session, or the one the batch names. */
export type TenantMode = (typeof TENANT_MODES)[number]

export interface CreateKeyOptions {
  /** a–z and 0–9. Default `live`. */
  readonly label?: string
  readonly kind: KeyKind
  readonly tenantMode: TenantMode
  /** Required for fixed, refused otherwise. */
  readonly tenantId?: string
  readonly service: string
  readonly env: string
  /** Browser origins a publishable key is taken from. Empty: any caller that sends no Origin. */
  readonly origins?: readonly string[]
  /** Default: event, error, span for publishable; all five for secret. */
  readonly allowedKinds?: readonly Kind[]
  /** Default: every name. */
  readonly allowedNames?: readonly string[]
  /** Records a minute. Default 600, at most 100,000,000. */
  readonly maxPerMinute?: number
}

export interface CreatedKey {
  readonly id: string
  /** The whole key. It is shown this once and cannot be read again. */
  readonly key: string
}

/** A key as it is listed; never its secret. */
export interface KeyRow {
  readonly id: string
  readonly kind: KeyKind
  readonly tenantMode: TenantMode
  readonly tenantId: string | null
  readonly service: string
  readonly env: string
  readonly label: string
  readonly origins: readonly string[]
  readonly allowedKinds: readonly Kind[]
  readonly allowedNames: readonly string[] | null
  readonly maxPerMinute: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}
