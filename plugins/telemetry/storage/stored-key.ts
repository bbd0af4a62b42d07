// An ingest key as it is stored.

import type { Kind } from '../contracts/telemetry-registry.ts'
import type { Env } from '../contracts/telemetry-store.ts'
import type { KeyKind, TenantMode } from '../schemas/system.ts'

export interface StoredKey {
  /** `tk_` and 24 hex digits. */
  _id: string
  kind: KeyKind
  /** Secret keys only: `scrypt1$salt$hash`, base64url. */
  secretHash?: string
  tenantMode: TenantMode
  /** Fixed keys only. */
  tenantId?: string
  /** Who lists and revokes it: its tenant, `*` for session and claimed keys. */
  owner: string
  service: string
  env: Env
  label: string
  origins: readonly string[]
  allowedKinds: readonly Kind[]
  allowedNames?: readonly string[]
  maxPerMinute: number
  createdAt: Date
  lastUsedAt?: Date
  /** Records that were over its rate, and when the last were counted. */
  overRate?: { readonly count: number; readonly at: Date }
  revokedAt?: Date
}
