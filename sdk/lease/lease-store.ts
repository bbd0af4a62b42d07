// Leases as they are stored, one row a name: taken, renewed and ended in one command each.
import type { ClientSession, Collection } from 'mongodb'

/** A row of the leases: who holds a name, and until when the others believe so. */
export interface StoredLease {
  readonly _id: string
  /** Another one each time it is taken. */
  readonly owner: string
  readonly until: Date
  /** By the clock of the database, for a TTL index: rows of processes that died go after a day. */
  readonly seenAt?: Date
}

const DUPLICATE_KEY = 11_000
const SURE = { writeConcern: { w: 'majority' } } as const

/** Which name is meant, and by whom. */
export interface LeaseKey {
  readonly name: string
  readonly owner: string
}

/** Takes a name that is free, or whose lease is over. False while another owner holds it. */
export async function takeLease(
  leases: Collection<StoredLease>,
  { name, owner }: LeaseKey,
  { now, until }: { readonly now: Date; readonly until: Date }
): Promise<boolean> {
  try {
    await leases.updateOne(
      { _id: name, until: { $lte: now } },
      { $set: { owner, until }, $currentDate: { seenAt: true } },
      { upsert: true, ...SURE }
    )
    return true
  } catch (error) {
    // Nothing matched and the name is taken: another lease is running.
    if ((error as { readonly code?: unknown }).code === DUPLICATE_KEY) return false
    throw error
  }
}

/** False when another owner took it, or it was ended. In a transaction, what is written holds only while it is held. */
export async function renewLease(
  leases: Collection<StoredLease>,
  { name, owner }: LeaseKey,
  until: Date,
  session?: ClientSession
): Promise<boolean> {
  const update = { $set: { until }, $currentDate: { seenAt: true } } as const
  const options = session === undefined ? SURE : { session }
  const { matchedCount } = await leases.updateOne({ _id: name, owner }, update, options)
  return matchedCount === 1
}

/** Frees the name. False when this owner no longer held it. */
export async function endLease(
  leases: Collection<StoredLease>,
  { name, owner }: LeaseKey
): Promise<boolean> {
  const { deletedCount } = await leases.deleteOne({ _id: name, owner })
  return deletedCount === 1
}
