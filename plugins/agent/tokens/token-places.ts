// Places of live tokens: each tenant has a limited number, and two tokens that are made at once never share one.
import { randomInt } from 'node:crypto'
import { type ClientSession, type Collection, MongoServerError } from 'mongodb'
import type { TokenRow } from './token-row.ts'

/** Tokens of one tenant that are neither revoked nor expired. */
export const MOST_LIVE = 100
const DUPLICATE = 11_000
const TRIES = 10

/** A place that no live token of the tenant has; undefined when all are taken. Those of expired tokens are freed. */
export async function freePlace(
  collection: Collection<TokenRow>,
  { tenantId, createdAt: now }: TokenRow,
  session: ClientSession
): Promise<number | undefined> {
  const placed = await collection
    .find(
      { tenantId, place: { $exists: true } },
      { session, projection: { place: 1, expiresAt: 1 } }
    )
    .toArray()
  const isOver = ({ expiresAt }: Pick<TokenRow, 'expiresAt'>) =>
    expiresAt !== undefined && expiresAt <= now
  const over = placed.filter(isOver).map(({ _id }) => _id)
  if (over.length > 0)
    await collection.updateMany({ _id: { $in: over } }, { $unset: { place: '' } }, { session })
  const taken = new Set(placed.filter((row) => !isOver(row)).map(({ place }) => place))
  const free = Array.from({ length: MOST_LIVE }, (_, at) => at).filter((at) => !taken.has(at))
  // Any of them: two that come at once seldom want the same.
  return free.length === 0 ? undefined : free[randomInt(free.length)]
}

/** Tries again when another token got the place first. */
export async function retried<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE || tries === 1) throw error
    return retried(work, tries - 1)
  }
}
