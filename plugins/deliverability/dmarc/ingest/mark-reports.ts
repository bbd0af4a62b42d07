// The migration to sums of sources: marks every stored report, and the sweep of ingests adds its records.
import type { DmarcCollections } from '../storage/collections.ts'

const STEP = 1_000

/** Again does nothing more: no record is added before all reports are marked. @returns how many reports there are */
export async function markReports({
  reports,
  ingests
}: Pick<DmarcCollections, 'reports' | 'ingests'>): Promise<number> {
  const touchedAt = new Date(0)
  let marked = 0
  let writes: Parameters<typeof ingests.bulkWrite>[0][number][] = []
  const write = async () => {
    if (writes.length > 0) await ingests.bulkWrite(writes, { ordered: false })
    marked += writes.length
    writes = []
  }
  const found = reports.find().project<{ ingest: string; domain: string; records: number }>({
    _id: 0,
    ingest: 1,
    domain: 1,
    records: 1
  })
  for await (const { ingest, domain, records } of found) {
    const summing = { domain, done: 0, records }
    const update = { $setOnInsert: { touchedAt, summing } }
    writes.push({ updateOne: { filter: { _id: ingest }, update, upsert: true } })
    if (writes.length === STEP) await write()
  }
  await write()
  return marked
}
