// The sums of failing sources: what was added is what is left after the rest was taken away.
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { test } from 'tap'
import type { AggregateRecord } from '../aggregate/report.ts'
import { markReports } from '../ingest/mark-reports.ts'
import { pruneDmarcFailures, sweepIngests } from '../ingest/remove-records.ts'
import { storeReport } from '../ingest/store-report.ts'
import { hasUnknownFailures, readFailing, readSources } from '../overview/read-sources.ts'
import { readFile } from '../reading/read-file.ts'
import {
  added,
  failingSource,
  type SummedRecord,
  sumsOfRecords,
  without
} from '../sources/source-sums.ts'
import type { SourceRow } from '../storage/rows.ts'
import { ingestContext } from './ingest-context.ts'
import { reportXml, type SampleReport } from './report-xml.ts'

const DAY = 86_400_000

const record = fc.record<SummedRecord>({
  aligned: fc.boolean(),
  sourceIp: fc.constantFrom('192.0.2.1', '192.0.2.2', null),
  domain: fc.constantFrom('a.test', 'b.test'),
  count: fc.nat(9),
  day: fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-22'),
  rangeEnd: fc.constantFrom(new Date('2026-11-21'), new Date('2026-11-22')),
  dkim: fc.constantFrom('fail', 'none'),
  orgName: fc.constantFrom('google.com', 'yahoo.example'),
  spf: fc.constantFrom('fail', 'softfail'),
  disposition: fc.constantFrom('none', 'reject')
})

const joined = (a: ReadonlyMap<string, SourceRow>, b: ReadonlyMap<string, SourceRow>) => {
  const all = new Map(a)
  for (const [id, part] of b) {
    const before = all.get(id)
    all.set(id, before === undefined ? part : added(before, part))
  }
  return all
}

test('batches of records sum up to what all of them do, in whatever order', (t) => {
  fc.assert(
    fc.property(fc.array(record), fc.array(record), (one, other) => {
      const whole = sumsOfRecords([...one, ...other])
      const parts = joined(sumsOfRecords(other), sumsOfRecords(one))
      t.same(new Map([...parts].sort()), new Map([...whole].sort()))
    })
  )
  t.end()
})

test('taking records away leaves the messages and days of the others', (t) => {
  fc.assert(
    fc.property(fc.array(record), fc.array(record), (gone, kept) => {
      const all = sumsOfRecords([...gone, ...kept])
      const left = sumsOfRecords(kept)
      for (const [id, part] of sumsOfRecords(gone)) {
        const sum = without(all.get(id) as SourceRow, part)
        const wanted = left.get(id)
        const shape = (row: SourceRow | null | undefined) =>
          row?.days.map(({ day, messages }) => [day, messages])
        t.same([sum?.messages, shape(sum)], [wanted?.messages, shape(wanted)])
        t.same(sum?.reporters, wanted?.reporters)
      }
    })
  )
  t.end()
})

async function open(t: Parameters<typeof testDatabase>[0]) {
  const { context, pass } = ingestContext(await testDatabase(t))
  const store = async (given: SampleReport, isLarge = false) => {
    const bytes = Buffer.from(reportXml(given))
    const [found] = (await readFile({ filename: 'a.xml', bytes })).reports
    if (found?.kind !== 'aggregate') throw new Error('no report')
    const batches: readonly AggregateRecord[][] = [[...(found.rows ?? [])]]
    async function* records() {
      yield* batches
    }
    const rows = isLarge ? undefined : found.rows
    await storeReport(context, { ...found, filename: 'a.xml', via: 'upload', rows, records })
  }
  return { context, pass, store }
}

const failing = (ip: string, count: number) => ({ ip, count, dkim: 'fail', spf: 'fail' })

test('the sums have what the records of the whole window have', async (t) => {
  const { context, pass, store } = await open(t)
  for (let n = 0; n < 6; n++) {
    const begin = new Date(Date.UTC(2026, 10, 10 + (n % 4)))
    const records = [failing('192.0.2.1', n + 1), failing(`192.0.2.${n + 10}`, 2 * n)]
    await store({ id: `${n}`, begin, end: new Date(+begin + DAY - 1), records }, n % 2 === 1)
    pass(DAY)
  }
  const both = async () => [
    await readFailing(context, 100),
    await readSources(context, { receivedSince: new Date(0) }, 100)
  ]
  const [sums, grouped] = await both()
  t.same(sums, grouped)
  t.match(sums?.[0], { sourceIp: '192.0.2.1', totalMessages: 21, daysSeen: 4 })
  pass(86 * DAY)
  await pruneDmarcFailures(context)
  const [left, regrouped] = await both()
  t.same(left, regrouped, 'also after the oldest are gone')
  t.match(left?.[0], { sourceIp: '192.0.2.1', totalMessages: 18 })
  pass(90 * DAY)
  await pruneDmarcFailures(context)
  t.equal(await context.collections.sources.countDocuments(), 0)
})

test('reports about one source that are stored at the same time all count', async (t) => {
  const { context, store } = await open(t)
  const ids = Array.from({ length: 20 }, (_, n) => `${n}`)
  await Promise.all(ids.map((id) => store({ id, records: [failing('192.0.2.1', 3)] })))
  t.match(await readFailing(context, 2), [{ sourceIp: '192.0.2.1', totalMessages: 60 }])
  t.equal(await context.collections.reports.countDocuments(), 20)
})

test('while a report is summed up, its domain counts as one with unknown failures', async (t) => {
  const { context } = await open(t)
  const { ingests } = context.collections
  const asked = { domain: 'acme.test', endedSince: new Date(0) }
  const tagged = () => undefined
  t.equal(await hasUnknownFailures(context, asked, tagged), false)
  const summing = { domain: 'acme.test', done: 0, records: 5 }
  await ingests.insertOne({ _id: 'a', touchedAt: new Date(0), summing })
  t.equal(await hasUnknownFailures(context, asked, tagged), true)
})

test('reports of an older version get their sums, each once', async (t) => {
  const { context, store } = await open(t)
  const { sources, ingests } = context.collections
  await store({ id: '1', records: [failing('192.0.2.1', 3)] })
  await store({ id: '2', records: [failing('192.0.2.1', 4), failing('192.0.2.2', 1)] })
  const wanted = await readFailing(context, 10)
  await sources.deleteMany({})
  t.equal(await markReports(context.collections), 2)
  t.equal(await markReports(context.collections), 2, 'a start that was killed runs it again')
  await sweepIngests(context)
  t.same(await readFailing(context, 10), wanted)
  t.equal(await ingests.countDocuments(), 0)
  t.equal(failingSource({ ...((await sources.findOne()) as SourceRow), days: [] }).lastSeen, '')
})
