// The log of erasures: when, on whose order, and what was done. The erased subject appears only as its pseudonym.
import type { ErasureOrder, ForgetReceipt } from '../contracts/telemetry-store.ts'
import { newRecordId } from '../envelope/record-id.ts'
import type { Erasure } from '../schemas/system.ts'
import type { StorageCollections } from '../storage/storage.ts'
import type { Erased } from './erased.ts'

type Log = Pick<StorageCollections, 'erasures'>

/** Before anything is erased, so that a killed process leaves a trace. Returns the id of the entry. */
export async function logErasure(
  { erasures }: Log,
  { tenantId, pseudonyms, reaches }: Erased,
  { at, by, byTenant }: ErasureOrder & { readonly at: Date }
): Promise<string> {
  const _id = newRecordId(at.getTime())
  const [self] = reaches
  const pseudonym = pseudonyms.get(self?.ref ?? '') ?? ''
  const isSelf = byTenant === tenantId && by !== undefined && pseudonyms.has(by)
  const order = {
    ...(by !== undefined && { by: isSelf ? pseudonym : by }),
    ...(byTenant !== undefined && { byTenant })
  }
  await erasures.insertOne({ _id, at, tenantId, pseudonym, ...order })
  return _id
}

/** What the erasure did, for its entry. */
export async function completeEntry(
  { erasures }: Log,
  _id: string,
  { deleted, redacted, rollups, remaining }: ForgetReceipt
): Promise<void> {
  const left = Object.values(remaining).reduce((sum, count) => sum + count, 0)
  await erasures.updateOne({ _id }, { $set: { did: { deleted, redacted, rollups, left } } })
}

/** Erasures that the erased person ordered. */
export const ordersOf = ({ tenantId, whole }: Erased) => ({
  byTenant: tenantId,
  by: { $in: [...whole] }
})

/** Puts the pseudonym in the place of the person who ordered erasures. */
export async function eraseOrders({ erasures }: Log, erased: Erased): Promise<void> {
  const { tenantId: byTenant, whole, pseudonyms } = erased
  const changes = whole.map((by) => ({
    updateMany: { filter: { byTenant, by }, update: { $set: { by: pseudonyms.get(by) as string } } }
  }))
  if (changes.length > 0) await erasures.bulkWrite(changes, { ordered: false })
}

/** The newest erasures of a tenant; of all under `*`. */
export async function listErasures(
  { erasures }: Log,
  scope: string,
  limit: number
): Promise<Erasure[]> {
  const filter = scope === '*' ? {} : { tenantId: scope }
  const rows = await erasures.find(filter).sort({ at: -1 }).limit(limit).toArray()
  return rows.map(({ _id, by, byTenant: _tenant, did, ...row }) => ({
    id: _id,
    ...row,
    by: by ?? null,
    did: did ?? null
  }))
}
