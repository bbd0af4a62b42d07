// Looks for records that are there already: by record id, dedupeKey or usage idempotency key.
import type { Binary, ClientSession } from 'mongodb'
import { sealedKeysOf } from '../envelope/sealed-key.ts'
import { idText } from '../envelope/stored-id.ts'
import type { StoredReject, TelemetryStorage } from '../storage/storage.ts'
import { mayBeDropped, type WriteItem } from './decide.ts'

/** The items that the database knows, read inside the transaction that would write them. */
export async function findRepeats(
  storage: TelemetryStorage,
  items: readonly WriteItem[],
  session: ClientSession
): Promise<Set<WriteItem>> {
  const known = await knownIds(storage, items, session)
  const dedupeKeys = await knownKeys(storage, items, 'dedupeKey', session)
  const usageKeys = await knownKeys(storage, items, 'usage.idempotencyKey', session)
  return new Set(
    items.filter(({ record: { row }, witness }) => {
      const { dedupeKey, tenantId, usage } = row
      return (
        known.has(idText(row._id)) ||
        (witness !== undefined && witness !== row._id && known.has(idText(witness))) ||
        (dedupeKey !== undefined && dedupeKeys.has(`${tenantId} ${dedupeKey}`)) ||
        (usage?.idempotencyKey !== undefined &&
          usageKeys.has(`${tenantId} ${usage.idempotencyKey}`))
      )
    })
  )
}

async function knownIds(
  storage: TelemetryStorage,
  items: readonly WriteItem[],
  session: ClientSession
): Promise<Set<string>> {
  const { rows, seen } = storage.collections
  const ids = items.map((item) => item.record.row._id)
  const options = { session, projection: { _id: 1 } } as const
  const known = new Set<string>()
  for (const row of await rows.find({ _id: { $in: ids } }, options).toArray()) {
    known.add(idText(row._id))
  }
  const witnesses = items.flatMap((item) =>
    item.witness !== undefined && mayBeDropped(item) ? [item.witness] : []
  )
  if (witnesses.length > 0) {
    const found = await seen.find({ _id: { $in: witnesses } }, options).toArray()
    for (const row of found) known.add(idText(row._id))
  }
  return known
}

/** The items whose rows are in segments, as far as they can arrive again: by id and by the key that makes them one. */
export async function findSealed(
  { collections: { seen } }: TelemetryStorage,
  items: readonly WriteItem[],
  session: ClientSession
): Promise<Set<WriteItem>> {
  const byId = new Map<string, WriteItem>()
  const ids: Binary[] = []
  for (const item of items) {
    const { row } = item.record
    for (const id of [...(item.isReplayable ? [row._id] : []), ...sealedKeysOf(row)]) {
      ids.push(id)
      byId.set(idText(id), item)
    }
  }
  if (ids.length === 0) return new Set()
  const options = { session, projection: { _id: 1 } } as const
  const found = await seen.find({ _id: { $in: ids } }, options).toArray()
  return new Set(found.flatMap(({ _id }) => byId.get(idText(_id)) ?? []))
}

/** The refused writes that the database knows, by id: a flush whose answer was lost comes again with them. */
export async function findKnownRejects(
  { collections: { rejects } }: TelemetryStorage,
  items: readonly StoredReject[],
  session: ClientSession
): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const ids = items.map(({ _id }) => _id)
  const options = { session, projection: { _id: 1 } } as const
  const found = await rejects.find({ _id: { $in: ids } }, options).toArray()
  return new Set(found.map(({ _id }) => _id))
}

/** `<tenant> <key>` of the keys that rows of the same tenant have already. */
async function knownKeys(
  storage: TelemetryStorage,
  items: readonly WriteItem[],
  field: 'dedupeKey' | 'usage.idempotencyKey',
  session: ClientSession
): Promise<Set<string>> {
  const byTenant = new Map<string, string[]>()
  for (const { record } of items) {
    const { row } = record
    const key = field === 'dedupeKey' ? row.dedupeKey : row.usage?.idempotencyKey
    if (key === undefined) continue
    byTenant.set(row.tenantId, [...(byTenant.get(row.tenantId) ?? []), key])
  }
  const known = new Set<string>()
  for (const [tenantId, keys] of byTenant) {
    const found = await storage.collections.rows
      .find({ tenantId, [field]: { $in: keys } }, { session, projection: { [field]: 1 } })
      .toArray()
    for (const row of found) {
      known.add(`${tenantId} ${field === 'dedupeKey' ? row.dedupeKey : row.usage?.idempotencyKey}`)
    }
  }
  return known
}
