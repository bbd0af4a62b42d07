// Stores an aggregate report whole or not at all: what a killed process left does not count and is removed.

import { randomUUID } from 'node:crypto'
import { DURABLE } from '@keelson/sdk'
import { MongoServerError } from 'mongodb'
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { RecordRow, ReportRow, Via } from '../storage/rows.ts'
import { removeRecords } from './remove-records.ts'
import { reportKey } from './report-keys.ts'
import { changeSums, sumIngest } from './sum-sources.ts'

/** An aggregate report to store. */
export interface NewReport {
  readonly report: AggregateReport
  readonly filename: string
  readonly via: Via
  /** All records, where there are few. */
  readonly rows: readonly AggregateRecord[] | undefined
  /** All records, in batches. */
  records(): AsyncIterable<readonly AggregateRecord[]>
}

const TOUCH_EVERY_MS = 30_000

type StoreContext = Pick<DmarcContext, 'collections' | 'clock' | 'withTransaction'>

/** Stores it, unless it was stored before. */
export async function storeReport(
  context: StoreContext,
  given: NewReport
): Promise<{ readonly key: string; readonly isNew: boolean }> {
  const _id = reportKey(given.report)
  const { reports } = context.collections
  const known = await reports.findOne({ _id }, { projection: { ingest: 1 } })
  if (known !== null) {
    await sumIngest(context, known.ingest)
    return { key: _id, isNew: false }
  }
  const row: ReportRow = {
    ...given.report,
    _id,
    ingest: randomUUID(),
    domain: given.report.policy.domain,
    receivedAt: context.clock.now(),
    via: given.via,
    filename: given.filename.slice(0, 256)
  }
  const isNew = await (given.rows === undefined
    ? storeStaged(context, row, given.records())
    : storeAtOnce(context, row, given.rows))
  return { key: _id, isNew }
}

async function storeAtOnce(
  { collections, withTransaction }: StoreContext,
  row: ReportRow,
  records: readonly AggregateRecord[]
): Promise<boolean> {
  const rows = records.map(rowMaker(row))
  return unlessKnown(collections, row, () =>
    withTransaction(async (session) => {
      await collections.reports.insertOne(row, { session })
      if (rows.length > 0) await collections.records.insertMany(rows, { session })
      await changeSums(collections, rows, { session })
    })
  )
}

/**
 * Records first, under an ingest that does not count; then the report, with the end of the ingest. The sums of
 * its sources follow: they are too many for one transaction.
 */
async function storeStaged(
  context: StoreContext,
  row: ReportRow,
  batches: AsyncIterable<readonly AggregateRecord[]>
): Promise<boolean> {
  const { collections, withTransaction } = context
  const { ingest } = row
  await collections.ingests.insertOne({ _id: ingest, touchedAt: context.clock.now() }, DURABLE)
  let isStored = false
  try {
    const stored = await insertRecords(context, row, batches)
    if (stored !== row.records) throw lost(row)
    const summing = { domain: row.domain, done: 0, records: row.records }
    isStored = await unlessKnown(collections, row, () =>
      withTransaction(async (session) => {
        await collections.reports.insertOne(row, { session })
        const end = { $set: { summing, touchedAt: context.clock.now() } }
        const ended = await collections.ingests.updateOne(mine(ingest), end, { session })
        if (ended.matchedCount !== 1) throw lost(row)
      })
    )
  } finally {
    if (!isStored) await giveUp(context, ingest)
  }
  if (isStored) await sumIngest(context, ingest)
  return isStored
}

/** Where the end of the transaction is unknown the report may be there: then the ingest is not ours any more. */
async function giveUp(context: StoreContext, ingest: string): Promise<void> {
  const { matchedCount } = await context.collections.ingests.updateOne(
    mine(ingest),
    { $set: { abandoned: true } },
    DURABLE
  )
  if (matchedCount === 1) await removeRecords(context, ingest)
}

async function insertRecords(
  { collections, clock }: StoreContext,
  row: ReportRow,
  batches: AsyncIterable<readonly AggregateRecord[]>
): Promise<number> {
  const toRow = rowMaker(row)
  let touchedAt = row.receivedAt
  let stored = 0
  for await (const batch of batches) {
    const rows = batch.map((record, index) => toRow(record, stored + index))
    await collections.records.insertMany(rows, { ordered: false, ...DURABLE })
    stored += rows.length
    const now = clock.now()
    if (now.getTime() - touchedAt.getTime() < TOUCH_EVERY_MS) continue
    touchedAt = now
    const { matchedCount } = await collections.ingests.updateOne(mine(row.ingest), {
      $set: { touchedAt }
    })
    if (matchedCount !== 1) throw lost(row)
  }
  return stored
}

const mine = (ingest: string) => ({
  _id: ingest,
  abandoned: { $exists: false },
  summing: { $exists: false }
})

function lost({ filename }: ReportRow): Error {
  return errors.DMR_READING({ name: filename, problem: 'storing it took too long' })
}

function rowMaker(report: ReportRow) {
  const { ingest, domain, orgName, receivedAt, rangeStart, rangeEnd } = report
  const middle = new Date((rangeStart.getTime() + rangeEnd.getTime()) / 2)
  const day = middle.toISOString().slice(0, 10)
  return (record: AggregateRecord, index: number): RecordRow => ({
    _id: `${ingest}:${index}`,
    ingest,
    domain,
    orgName,
    receivedAt,
    rangeEnd,
    day,
    ...record
  })
}

const MOST_TRIES = 5

/** False when the report is there already: two uploads of it ran at the same time. */
async function unlessKnown(
  { reports }: DmarcContext['collections'],
  { _id }: ReportRow,
  write: () => Promise<unknown>
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await write()
      return true
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== 11000) throw error
      if ((await reports.findOne({ _id }, { projection: { _id: 1 } })) !== null) return false
      // Another report added the same source first.
      if (tries === MOST_TRIES) throw error
    }
  }
}
