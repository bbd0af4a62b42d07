// Rows of earlier versions were named by a text, `<tenant>|<wire id>`. Gives them the ids of stored-id.ts, batch by
// batch: killed at any point and run again, it goes on with what still has its text.
import type { Clock } from '@keelson/sdk'
import { createBlockedTransactions } from '@keelson/sdk/storage'
import type { Binary, ClientSession, Collection, Document, Filter } from 'mongodb'
import { unescapePart } from '../envelope/record-id.ts'
import { idText, storedId } from '../envelope/stored-id.ts'
import type { TelemetryStorage } from './storage.ts'

/** How many documents got new ids. */
export interface MovedIds {
  readonly rollups: number
  readonly seen: number
  readonly rows: number
}

/** A row or a seen id as it was. */
type TextNamed = Document & { readonly _id: string }
type Transaction = TelemetryStorage['transaction']
type Collected = Collection<Document & { _id: string | Binary }>

/** A batch is a transaction: rows may have some 100 kB, and a server ends what takes a minute. */
const BATCH = 500
const ROLLUPS = 2000
/** Another process started and took this one's transaction for that of a dead one. */
const INTERRUPTED = 11601
const MAX_TRIES = 8
/** `$` is never first in a checkpoint of a host. */
const DONE = '$moved:stored-ids'

/** Documents from a text id on: a comparison stays within its type, so new ids are not among them. */
export const textNamed = (from = ''): Filter<{ _id: string }> => ({ _id: { $gte: from } })

/** Moves whatever has a text for its id. Run it while there are no writers; run again, it finds nothing. */
export async function moveStoredIds(storage: TelemetryStorage, clock: Clock): Promise<MovedIds> {
  const { rollups, rows, seen } = storage.collections
  const transaction = followingTransactions(storage, clock)
  // Rollups first: an old id that is left anywhere says that not all is done.
  return {
    rollups: await moveFirstIds(rollups as unknown as Collection<TextNamed>),
    seen: await moveAll(transaction, seen as unknown as Collected, tenantOfText),
    rows: await moveAll(transaction, rows as unknown as Collected, (row) => String(row['tenantId']))
  }
}

/**
 * For hosts that keep no record of migrations. After the first time it only looks whether there are old ids,
 * which a host of an earlier version may have written since.
 */
export async function moveStoredIdsOnce(storage: TelemetryStorage, clock: Clock): Promise<void> {
  const { checkpoints, rows, seen } = storage.collections
  const isDone = (await checkpoints.findOne({ _id: DONE })) !== null
  if (isDone && (await isMoved(rows)) && (await isMoved(seen))) return
  await moveStoredIds(storage, clock)
  await checkpoints.updateOne({ _id: DONE }, { $set: { at: clock.now() } }, { upsert: true })
}

const isMoved = async <T extends { _id: Binary }>(collection: Collection<T>) =>
  (await (collection as unknown as Collection<TextNamed>).findOne(textNamed())) === null

/** A move that was killed would hold its last batch for a minute: its transaction is ended. */
function followingTransactions(storage: TelemetryStorage, clock: Clock): Transaction {
  const blocked = createBlockedTransactions(storage.collections.checkpoints)
  return async (fn) => {
    const follow = blocked.begin()
    for (let attempt = 1; ; attempt++) {
      try {
        return await storage.transaction(async (session) => {
          await follow(session, clock.now())
          return await fn(session)
        })
      } catch (error) {
        if ((error as { code?: unknown }).code !== INTERRUPTED || attempt >= MAX_TRIES) throw error
      }
    }
  }
}

async function moveAll(
  transaction: Transaction,
  collection: Collected,
  tenantOf: (document: TextNamed) => string
): Promise<number> {
  let moved = 0
  let from = ''
  for (;;) {
    const names = await transaction((session) => moveBatch(collection, from, tenantOf, session))
    moved += names.length
    // Once more from the start, for what was written behind.
    if (names.length === 0 && from === '') return moved
    from = names.at(-1) ?? ''
  }
}

/** Old ids of a batch that has new ones now. */
async function moveBatch(
  collection: Collected,
  from: string,
  tenantOf: (document: TextNamed) => string,
  session: ClientSession
): Promise<readonly string[]> {
  const named = collection as unknown as Collection<TextNamed>
  const old = await named
    // Numbers keep their BSON types.
    .find(textNamed(from), { session, promoteValues: false })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray()
  if (old.length === 0) return []
  const fresh = new Map<string, Document & { _id: Binary }>()
  for (const document of old) {
    const _id = storedId(tenantOf(document), wireIdOfText(document._id))
    fresh.set(idText(_id), { ...document, _id })
  }
  // Before the others come: keys that are unique are theirs too.
  const names = old.map(({ _id }) => _id)
  await named.deleteMany({ _id: { $in: names } }, { session })
  const ids = [...fresh.values()].map(({ _id }) => _id)
  const known = collection.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
  // The same record, sent again to a newer host: one row is enough.
  for (const { _id } of await known.toArray()) fresh.delete(idText(_id as Binary))
  if (fresh.size > 0) await collection.insertMany([...fresh.values()], { session })
  return names
}

/** Rollups name their earliest record: by its wire id before, by its stored one now. */
async function moveFirstIds(rollups: Collection<TextNamed>): Promise<number> {
  let moved = 0
  let after = ''
  for (;;) {
    const found = await rollups
      .find({ _id: { $gt: after } }, { projection: { tenantId: 1, firstId: 1 } })
      .sort({ _id: 1 })
      .limit(ROLLUPS)
      .toArray()
    const last = found.at(-1)
    if (last === undefined) return moved
    after = last._id
    const old = found.filter(({ firstId }) => typeof firstId === 'string')
    if (old.length === 0) continue
    const updates = old.map(({ _id, tenantId, firstId }) => {
      const update = { $set: { firstId: storedId(tenantId, firstId) } }
      return { updateOne: { filter: { _id, tenantId, firstId }, update } }
    })
    moved += (await rollups.bulkWrite(updates, { ordered: false })).modifiedCount
  }
}

/** Ids may hold `|`, the tenant's part does not. */
const wireIdOfText = (text: string) => text.slice(text.indexOf('|') + 1)
const tenantOfText = ({ _id }: TextNamed) => unescapePart(_id.slice(0, _id.indexOf('|')))
