// Bytes on disk of what there is much of, with its indexes, on the built-in engine: what `docs/sizing.md` adds up.
import { setTimeout } from 'node:timers/promises'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { createTelemetry } from '@keelson/telemetry'
import type { Db } from 'mongodb'
import { openMailSink } from '../hosts/mail-sink.ts'
import { openBroadcastMailer, URGENT } from './broadcast-mailer.ts'
import { printFigure } from './measure.ts'
import { sendBatches, startIngestHost } from './telemetry-load.ts'

const BATCHES = 100
const LANES = 4
const MAILS = 3_000

const cleanUps: (() => Promise<void> | void)[] = []
const t = { teardown: (fn: () => Promise<void> | void) => void cleanUps.push(fn) }

/** Bytes of the documents and of the indexes of some collections, for each of `count` things. */
async function bytesEach(db: Db, names: readonly string[], count: number) {
  const stats = await Promise.all(names.map((name) => db.command({ collStats: name })))
  const sum = (key: string) => stats.reduce((all, each) => all + Number(each[key]), 0) / count
  return { documents: sum('storageSize'), indexes: sum('totalIndexSize') }
}

function print(
  name: string,
  { documents, indexes }: Awaited<ReturnType<typeof bytesEach>>,
  atMost: number
): void {
  const detail = `bytes; ${documents.toFixed(0)} of documents, ${indexes.toFixed(0)} of indexes`
  printFigure(name, documents + indexes, { atMost }, detail)
}

const { db } = await testDatabase(t)
const host = await startIngestHost(await databaseUri(), db.databaseName)
await sendBatches(host, BATCHES, LANES)
await host.close()
const records = await db.collection('telemetry').countDocuments()
print('a record that is not sealed', await bytesEach(db, ['telemetry'], records), 1_800)
const telemetry = createTelemetry({ registry: {}, connection: db })
await telemetry.syncIndexes()
await telemetry.seal({ before: new Date(Date.now() + 86_400_000) })
await telemetry.close()
const sealed = ['telemetry', 'telemetry_segments', 'telemetry_seen']
const files = await bytesEach(db, ['telemetry_segments'], records)
print('a sealed record, in its segment', files, 120)
print(
  'a sealed record, with what is left of it and its replay keys',
  await bytesEach(db, sealed, records),
  400
)
print('its rollups', await bytesEach(db, ['telemetry_rollups'], records), 1_500)

const sink = await openMailSink(URGENT)
t.teardown(() => void sink.child.kill())
const mailer = await openBroadcastMailer(t, { smtp: sink.url, contacts: MAILS })
const worker = await mailer.worker()
await mailer.enqueue('cast')
await worker.startWorkers()
while ((await sink.taken()) < MAILS) await setTimeout(50)
await worker.stop()
print('a contact', await bytesEach(mailer.db, ['mailer_subscriptions'], MAILS), 700)
const ledger = ['mailer_sends', 'mailer_outcomes']
print('a mail in the ledger', await bytesEach(mailer.db, ledger, MAILS), 6_000)
for (const cleanUp of cleanUps.reverse()) await cleanUp()
process.exit()
