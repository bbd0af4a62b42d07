// Erases the rows of subjects, batch by batch; each batch is one transaction, so it can be broken off and
// taken up again.
import type { Collection, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { Registry } from '../registry/types.ts'
import { rollupIdsOf } from '../rollups/place.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { type Erased, pseudonymsAt, reachFilters } from './erased.ts'
import { eraseRow } from './redact-row.ts'
import { splitRollups } from './split-rollups.ts'

const BATCH = 500

export interface RowCounts {
  readonly deleted: number
  readonly redacted: number
}

/** Every row a subject has a part in. */
export const rowsOf = (erased: Erased): readonly Document[] => [
  ...reachFilters(erased, 'subjectKeys', 'occurredAt'),
  ...reachFilters(erased, 'otherPrincipals', 'occurredAt')
]

export async function eraseRows(
  storage: TelemetryStorage,
  registry: Registry,
  erased: Erased,
  at: Date
): Promise<RowCounts> {
  let deleted = 0
  let redacted = 0
  for (const filter of rowsOf(erased)) {
    for (;;) {
      const done = await eraseBatch({ storage, registry, erased, at }, filter)
      deleted += done.deleted
      redacted += done.redacted
      if (done.deleted + done.redacted === 0) break
    }
  }
  return { deleted, redacted }
}

interface RowErasing {
  readonly storage: TelemetryStorage
  readonly registry: Registry
  readonly erased: Erased
  readonly at: Date
}

function eraseBatch(
  { storage, registry, erased, at }: RowErasing,
  filter: Document
): Promise<RowCounts> {
  return storage.transaction(async (session) => {
    const { rows, rollups } = storage.collections
    const found = await (rows as unknown as Collection<StoredRow>)
      .find(filter, { session })
      .limit(BATCH)
      .toArray()
    if (found.length === 0) return { deleted: 0, redacted: 0 }
    const acts = found.map((row) => {
      const pseudonyms = pseudonymsAt(erased, row.occurredAt.getTime())
      return { row, erasure: eraseRow(row, pseudonyms, at) }
    })
    await rows.bulkWrite(
      acts.map(({ row, erasure }) =>
        erasure.act === 'delete'
          ? { deleteOne: { filter: { _id: row._id } } }
          : { replaceOne: { filter: { _id: row._id }, replacement: erasure.row } }
      ),
      { session, ordered: false }
    )
    await rollups.bulkWrite(
      found.map((row) => forgetCapture(registry, row)),
      { session, ordered: false }
    )
    await splitRollups({ storage, registry, erased, session }, found)
    const deleted = acts.filter(({ erasure }) => erasure.act === 'delete').length
    return { deleted, redacted: acts.length - deleted }
  })
}

/** Where the erased record was the earliest of a rollup, what was captured of it goes. */
function forgetCapture(registry: Registry, row: StoredRow) {
  const event = registry.event(row.name)
  const ids = event === undefined ? [] : rollupIdsOf(event, row)
  return {
    updateMany: {
      filter: { _id: { $in: [...ids] }, firstId: row._id },
      update: { $unset: { firstCapture: true, firstTraceId: true, firstRefs: true } as const }
    }
  }
}
