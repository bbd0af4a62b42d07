// How old records are when they are sealed: the age that is configured, less while more are left than are well mirrored.
import type { Collection } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { NEWEST_FIRST } from '../queries/row-source.ts'
import { bucketStart, HOUR_MS } from '../rollups/bucket.ts'

export interface SealAge {
  readonly sealAfterHours: number
  /** Rows that the mirror may hold; half of them are left, so that there is room until the next seal. */
  readonly mirrorRows: number
  readonly now: Date
}

/** Younger records are not sealed, however many there are. */
const LEAST_HOURS = 1

const hourBefore = (now: Date, hours: number): number =>
  bucketStart(now.getTime() - hours * HOUR_MS, 'hour')

/** The time of the row after the newest so many: along the keys of the index of time, half of `mirrorRows` at most. */
export const afterNewest = (rows: Collection<StoredRow>, most: number) =>
  rows
    .find({}, { projection: { _id: 0, occurredAt: 1 } })
    .sort(NEWEST_FIRST)
    .skip(most)
    .limit(1)

/** The time before which records are sealed. */
export async function sealedBefore(
  rows: Collection<StoredRow>,
  { sealAfterHours, mirrorRows, now }: SealAge
): Promise<Date> {
  const old = hourBefore(now, sealAfterHours)
  const most = Math.floor(mirrorRows / 2)
  if (most === 0 || (await rows.estimatedDocumentCount()) <= most) return new Date(old)
  const [next] = await afterNewest(rows, most).toArray()
  const at = next === undefined ? old : bucketStart(next.occurredAt.getTime(), 'hour')
  return new Date(Math.max(old, Math.min(at, hourBefore(now, LEAST_HOURS))))
}
