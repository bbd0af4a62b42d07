// Measures recounted by hand: however rows are split into parts, and on the engine over time and by group.
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { figureOf, type Part, readMeasure } from './measure.ts'

const HOUR = 3_600_000

/** The least value that so many of the values do not exceed, between two where it is between them. */
function rankedBy(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = rank * (sorted.length - 1)
  const [low = 0, high = low] = sorted.slice(Math.floor(place), Math.floor(place) + 2)
  return low + (high - low) * (place % 1)
}

const partOfRows = (values: readonly number[], asked: string): Part => {
  const { op } = readMeasure(asked)
  const total =
    op === 'min'
      ? Math.min(...values)
      : op === 'max'
        ? Math.max(...values)
        : values.reduce((a, b) => a + b)
  const isCollected = op === 'percentile' || op === 'unique'
  const rows = values.length
  return { rows, records: rows, rate: 1, ...(isCollected ? { values } : { total }) }
}

test('a figure of all parts is that of all their rows', (t) => {
  const part = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const all = parts.flat()
      const sum = all.reduce((a, b) => a + b, 0)
      const expected: Readonly<Record<string, number>> = {
        count: all.length,
        unique: new Set(all).size,
        'sum:x': sum,
        'avg:x': sum / all.length,
        'min:x': Math.min(...all),
        'max:x': Math.max(...all),
        'p50:x': rankedBy(all, 0.5),
        'p95:x': rankedBy(all, 0.95),
        'p99:x': rankedBy(all, 0.99)
      }
      for (const [asked, figure] of Object.entries(expected)) {
        const found = figureOf(
          readMeasure(asked),
          parts.map((one) => partOfRows(one, asked))
        )
        t.ok(Math.abs((found ?? Number.NaN) - figure) < 1e-6, `${asked}: ${found}, not ${figure}`)
      }
    }),
    { numRuns: 100 }
  )
  for (const asked of ['avg:x', 'min:x', 'max:x', 'p95:x'])
    t.equal(figureOf(readMeasure(asked), []), null)
  t.end()
})

test('series and breakdowns measure percentiles and people, for one tenant and for all', async (t) => {
  const { db } = await testDatabase(t)
  const registry = {
    'http.request': { kind: 'span', origin: 'server', attrs: ['route'], subjects: ['user'] },
    'http.anonymous': { kind: 'span', origin: 'server', attrs: ['route'] }
  } as const
  const telemetry = createTelemetry({ registry, connection: db })
  await telemetry.syncIndexes()
  const start = Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR
  const sent = Array.from({ length: 60 }, (_, at) => ({
    tenantId: at % 3 === 0 ? 'globex' : 'acme',
    occurredAt: start + (at % 2) * HOUR + at * 1000,
    durationMs: ((at * 37) % 101) + 1,
    attrs: { route: at % 5 === 0 ? '/slow' : '/fast' },
    ...(at % 7 !== 0 && { subjects: [{ type: 'user' as const, id: `u${at % 4}` }] })
  }))
  for (const [at, one] of sent.entries())
    await telemetry.emit('subjects' in one ? 'http.request' : 'http.anonymous', {
      ...one,
      traceId: 'ab'.repeat(16),
      spanId: `${1000 + at}`.repeat(4)
    })
  await telemetry.flush()
  t.same(await telemetry.quarantine('*'), [])
  t.equal(await db.collection('telemetry').countDocuments(), sent.length)
  const queries = createQueries({ telemetry, cacheMs: 0 })
  const range = { from: new Date(start), to: new Date(start + 3 * HOUR) }
  const ofTenant = (scope: string) =>
    sent.filter(({ tenantId }) => scope === '*' || tenantId === scope)
  const people = (rows: typeof sent) =>
    new Set(
      rows.flatMap(({ tenantId, subjects = [] }) => subjects.map(({ id }) => `${tenantId} ${id}`))
    ).size
  for (const scope of ['acme', '*']) {
    const rows = ofTenant(scope)
    const hours = [0, 1].map((hour) =>
      rows.filter(
        (_, at) =>
          (rows[at]?.occurredAt ?? 0) >= start + hour * HOUR &&
          (rows[at]?.occurredAt ?? 0) < start + (hour + 1) * HOUR
      )
    )
    const p95 = await queries.series(scope, {
      ...range,
      interval: 'hour',
      measure: 'p95:durationMs'
    })
    t.same(
      p95.buckets.map(({ value }) => value),
      hours.map((one) =>
        rankedBy(
          one.map(({ durationMs }) => durationMs),
          0.95
        )
      )
    )
    const unique = await queries.series(scope, { ...range, interval: 'hour', measure: 'unique' })
    t.same(
      unique.buckets.map(({ value }) => value),
      hours.map(people),
      `${scope}: rows without a person count none`
    )
    const byRoute = await queries.breakdown(scope, {
      ...range,
      by: 'attr:route',
      measure: 'p50:durationMs'
    })
    for (const { value, figure } of byRoute.groups) {
      const durations = rows
        .filter(({ attrs }) => attrs.route === value)
        .map(({ durationMs }) => durationMs)
      t.equal(figure, rankedBy(durations, 0.5), `${scope} ${value}`)
    }
  }
  const few = createQueries({ telemetry, cacheMs: 0, limits: { distribution: 10 } })
  const cut = await few.series('*', { ...range, interval: 'hour', measure: 'p95:durationMs' })
  t.equal(cut.truncated, true, 'a limit that cut says so')
  t.equal((await few.series('*', { ...range, interval: 'hour' })).truncated, false)
})
