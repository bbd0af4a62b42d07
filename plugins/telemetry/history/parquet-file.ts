// A Parquet file of records as reads show them, for people: columns named as in the API.
import { rm } from 'node:fs/promises'
import type { Envelope } from '../schemas/envelope.ts'
import type { SegmentCache } from './cache.ts'
import { quoted } from './columns.ts'
import { type Engine, filesOf, type Session } from './engine.ts'

const TEXTS = [
  '_id',
  'tenantId',
  'kind',
  'name',
  'severity',
  'env',
  'service',
  'release',
  'traceId',
  'spanId',
  'parentId',
  'subject',
  'actor',
  'body'
] as const

const SHAPE = JSON.stringify({
  occurredAt: 'TIMESTAMP',
  ...Object.fromEntries(TEXTS.map((name) => [name, 'VARCHAR'])),
  durationMs: 'DOUBLE',
  errorType: 'VARCHAR',
  errorMessage: 'VARCHAR',
  fingerprint: 'VARCHAR',
  attrs: 'MAP(VARCHAR, VARCHAR)',
  metrics: 'MAP(VARCHAR, DOUBLE)',
  sampleRate: 'DOUBLE'
})

function lineOf(record: Envelope): string {
  const { error, attrs, metrics, sampleRate, durationMs } = record
  return JSON.stringify({
    occurredAt: record.occurredAt.toISOString().replace('T', ' ').replace('Z', ''),
    ...Object.fromEntries(TEXTS.map((name) => [name, record[name]])),
    durationMs,
    errorType: error?.type,
    errorMessage: error?.message,
    fingerprint: error?.fingerprint,
    attrs,
    metrics,
    sampleRate
  })
}

/** The path of the file, which is the caller's to remove. Its connection is beside those of reads. */
export async function parquetFile(
  { engine, cache }: { readonly engine: Engine; readonly cache: SegmentCache },
  batches: AsyncIterable<readonly Envelope[]>
): Promise<string> {
  const path = await cache.newPath()
  const { session, close } = await engine.open()
  try {
    await fill(session, batches)
    await session.run(
      `COPY (SELECT * FROM exported ORDER BY ${quoted('occurredAt')} DESC) TO ${filesOf([path]).slice(1, -1)} (FORMAT parquet, COMPRESSION zstd)`
    )
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    close()
  }
}

async function fill(session: Session, batches: AsyncIterable<readonly Envelope[]>): Promise<void> {
  await session.run('CREATE TEMP TABLE lines (line VARCHAR)')
  const read = `SELECT unnest(from_json(line, '${SHAPE}')) FROM lines`
  await session.run(`CREATE TEMP TABLE exported AS ${read}`)
  for await (const records of batches) {
    await session.fill('lines', records.map(lineOf))
    await session.run(`INSERT INTO exported ${read}`)
    await session.run('DELETE FROM lines')
  }
}
