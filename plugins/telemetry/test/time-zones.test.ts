// Reads by days, weeks and months of a time zone, on a real database: half hours, and days when clocks change.

import { testDatabase } from '@keelson/sdk/testing'
import { startOf } from '@keelson/sdk/zoned-time'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const LA = 'America/Los_Angeles'
const KOLKATA = 'Asia/Kolkata'
const HOUR = 3_600_000
const MINUTE = 60_000

/** The last Sunday on which clocks of Los Angeles went back: its day has 25 hours. */
const LONG_DAY = (() => {
  const year = new Date(Date.now() - 10 * 24 * HOUR).getUTCFullYear()
  const [last = 0] = [year, year - 1].flatMap((one) => {
    const first = Date.UTC(one, 10, 1)
    const sunday = first + ((7 - new Date(first).getUTCDay()) % 7) * 24 * HOUR
    return sunday + 3 * 24 * HOUR < Date.now() ? [sunday] : []
  })
  return startOf(last + 12 * HOUR, 'day', LA)
})()

async function open(t: Parameters<typeof testDatabase>[0], times: readonly number[]) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  await Promise.all(
    times.map((occurredAt) =>
      telemetry.emit('page.viewed', {
        tenantId: 'acme',
        service: 'web',
        release: 'r1',
        env: 'prod',
        occurredAt,
        subjects: [{ type: 'user', id: 'a' }],
        attrs: { source: 'ads' }
      })
    )
  )
  await telemetry.flush()
  return createQueries({ telemetry, cacheMs: 0 })
}

const counted = (buckets: readonly { at?: Date; value?: number; count?: number }[]) =>
  buckets.map(({ at, value, count }) => [at?.toISOString(), value ?? count])

test('a day when clocks change has 25 hours, in rows and rollups alike', async (t) => {
  const times = [
    LONG_DAY - 1,
    LONG_DAY,
    LONG_DAY + 24 * HOUR,
    LONG_DAY + 25 * HOUR - 1,
    LONG_DAY + 25 * HOUR
  ]
  const queries = await open(t, times)
  const range = {
    from: new Date(LONG_DAY - 24 * HOUR),
    to: new Date(LONG_DAY + 49 * HOUR),
    interval: 'day',
    timeZone: LA
  } as const
  const expected = [
    [new Date(LONG_DAY - 24 * HOUR).toISOString(), 1],
    [new Date(LONG_DAY).toISOString(), 3],
    [new Date(LONG_DAY + 25 * HOUR).toISOString(), 1]
  ]
  t.same(counted((await queries.series('acme', range)).buckets), expected)
  t.same(counted((await queries.activity('acme', range)).groups), expected)
  const { groups } = await queries.breakdown('acme', { ...range, by: 'name' })
  t.same(counted(groups[0]?.buckets ?? []), expected)
})

test('days of Kolkata start inside an hour, and rollups give the same counts as rows', async (t) => {
  const day = startOf(LONG_DAY, 'day', KOLKATA)
  const times = [-31, -30, -1, 0, 1, 29, 30, 24 * 60 - 1, 24 * 60, 24 * 60 + 10].map(
    (minutes) => day + minutes * MINUTE
  )
  const queries = await open(t, times)
  const range = {
    from: new Date(day - 24 * HOUR),
    to: new Date(day + 48 * HOUR),
    interval: 'day',
    timeZone: KOLKATA
  } as const
  const expected = [
    [new Date(day - 24 * HOUR).toISOString(), 3],
    [new Date(day).toISOString(), 5],
    [new Date(day + 24 * HOUR).toISOString(), 2]
  ]
  t.same(counted((await queries.series('acme', range)).buckets), expected)
  const activity = await queries.activity('acme', range)
  t.same(counted(activity.groups), expected)
  t.equal(activity.dataSource, 'raw+rollups')
  const whole = await queries.activity('acme', { from: range.from, to: range.to })
  t.equal(whole.groups[0]?.count, times.length)
})

test('weeks start on the Monday of the zone', async (t) => {
  const monday = startOf(LONG_DAY + 30 * HOUR, 'week', LA)
  const queries = await open(t, [monday - HOUR, monday])
  const range = {
    from: new Date(monday - 7 * 24 * HOUR),
    to: new Date(monday + 24 * HOUR),
    interval: 'week',
    timeZone: LA
  } as const
  const expected = [
    [new Date(startOf(monday - HOUR, 'week', LA)).toISOString(), 1],
    [new Date(monday).toISOString(), 1]
  ]
  t.same(counted((await queries.series('acme', range)).buckets), expected)
  t.same(counted((await queries.activity('acme', range)).groups), expected)
})

test('minutes are for ranges up to a day, from rows, more of them than hours of a month', async (t) => {
  const queries = await open(t, [LONG_DAY, LONG_DAY + 30_000, LONG_DAY + MINUTE])
  const range = { from: new Date(LONG_DAY), to: new Date(LONG_DAY + 24 * HOUR) }
  const asked = { ...range, interval: 'minute' } as const
  const expected = [
    [new Date(LONG_DAY).toISOString(), 2],
    [new Date(LONG_DAY + MINUTE).toISOString(), 1]
  ]
  t.same(counted((await queries.series('acme', asked)).buckets), expected)
  t.same(counted((await queries.activity('acme', asked)).groups), expected)
  const longer = { ...asked, to: new Date(LONG_DAY + 26 * HOUR) }
  for (const op of ['series', 'activity', 'issues'] as const) {
    const read: Promise<unknown> = queries[op]('acme', longer)
    await t.rejects(read, { message: /ranges up to a day/ })
  }
})

test('a zone that is unknown is refused by name', async (t) => {
  const queries = await open(t, [])
  const asked = { from: new Date(0), to: new Date(1), timeZone: 'Mars/Olympus' }
  await t.rejects(queries.series('acme', asked), { message: /timeZone must be/, status: 400 })
})
