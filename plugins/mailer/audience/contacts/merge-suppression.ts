// How a new suppression and the row that is there become one row, as stages of an update pipeline. Pure.

import type { Document } from 'mongodb'
import type { SuppressionReason } from '../../contracts/mailer-core.ts'
import { addressHash, addressHashes, normalAddress } from '../../ledger/address.ts'
import type { StoredScope, SuppressionRow } from '../../ledger/contact-rows.ts'
import { defined } from '../../ledger/defined.ts'
import { FIRST_STRONG, isInForce, REASONS, strengthOf } from './suppression-rules.ts'

/** A suppression to be recorded. */
export interface NewSuppression {
  /** null: an erased address, of which `emailHash` alone is known. */
  readonly email: string | null
  readonly emailHash?: string | undefined
  readonly scope: StoredScope
  readonly reason: SuppressionReason
  readonly source?: string | undefined
  readonly notes?: string | undefined
  /** Default: never. */
  readonly expiresAt?: Date | undefined
  /** Default: now. */
  readonly addedAt?: Date | undefined
}

/** The hash of the address of a suppression. */
export const hashOf = ({
  email,
  emailHash
}: Pick<NewSuppression, 'email' | 'emailHash'>): string =>
  email === null ? String(emailHash) : addressHash(email)

/** The id of the one row of an address and scope. */
export const suppressionId = (email: string, scope: StoredScope): string => idOf({ email, scope })

/** The id of the row of a suppression. */
export const idOf = (suppression: Pick<NewSuppression, 'email' | 'emailHash' | 'scope'>): string =>
  `${hashOf(suppression)}:${suppression.scope}`

/** The ids that the row may have, those of before addresses had one form included. */
export const suppressionIds = (email: string, scope: StoredScope): readonly string[] =>
  addressHashes(email).map((hash) => `${hash}:${scope}`)

/** The row of a suppression where none is yet. */
export const rowOf = (suppression: NewSuppression, now: Date): SuppressionRow => {
  const { email, scope, reason, source, notes, expiresAt } = suppression
  return {
    _id: idOf(suppression),
    email: email === null || reason === 'gdpr_forget' ? null : normalAddress(email),
    emailHash: hashOf(suppression),
    scope,
    reason,
    ...defined({ source, notes }),
    addedAt: addedAtOf(suppression, now),
    expiresAt: expiresAt ?? null
  }
}

/** A time in the future would keep the row on top of every list. */
const addedAtOf = ({ addedAt }: NewSuppression, now: Date): Date =>
  addedAt !== undefined && addedAt < now ? addedAt : now

/** After every date that is stored: how "never" compares. */
const NEVER = new Date(8.64e15)
const STRONG = strengthOf(FIRST_STRONG)

/**
 * Merges in the database, so that the order of writes never matters. The row lasts as long as the longest of
 * them. A lasting bounce, a complaint or an erasure stays the reason; among the others it is the reason that
 * lasts longest, the stronger one if they last equally. A bounce with an end is one of these others: an
 * unsubscribe beside it must not become a bounce for ever. A row that has run out counts as absent.
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
        emailHash: hashOf(added),
        scope: { $literal: scope },
        reason: { $cond: [takes, added.reason, '$reason'] },
        source: text('source', source),
        notes: text('notes', notes),
        addedAt: { $cond: [isAbsent, addedAtOf(added, now), '$addedAt'] },
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
            added.email === null
              ? { $ifNull: ['$email', null] }
              : { $literal: normalAddress(added.email) }
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
  const isPassingBounce = {
    $and: [{ $eq: ['$reason', FIRST_STRONG] }, { $eq: [{ $type: '$expiresAt' }, 'date'] }]
  }
  const isWeak = { $or: [{ $lt: [stored, STRONG] }, isPassingBounce] }
  if (strength > STRONG || (strength === STRONG && expiresAt === NEVER))
    return { $or: [isStronger, isWeak] }
  const lastsLonger = { $gt: [expiresAt, storedEnd] }
  const lastsEqually = { $eq: [expiresAt, storedEnd] }
  return {
    $and: [isWeak, { $or: [lastsLonger, { $and: [lastsEqually, isStronger] }] }]
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
