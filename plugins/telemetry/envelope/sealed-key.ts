// What stands in `seen` for a key that made a row unique, when the row itself is in a segment.
import { createHash } from 'node:crypto'
import { Binary } from 'mongodb'
import type { StoredRow } from './stored-row.ts'

/** No form of a stored id. */
const KEY_FORM = 0x85

const sealedKey = (tenantId: string, kind: 'dedupe' | 'usage', key: string): Binary =>
  new Binary(
    createHash('sha256')
      .update(JSON.stringify([tenantId, kind, key]))
      .digest()
      .subarray(0, 16),
    KEY_FORM
  )

/** Of the keys that a row has: none for most rows. */
export function sealedKeysOf({ tenantId, dedupeKey, usage }: StoredRow): readonly Binary[] {
  return [
    ...(dedupeKey === undefined ? [] : [sealedKey(tenantId, 'dedupe', dedupeKey)]),
    ...(usage?.idempotencyKey === undefined
      ? []
      : [sealedKey(tenantId, 'usage', usage.idempotencyKey)])
  ]
}
