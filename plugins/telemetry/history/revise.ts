// Changes sealed rows: those that change become documents as they shall be, and are sealed again later.
import type { ClientSession, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { againWhenMerged, returnFrom } from './rewrite.ts'
import type { SealContext } from './seal.ts'
import { rowsOfSegment } from './sealed-rows.ts'
import { mayFit } from './segment-index.ts'
import { listSegments } from './segment-store.ts'

/** A row, and what it becomes. */
export interface RowChange {
  readonly before: StoredRow
  readonly after: StoredRow
}

export interface Revision {
  /** Rows that are looked at. */
  readonly filter: Document
  /** What a row becomes; undefined where it stays as it is. May be asked again for the same row. */
  revise(row: StoredRow): StoredRow | undefined
  /** More of the transaction that changes these rows. */
  also(changes: readonly RowChange[], session: ClientSession): Promise<void>
  /** Ends it between two segments. */
  readonly signal?: AbortSignal
}

/** Segment by segment, each in one transaction: it may be broken off and taken up again. */
export async function reviseRows(context: SealContext, revision: Revision): Promise<number> {
  const { filter, signal } = revision
  const done = new Set<string>()
  let seen = 0
  await againWhenMerged(async () => {
    for (const segment of await listSegments(context.storage)) {
      if (signal?.aborted === true) return
      if (done.has(segment._id) || !mayFit(segment, filter)) continue
      const rows = await rowsOfSegment(context, segment, { filter })
      const changes = changesOf(rows, revision)
      if (changes.length > 0) {
        await returnFrom(context, segment, {
          rows: changes.map(({ before }) => before),
          as: changes.map(({ after }) => after),
          also: (session) => revision.also(changes, session)
        })
      }
      done.add(segment._id)
      seen += rows.length
    }
  })
  return seen
}

/** Those of rows that change. */
export const changesOf = (
  rows: readonly StoredRow[],
  { revise }: Pick<Revision, 'revise'>
): readonly RowChange[] =>
  rows.flatMap((before) => {
    const after = revise(before)
    return after === undefined ? [] : [{ before, after }]
  })
