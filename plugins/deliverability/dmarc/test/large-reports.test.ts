// Large reports: stored whole or not at all, whatever happens meanwhile.
import { gzipSync } from 'node:zlib'
import { testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { AggregateRecord } from '../aggregate/report.ts'
import { pruneDmarcFailures, sweepIngests } from '../ingest/remove-records.ts'
import { storeReport } from '../ingest/store-report.ts'
import { readDomains } from '../overview/read-domains.ts'
import { readFailing } from '../overview/read-sources.ts'
import { readFile } from '../reading/read-file.ts'
import { createReader } from '../reading/reader.ts'
import { openDmarc } from './dmarc-host.ts'
import { ingestContext } from './ingest-context.ts'
import { reportXml } from './report-xml.ts'

const DAY = 86_400_000
const records = Array.from({ length: 3_000 }, (_, n) => ({
  ip: `10.0.${n >> 8}.${n & 255}`,
  dkim: 'fail',
  spf: 'fail'
}))
const xml = reportXml({ records })

async function open(t: Test) {
  const { context, pass } = ingestContext(await testDatabase(t))
  const {
    reports: [found]
  } = await readFile({ filename: 'a.xml', bytes: Buffer.from(xml) })
  if (found?.kind !== 'aggregate') throw new Error('no report')
  const batches: AggregateRecord[][] = []
  const take = async (batch: readonly AggregateRecord[]) => void batches.push([...batch])
  const wanted = { index: 0, batch: 1_000, take }
  await readFile({ filename: 'a.xml', bytes: Buffer.from(xml) }, { wanted })
  const store = (source: () => AsyncIterable<readonly AggregateRecord[]>) =>
    storeReport(context, {
      report: found.report,
      filename: 'a.xml',
      via: 'upload',
      rows: undefined,
      records: source
    })
  const seen = async () => {
    const [domain] = await readDomains(context)
    const sources = await readFailing(context, 10_000)
    return [domain?.totalMessages ?? 0, sources.length]
  }
  return { context, batches, store, seen, pass }
}

async function* all(batches: readonly (readonly AggregateRecord[])[]) {
  yield* batches
}

test('a large report counts when its last record is stored, and not before', async (t) => {
  const { context, batches, store, seen } = await open(t)
  const during: unknown[] = []
  async function* watched() {
    for (const batch of batches) {
      yield batch
      during.push([await context.collections.records.countDocuments(), ...(await seen())])
    }
  }
  t.match(await store(watched), { isNew: true })
  t.same(during, [
    [1000, 0, 0],
    [2000, 0, 0],
    [3000, 0, 0]
  ])
  t.same(await seen(), [3000, 3000])
  t.equal(await context.collections.ingests.countDocuments(), 0)
  t.match(await store(() => all(batches)), { isNew: false })
})

test('what a killed process left does not count, is swept, and does not stop a new try', async (t) => {
  const { context, batches, store, seen, pass } = await open(t)
  const { ingests, records: rows } = context.collections
  const hang = new Promise<never>(() => {})
  let reached = () => {}
  const half = new Promise<void>((resolve) => {
    reached = resolve
  })
  async function* killed() {
    yield batches[0] ?? []
    reached()
    await hang
  }
  // The process ends here: nothing of this call goes on.
  void store(killed)
  await half
  t.same(await seen(), [0, 0])
  t.equal(await rows.countDocuments(), 1000)
  t.equal(await sweepIngests(context), 0, 'it may still be running')
  t.match(await store(() => all(batches)), { isNew: true })
  t.same(await seen(), [3000, 3000])
  pass(11 * 60_000)
  t.equal(await sweepIngests(context), 1)
  t.equal(await rows.countDocuments(), 3000)
  t.same(await seen(), [3000, 3000])
  pass(2 * DAY)
  t.equal(await sweepIngests(context), 0)
  t.equal(await ingests.countDocuments(), 0)
  t.equal(await rows.countDocuments(), 3000)
})

test('a process that was swept while it was slow does not store half a report', async (t) => {
  const { context, batches, store, seen, pass } = await open(t)
  async function* slow() {
    yield batches[0] ?? []
    pass(11 * 60_000)
    await sweepIngests(context)
    yield* batches.slice(1)
  }
  await t.rejects(store(slow), { code: 'DMR_READING' })
  t.same(await seen(), [0, 0])
  t.ok((await context.collections.records.countDocuments()) > 0, 'it wrote after it was swept')
  pass(2 * DAY)
  await sweepIngests(context)
  t.equal(await context.collections.records.countDocuments(), 0)
  t.equal(await context.collections.ingests.countDocuments(), 0)
})

test('a reader that fails, or gives other records than the report has, stores nothing', async (t) => {
  const { context, batches, store, seen } = await open(t)
  async function* broken() {
    yield batches[0] ?? []
    throw new Error('broken')
  }
  await t.rejects(store(broken), /broken/)
  await t.rejects(
    store(() => all(batches.slice(1))),
    { code: 'DMR_READING' }
  )
  t.same(await seen(), [0, 0])
  t.equal(await context.collections.records.countDocuments(), 0)
  t.equal(await context.collections.ingests.countDocuments(), 0)
})

test('two uploads of one large report at the same time store it once', async (t) => {
  const { context, batches, store, seen } = await open(t)
  const answers = await Promise.all([store(() => all(batches)), store(() => all(batches))])
  t.equal(answers.filter(({ isNew }) => isNew).length, 1)
  t.same(await seen(), [3000, 3000])
  t.equal(await context.collections.records.countDocuments(), 3000)
})

test('records go after the retention time, reports stay', async (t) => {
  const { context, batches, store, pass } = await open(t)
  await store(() => all(batches))
  pass(89 * DAY)
  t.same(await pruneDmarcFailures(context), { removed: 0 })
  pass(2 * DAY)
  t.same(await pruneDmarcFailures(context), { removed: 3000 })
  t.equal(await context.collections.reports.countDocuments(), 1)
})

test('a large upload is read in a thread and stored with all its records', async (t) => {
  const { upload, collections, overview } = await openDmarc(t)
  t.match(await upload(gzipSync(xml), 'r.gz'), { json: { totalMessages: 3000, failCount: 3000 } })
  t.equal(await collections.records.countDocuments(), 3000)
  t.equal((await overview()).sources.length, 100)
  t.match(await upload(gzipSync(xml), 'r.gz'), { json: { duplicate: true } })
  t.equal(await collections.records.countDocuments(), 3000)
})

test('a file that takes too much memory ends its thread, and the next file is read', async (t) => {
  const reader = createReader({ heapMb: 40 })
  t.teardown(() => reader.close())
  const comment = `<feedback><!--${'x'.repeat(48 * 1_048_576)}`
  const greedy = { filename: 'greedy.xml', bytes: Buffer.from(comment) }
  await t.rejects(
    reader.open(greedy, 'a', (file) => file.read()),
    { code: 'DMR_READING' }
  )
  const fine = { filename: 'fine.xml', bytes: Buffer.from(reportXml()) }
  t.match(await reader.open(fine, 'a', (file) => file.read()), { reports: [{ kind: 'aggregate' }] })
})

test('a reading that is left in the middle does not mix with the next one', async (t) => {
  const reader = createReader()
  t.teardown(() => reader.close())
  const file = { filename: 'a.xml', bytes: Buffer.from(xml) }
  await t.rejects(
    reader.open(file, 'a', async (open) => {
      for await (const batch of open.records(0)) if (batch.length > 0) throw new Error('enough')
    }),
    /enough/
  )
  const counts = await reader.open(file, 'a', async (open) => {
    const { reports } = await open.read()
    let count = 0
    for await (const batch of open.records(0)) count += batch.length
    return [reports.length, count]
  })
  t.same(counts, [1, 3000])
})
