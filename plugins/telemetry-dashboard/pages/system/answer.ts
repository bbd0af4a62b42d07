// The answer of /api/system as the page reads it.
import type {
  BackfillState,
  Counters,
  Erasure,
  ForgetReceipt,
  KeyRow,
  QuarantineRow,
  StorageUse
} from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'

/** A key as JSON brings it. */
export type KeyAnswer = AsJson<KeyRow>
export type RejectAnswer = AsJson<QuarantineRow>

export interface SystemAnswer {
  readonly counters: Counters
  readonly quarantine: readonly RejectAnswer[]
  readonly indexCount: number
  readonly indexBudget: number
  readonly keys: readonly KeyAnswer[]
  readonly storage: AsJson<StorageUse>
  readonly erasures: readonly ErasureAnswer[]
  readonly backfills: readonly BackfillAnswer[]
  /** Parts that could not be read. */
  readonly unread: readonly SystemPart[]
  readonly role: string
}

export type SystemPart = 'quarantine' | 'indexes' | 'storage' | 'erasures' | 'backfills'
export type ErasureAnswer = AsJson<Erasure>
export type BackfillAnswer = AsJson<BackfillState>
/** What an erasure did. */
export type ReceiptAnswer = AsJson<Omit<ForgetReceipt, 'proof' | 'linked'>>

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
