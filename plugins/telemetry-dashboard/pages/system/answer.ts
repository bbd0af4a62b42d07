// The answer of /api/system as the page reads it.
import type { Static } from '@keelson/sdk'
import type { Counters } from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'
import type { receiptAnswer, systemAnswer } from '../../operations/system-operations.ts'

/** The answer of `GET /api/system`. */
export type SystemAnswer = AsJson<Static<typeof systemAnswer>>
/** A key as JSON brings it. */
export type KeyAnswer = SystemAnswer['keys'][number]
export type RejectAnswer = SystemAnswer['quarantine'][number]
export type SystemPart = SystemAnswer['unread'][number]
export type ErasureAnswer = SystemAnswer['erasures'][number]
export type BackfillAnswer = SystemAnswer['backfills'][number]
/** What an erasure did. */
export type ReceiptAnswer = AsJson<Static<typeof receiptAnswer>>

/** In the order of interest; a counter that means loss comes first. */
export const COUNTERS = [
  'rejected',
  'capped',
  'sampled',
  'rollupSkipped',
  'truncated',
  'defaulted',
  'deduped'
] as const satisfies readonly (keyof Counters)[]

/** A refused write with a made id: rows carry none, and two may be equal in everything. */
export interface Reject extends RejectAnswer {
  readonly id: string
}

/** Gives each refused write an id that stays as long as the row is in the list. */
export function identify(rows: readonly RejectAnswer[]): Reject[] {
  const seen = new Map<string, number>()
  // From the oldest on, so that a new row does not rename the ones below it.
  const identified = [...rows].reverse().map((row) => {
    const place = `${row.at} ${row.name}`
    const count = seen.get(place) ?? 0
    seen.set(place, count + 1)
    return { ...row, id: count === 0 ? place : `${place} ${count}` }
  })
  return identified.reverse()
}

/** Keys in use first, the newest first among each. */
export const sortKeys = (keys: readonly KeyAnswer[]): KeyAnswer[] =>
  [...keys].sort(
    (a, b) =>
      Number(a.revokedAt !== null) - Number(b.revokedAt !== null) ||
      (a.createdAt < b.createdAt ? 1 : -1)
  )

/** A refused write as a line of a file: what was sent as JSON. */
export const rejectCells = ({ id: _id, raw, ...row }: Reject): Record<string, unknown> => ({
  ...row,
  raw: JSON.stringify(raw)
})
