// Which rows become one segment, and which segments become one. Pure.
import type { StoredRow } from '../envelope/stored-row.ts'
import { DAY_MS } from '../rollups/bucket.ts'

/** Rows that leave the rows collection in one transaction. */
export const SLICE_ROWS = 4000
/** Rows of a segment that is not merged any more. */
export const FULL_ROWS = 50_000
/** Bytes of such a segment. */
const FULL_BYTES = 8 * 1024 * 1024
/** Segments of one block that are merged when there are so many. */
const MERGED_FROM = 4

/** What rows of one segment have in common. */
export interface SegmentGroup {
  readonly tenantId: string
  /** Start of the first UTC day that they can be of. */
  readonly day: Date
  /** Days that the rows are kept, rounded up; null for ever. So a segment expires as a whole. */
  readonly keepDays: number | null
}

export interface SealGroup extends SegmentGroup {
  readonly rows: readonly StoredRow[]
}

const keepDaysOf = ({ occurredAt, expiresAt }: StoredRow): number | null =>
  expiresAt === undefined ? null : Math.ceil((expiresAt.getTime() - occurredAt.getTime()) / DAY_MS)

/** Days of a block, whose rows are in segments together: none is kept for more than a tenth longer than it is to be. */
const MOST_DAYS = 31

/** Start of the block that a time is in. */
function blockOf(at: number, keepDays: number | null): number {
  const days = keepDays === null ? MOST_DAYS : Math.max(1, Math.floor(keepDays / 10))
  const length = Math.min(days, MOST_DAYS) * DAY_MS
  return Math.floor(at / length) * length
}

const nameOf = ({ tenantId, day, keepDays }: SegmentGroup): string =>
  JSON.stringify([tenantId, blockOf(day.getTime(), keepDays), keepDays])

/** Rows by what their segments have in common. */
export function groupRows(rows: readonly StoredRow[]): readonly SealGroup[] {
  const groups = new Map<string, SegmentGroup & { readonly rows: StoredRow[] }>()
  for (const row of rows) {
    const keepDays = keepDaysOf(row)
    const day = new Date(blockOf(row.occurredAt.getTime(), keepDays))
    const group = { tenantId: row.tenantId, day, keepDays, rows: [] }
    const name = nameOf(group)
    const known = groups.get(name) ?? group
    known.rows.push(row)
    groups.set(name, known)
  }
  return [...groups.values()]
}

/** What decides whether a segment is merged. */
export interface Sized extends SegmentGroup {
  readonly _id: string
  readonly rows: number
  readonly bytes: number
}

/** Lists of segments of one group that are to become one each, within the bounds of a segment. */
export function planMerges<T extends Sized>(segments: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>()
  for (const one of segments) {
    if (one.rows > FULL_ROWS / 2 || one.bytes > FULL_BYTES / 2) continue
    groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => fittingRuns(group))
}

function fittingRuns<T extends Sized>(group: readonly T[]): readonly (readonly T[])[] {
  const runs: T[][] = []
  let run: T[] = []
  let rows = 0
  let bytes = 0
  for (const one of [...group].sort((a, b) => a.rows - b.rows || (a._id < b._id ? -1 : 1))) {
    if (rows + one.rows > FULL_ROWS || bytes + one.bytes > FULL_BYTES) {
      runs.push(run)
      run = []
      rows = 0
      bytes = 0
    }
    run.push(one)
    rows += one.rows
    bytes += one.bytes
  }
  return [...runs, run].filter(({ length }) => length >= MERGED_FROM)
}
