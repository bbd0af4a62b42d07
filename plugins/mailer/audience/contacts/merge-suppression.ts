// How a new suppression and the row that is there become one row, as stages of an update pipeline. Pure.
import type { SuppressionReason } from '@keelson/sdk/contracts/mailer-core'
import type { Document } from 'mongodb'
import { addressHash, addressHashes, normalAddress } from '../../ledger/address.ts'
import type { StoredScope, SuppressionRow } from '../../ledger/contact-rows.ts'
import { defined } from '../../ledger/defined.ts'
import { FIRST_STRONG, isInForce, REASONS, strengthOf } from './suppression-rules.ts'

/** A suppression to be recorded. */
export interface NewSuppression {
  readonly email: string
  readonly scope: StoredScope
  readonly reason: SuppressionReason
  readonly source?: string | undefined
  readonly notes?: string | undefined
  /** Default: never. */
  readonly expiresAt?: Date | undefined
}

/** The id of the one row of an address and scope. */
export const suppressionId = (email: string, scope: StoredScope): string =>
  `${addressHash(email)}:${scope}`

/** The ids that the row may have, those of before addresses had one form included. */
export const suppressionIds = (email: string, scope: StoredScope): readonly string[] =>
  addressHashes(email).map((hash) => `${hash}:${scope}`)

/** The row of a suppression where none is yet. */
export const rowOf = (
  { email, scope, reason, source, notes, expiresAt }: NewSuppression,
  addedAt: Date
): SuppressionRow => ({
  _id: suppressionId(email, scope),
  email: reason === 'gdpr_forget' ? null : normalAddress(email),
  emailHash: addressHash(email),
  scope,
  reason,
  ...defined({ source, notes }),
  addedAt,
  expiresAt: expiresAt ?? null
})

/** After every date that is stored: how "never" compares. */
const NEVER = new Date(8.64e15)
const STRONG = strengthOf(FIRST_STRONG)

/**
 * Merges in the database, so that the order of writes never matters. The row lasts as long as the longest of
 * them. A bounce, a complaint or an erasure stays the reason; among the others it is the reason that lasts
 * longest, the stronger one if they last equally. A row that has run out counts as absent.
 */
export function mergeStages(added: NewSuppression, now: Date): Document[] {
  const { scope, source, notes } = added
  const expiresAt = added.expiresAt ?? null
  const isAbsent = {
    $or: [
      { $eq: [{ $type: '$emailHash' }, 'missing'] },
      { $and: [{ $eq: [{ $type: '$expiresAt' }, 'date'] }, { $lte: ['$expiresAt', now] }] }
    ]
  }
  const takes = { $or: [isAbsent, isInForce({ expiresAt }, now) ? outweighs(added) : false] }
  const isSameReason = { $and: [{ $not: isAbsent }, { $eq: ['$reason', added.reason] }] }
  const text = (field: string, value: string | undefined) => ({
    $cond: [
      takes,
      value === undefined
        ? { $cond: [isSameReason, `$${field}`, '$$REMOVE'] }
        : { $literal: value },
      `$${field}`
    ]
  })
  return [
    {
      $set: {
        emailHash: addressHash(added.email),
        scope: { $literal: scope },
        reason: { $cond: [takes, added.reason, '$reason'] },
        source: text('source', source),
        notes: text('notes', notes),
        addedAt: { $cond: [isAbsent, now, '$addedAt'] },
        expiresAt: { $cond: [isAbsent, expiresAt, later(expiresAt)] }
      }
    },
    {
      $set: {
        // An erasure keeps the hash alone.
        email: {
          $cond: [
            { $eq: ['$reason', 'gdpr_forget'] },
            null,
            { $literal: normalAddress(added.email) }
          ]
        }
      }
    }
  ]
}

/** Whether the new reason replaces the stored one, both in force. */
function outweighs({ reason, expiresAt = NEVER }: NewSuppression): Document {
  const strength = strengthOf(reason)
  const stored = { $indexOfArray: [REASONS, '$reason'] }
  const storedEnd = { $ifNull: ['$expiresAt', NEVER] }
  const isStronger = { $lte: [stored, strength] }
  if (strength >= STRONG) return isStronger
  const lastsLonger = { $gt: [expiresAt, storedEnd] }
  const lastsEqually = { $eq: [expiresAt, storedEnd] }
  return {
    $and: [{ $lt: [stored, STRONG] }, { $or: [lastsLonger, { $and: [lastsEqually, isStronger] }] }]
  }
}

const later = (expiresAt: Date | null): Document | null =>
  expiresAt === null
    ? null
    : {
        $cond: [
          { $eq: [{ $type: '$expiresAt' }, 'date'] },
          { $max: ['$expiresAt', expiresAt] },
          null
        ]
      }
