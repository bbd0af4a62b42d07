// Whole results as files: every record once, in every format, whatever texts they hold.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { recordFile } from '../exports/record-file.ts'
import { installedDuckDB } from '../history/duckdb.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const START = Date.now() - 86_400_000
const range = { from: new Date(START), to: new Date(START + 80_000_000) }

async function open(t: Test, count: number) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      telemetry.emit('page.viewed', {
        tenantId: n % 50 === 0 ? 'globex' : 'acme',
        occurredAt: START + n * 10,
        subjects: [{ type: 'user', id: 'u' }],
        attrs: { path: n === 3 ? '=1+1,"x"\ny' : `/p${n}` },
        metrics: { load_ms: n }
      })
    )
  )
  await telemetry.flush()
  return createQueries({ telemetry, cacheMs: 0 })
}

test('a file has every record of the tenant once, beyond what a page holds', async (t) => {
  const queries = await open(t, 2300)
  const json = await text(await queries.recordFile('acme', { ...range, format: 'json' }))
  const records = JSON.parse(json) as { _id: string; occurredAt: string }[]
  t.equal(records.length, 2300 - 46)
  t.equal(new Set(records.map(({ _id }) => _id)).size, records.length)
  t.same(
    records.map(({ occurredAt }) => occurredAt),
    records
      .map(({ occurredAt }) => occurredAt)
      .toSorted()
      .reverse()
  )
  const csv = await text(await queries.recordFile('acme', { ...range, format: 'csv' }))
  t.match(csv, /^_id,occurredAt,.*attrs\.path,metrics\.load_ms,more\r\n/)
  t.match(csv, `"'=1+1,""x""\ny"`, 'no formula, and quoted')
  t.equal(csv.split('\r\n').length, records.length + 2)
})

test('filters hold for files, and an empty file is one', async (t) => {
  const queries = await open(t, 5)
  const asked = { ...range, filters: { q: '/p4' } }
  const json = await text(await queries.recordFile('acme', { ...asked, format: 'json' }))
  t.equal((JSON.parse(json) as unknown[]).length, 1)
  const none = { ...range, filters: { name: 'none' } }
  t.equal(await text(await queries.recordFile('acme', { ...none, format: 'json' })), '[]\n')
  t.match(await text(await queries.recordFile('acme', { ...none, format: 'csv' })), /^_id,/)
})

test('a Parquet file is written where DuckDB is installed, and refused in words elsewhere', async (t) => {
  async function* nothing() {}
  await t.rejects(
    recordFile(nothing(), 'parquet', async () => undefined),
    {
      code: 'TEL_EXPORT_ENGINE',
      status: 422
    }
  )
  if (!installedDuckDB.isInstalled()) return
  const queries = await open(t, 1200)
  const stream = await queries.recordFile('acme', { ...range, format: 'parquet' })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  t.equal(bytes.subarray(0, 4).toString(), 'PAR1')
  t.equal(bytes.subarray(-4).toString(), 'PAR1')
})

test('a file whose download ends early stops reading', async (t) => {
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield []
    } finally {
      isEnded = true
    }
  }
  const stream = await recordFile(endless(), 'json', async () => undefined)
  t.type(stream, Readable)
  stream.destroy()
  await new Promise((resolve) => stream.once('close', resolve))
  t.ok(isEnded)
})
