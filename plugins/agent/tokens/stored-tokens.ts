// Tokens of the database as callers: asked for each request, so that a revocation is in force at once everywhere.
import type { Collection } from 'mongodb'
import { admits, stateOf } from './decide-token.ts'
import type { OwnerRule } from './owner-rule.ts'
import { holds } from './reach.ts'
import type { Caller } from './token-register.ts'
import type { TokenRow } from './token-row.ts'

/** A use is noted no more often than this. */
const USED_EVERY_MS = 600_000
const ACTOR = 'agent:'

/** Finds whose token it is, among those that administrators made. */
export interface StoredTokens {
  /** By the hash of a secret; undefined for one that is not in force. */
  callerOf(hash: string, now: Date): Promise<Caller | undefined>
  /** Whether the token of this actor is in force and may write. */
  mayAct(actor: string, now: Date): Promise<boolean>
}

/** What they are kept in, and who says what their owners may. */
export interface StoredTokenSeams {
  rows(): Promise<Collection<TokenRow>>
  readonly isOwned: OwnerRule
}

/** As the audit log names the token. */
export const actorOfToken = ({ _id }: Pick<TokenRow, '_id'>): string => ACTOR + _id

/** The tokens in their collection. */
export function createStoredTokens({ rows, isOwned }: StoredTokenSeams): StoredTokens {
  return {
    async callerOf(hash, now) {
      const collection = await rows()
      const row = await collection.findOne({ 'secrets.hash': hash })
      if (row === null || !admits(row, hash, now) || !(await isOwned(row))) return undefined
      await noteUse(collection, row, now)
      const { tenantId, scopes, routes } = row
      return { actor: actorOfToken(row), tenantId, scopes, ...(routes !== undefined && { routes }) }
    },
    async mayAct(actor, now) {
      if (!actor.startsWith(ACTOR)) return false
      const row = await (await rows()).findOne({ _id: actor.slice(ACTOR.length) })
      if (row === null || stateOf(row, now) !== 'active' || !holds(row, 'mail:write')) return false
      return isOwned(row)
    }
  }
}

/** Of requests that come at once, one writes. */
async function noteUse(
  collection: Collection<TokenRow>,
  { _id, lastUsedAt }: TokenRow,
  now: Date
): Promise<void> {
  const before = new Date(now.getTime() - USED_EVERY_MS)
  if (lastUsedAt !== undefined && lastUsedAt > before) return
  const stale = { _id, lastUsedAt: { $not: { $gt: before } } }
  await collection.updateOne(stale, { $set: { lastUsedAt: now } })
}
