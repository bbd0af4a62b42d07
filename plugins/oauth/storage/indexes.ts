// The declared indexes of every collection: plain data, used by syncIndexes and compared with plugin.json.
import type { Document } from 'mongodb'

export interface IndexDeclaration {
  readonly name: string
  readonly keys: Readonly<Record<string, 1 | -1>>
  readonly unique?: true
  readonly partial?: Document
  readonly ttlSeconds?: number
}

const unique = (field: string): IndexDeclaration => ({
  name: field,
  keys: { [field]: 1 },
  unique: true
})
const expiry: IndexDeclaration = { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 0 }
const DAY_SECONDS = 86_400

export const CLIENT_INDEXES: readonly IndexDeclaration[] = [
  unique('clientId'),
  { name: 'status_created', keys: { status: 1, createdAt: -1 } },
  { name: 'created', keys: { createdAt: -1 } }
]

export const GRANT_INDEXES: readonly IndexDeclaration[] = [
  {
    name: 'live',
    keys: { clientId: 1, userId: 1, contextId: 1 },
    unique: true,
    partial: { revokedAt: null }
  },
  { name: 'user_created', keys: { userId: 1, createdAt: -1 } },
  { name: 'client_created', keys: { clientId: 1, createdAt: -1 } },
  { name: 'created', keys: { createdAt: -1 } }
]

export const CODE_INDEXES: readonly IndexDeclaration[] = [
  unique('codeHash'),
  { name: 'grant', keys: { grantId: 1 } },
  { name: 'client', keys: { clientId: 1 } },
  { name: 'user', keys: { userId: 1 } },
  expiry
]

export const TOKEN_INDEXES: readonly IndexDeclaration[] = [
  unique('tokenHash'),
  { name: 'family', keys: { familyId: 1 } },
  { name: 'grant', keys: { grantId: 1 } },
  { name: 'user_client', keys: { userId: 1, clientId: 1 } },
  { name: 'client', keys: { clientId: 1 } },
  expiry
]

export const REQUEST_INDEXES: readonly IndexDeclaration[] = [
  unique('requestId'),
  { name: 'client', keys: { clientId: 1 } },
  { name: 'user', keys: { userId: 1 } },
  expiry
]

export const KEY_INDEXES: readonly IndexDeclaration[] = [unique('kid')]

/** Audit rows live for so many days. */
export const auditIndexes = (retentionDays: number): readonly IndexDeclaration[] => [
  { name: 'created', keys: { createdAt: -1 }, ttlSeconds: retentionDays * DAY_SECONDS },
  { name: 'client_created', keys: { clientId: 1, createdAt: -1 } },
  { name: 'user_created', keys: { userId: 1, createdAt: -1 } },
  { name: 'actor', keys: { actorId: 1 }, partial: { actorId: { $exists: true } } }
]

export const FAMILY_INDEXES: readonly IndexDeclaration[] = [
  { name: 'grant', keys: { grantId: 1 } },
  { name: 'client', keys: { clientId: 1 } },
  { name: 'user', keys: { userId: 1 } },
  expiry
]

export const ATTEMPT_INDEXES: readonly IndexDeclaration[] = [
  { name: 'client_started', keys: { clientId: 1, startedAt: -1 } },
  expiry
]

export const EXPIRING_INDEXES: readonly IndexDeclaration[] = [expiry]

/** A process with a cache that was killed is waited for no longer than this. */
export const STATE_INDEXES: readonly IndexDeclaration[] = [
  { name: 'holders', keys: { seenAt: 1 }, ttlSeconds: 60 }
]

/** Days that audit rows are kept when nothing is said. */
export const AUDIT_RETENTION_DAYS = 400
