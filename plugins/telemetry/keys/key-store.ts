// Making, listing and revoking ingest keys.

import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { errors } from '../errors.ts'
import type { CreatedKey, CreateKeyOptions, KeyRow } from '../schemas/system.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { checkKey } from './check-key.ts'
import { drawKey } from './key-format.ts'
import { hashSecret } from './secret.ts'

const LISTED = 100

export interface KeyStore {
  createKey(options: CreateKeyOptions): Promise<CreatedKey>
  listKeys(scope: string): Promise<KeyRow[]>
  revokeKey(id: string, scope: string): Promise<{ readonly revoked: 0 | 1 }>
}

/** `onRevoked` is called at once in this process; others notice within their cache time. */
export function createKeyStore(
  keys: Collection<StoredKey>,
  clock: Clock,
  onRevoked: (id: string) => void
): KeyStore {
  return {
    async createKey(options) {
      const check = checkKey({ ...options })
      if (!check.ok) {
        throw errors.TEL_KEY_INVALID({ path: check.path, problem: check.problem })
      }
      const { id, secret, key } = drawKey(check.request.kind, check.request.label)
      const secretHash = secret === undefined ? undefined : await hashSecret(secret)
      await keys.insertOne(
        {
          _id: id,
          ...check.request,
          ...(secretHash !== undefined && { secretHash }),
          createdAt: clock.now()
        },
        { writeConcern: { w: 'majority', journal: true } }
      )
      return { id, key }
    },
    async listKeys(scope) {
      const found = await keys
        .find(scope === '*' ? {} : { owner: scope }, { projection: { secretHash: 0 } })
        .sort({ createdAt: -1 })
        .limit(LISTED)
        .toArray()
      return found.map(showKey)
    },
    async revokeKey(id, scope) {
      if (typeof id !== 'string') return { revoked: 0 }
      const result = await keys.updateOne(
        { _id: id, revokedAt: { $exists: false }, ...(scope !== '*' && { owner: scope }) },
        { $set: { revokedAt: clock.now() } },
        { writeConcern: { w: 'majority', journal: true } }
      )
      if (result.modifiedCount === 0) return { revoked: 0 }
      onRevoked(id)
      return { revoked: 1 }
    }
  }
}

function showKey(key: StoredKey): KeyRow {
  return {
    id: key._id,
    kind: key.kind,
    tenantMode: key.tenantMode,
    tenantId: key.tenantId ?? null,
    service: key.service,
    env: key.env,
    label: key.label,
    origins: key.origins,
    allowedKinds: key.allowedKinds,
    allowedNames: key.allowedNames ?? null,
    maxPerMinute: key.maxPerMinute,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt ?? null,
    ...(key.overRate !== undefined && { overRate: key.overRate }),
    revokedAt: key.revokedAt ?? null
  }
}
