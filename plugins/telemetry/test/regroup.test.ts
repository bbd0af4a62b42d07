// Stored errors are grouped by the rule of today: rows, segments and rollups, whatever happens meanwhile.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { fingerprintOf } from '../envelope/fingerprint.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { differences } from './recount.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY
const RANGE = { from: new Date(NOW - 20 * DAY), to: new Date(NOW + DAY) }

const SPEC = {
  'app.error': {
    kind: 'error' as const,
    attrs: ['code'],
    rollups: [
      {
        as: 'issues',
        by: ['field:error.fingerprint'],
        capture: ['field:error.type', 'field:error.message']
      },
      { as: 'issues_daily', by: ['field:error.fingerprint'], bucket: 'day' as const },
      {
        as: 'first_errors',
        by: ['field:error.type'],
        capture: ['field:error.fingerprint', 'field:error.message']
      }
    ]
  }
}

/** As a former rule made it. */
const former = (digit: string) => digit.repeat(16)

const frames = (fn: string) => [{ filename: '/app/cart.js', fn, inApp: true }]
const madeOf = (fn: string, type = 'TypeError') => fingerprintOf(type, '', frames(fn))

const error = (
  daysAgo: number,
  fingerprint: string,
  fn: string,
  more: Partial<EmitRecord> = {}
): EmitRecord => ({
  tenantId: 'acme',
  occurredAt: NOW - daysAgo * DAY,
  error: { type: 'TypeError', message: `of ${daysAgo}`, fingerprint, frames: frames(fn) },
  ...more
})

/** `a` and `b` are one bug; `c` holds two; `named` is the sender's own. */
const ERRORS: readonly EmitRecord[] = [
  error(9, former('a'), 'pay', { traceId: 'first-of-pay' }),
  error(8, former('a'), 'pay'),
  error(7, former('b'), 'pay'),
  error(6, former('c'), 'ship', { traceId: 'first-of-ship' }),
  error(5, former('c'), 'pack'),
  error(4, former('c'), 'ship'),
  error(3, 'named', 'pay'),
  error(2, madeOf('pack'), 'pack'),
  error(2, former('a'), 'pay', { tenantId: 'globex' })
]

const open = (db: Db, more: object = {}) =>
  createTelemetry({
    registry: SPEC,
    connection: db,
    pepper: 'p',
    clock: { now: () => new Date(NOW) },
    ...more
  })

async function filled(t: Test, more: object = {}) {
  const { db } = await testDatabase(t)
  const telemetry = open(db, more)
  await telemetry.syncIndexes()
  for (const record of ERRORS) await telemetry.emit('app.error', record)
  await telemetry.flush()
  t.teardown(() => telemetry.close())
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

type Filled = Awaited<ReturnType<typeof filled>>

async function issuesOf({ queries }: Filled, scope = 'acme') {
  const { issues } = await queries.issues(scope, RANGE)
  return Object.fromEntries(issues.map(({ fingerprint, total }) => [fingerprint, total]))
}

const SHOULD_BE = { [madeOf('pay')]: 3, [madeOf('ship')]: 2, [madeOf('pack')]: 2, named: 1 }
const RESULT = {
  records: 9,
  moved: 7,
  issuesBefore: 6,
  issuesAfter: 5,
  merged: 4,
  split: 1,
  tenants: 2,
  isDone: true
}

test('issues are merged and split, and rollups are a recount of the rows', async (t) => {
  const all = await filled(t)
  t.same(await all.telemetry.regroup(), RESULT)
  t.same(await issuesOf(all), SHOULD_BE)
  t.same(await issuesOf(all, 'globex'), { [madeOf('pay')]: 1 })
  t.same(await differences(all.db, SPEC), [])
  const { issues } = await all.queries.issues('acme', RANGE)
  const pay = issues.find(({ fingerprint }) => fingerprint === madeOf('pay'))
  t.match(pay, { message: 'of 9', firstTraceId: 'first-of-pay', firstAt: new Date(NOW - 9 * DAY) })
  t.match(await all.telemetry.regroup(), { moved: 0, merged: 0, split: 0 })
  t.equal(await all.db.collection('telemetry_checkpoints').countDocuments({ _id: /regroup/ }), 0)
})

test('a dry run says what would change, and changes nothing', async (t) => {
  const all = await filled(t)
  const before = await issuesOf(all)
  t.same(await all.telemetry.regroup({ dryRun: true }), RESULT)
  t.same(await issuesOf(all), before)
  t.same(await differences(all.db, SPEC), [])
})

test('one tenant alone is regrouped where it is asked', async (t) => {
  const all = await filled(t)
  t.match(await all.telemetry.regroup({ tenantId: 'globex' }), { records: 1, tenants: 1 })
  t.same(await issuesOf(all, 'globex'), { [madeOf('pay')]: 1 })
  t.equal((await issuesOf(all))[former('a')], 2)
})

test('a run that was ended goes on, while errors are written', async (t) => {
  const all = await filled(t)
  const ending = new AbortController()
  const begun = await all.telemetry.regroup({
    signal: ending.signal,
    onProgress: () => ending.abort()
  })
  t.equal(begun.isDone, false)
  await all.telemetry.emit('app.error', error(1, former('b'), 'pay'))
  await all.telemetry.flush()
  t.match(await all.telemetry.regroup(), { isDone: true })
  t.same(await issuesOf(all), { ...SHOULD_BE, [madeOf('pay')]: 4 })
  t.same(await differences(all.db, SPEC), [])
})

test('what expired records have counted goes with the oldest record that is left', async (t) => {
  const all = await filled(t)
  const rows = all.db.collection('telemetry')
  await rows.deleteMany({ 'error.message': { $in: ['of 9', 'of 6'] } })
  await all.telemetry.regroup()
  // The one of ship that is gone goes with pack, whose record is the oldest of the former issue.
  t.same(await issuesOf(all), { ...SHOULD_BE, [madeOf('ship')]: 1, [madeOf('pack')]: 3 })
  const { issues } = await all.queries.issues('acme', RANGE)
  t.match(
    issues.find(({ fingerprint }) => fingerprint === madeOf('pay')),
    { firstAt: new Date(NOW - 9 * DAY), firstTraceId: 'first-of-pay' }
  )
})

test('errors of erased people and of senders who name their issues stay', async (t) => {
  const all = await filled(t)
  const actor = 'user:u1'
  await all.telemetry.emit('app.error', error(1, former('d'), 'pay', { actor }))
  await all.telemetry.flush()
  await all.telemetry.forget('acme', actor)
  await all.telemetry.regroup()
  t.same(await issuesOf(all), { ...SHOULD_BE, [former('d')]: 1 })
})

test('an issue that keeps some of its records begins with the first of them', async (t) => {
  const all = await filled(t)
  const kept = madeOf('keep')
  await all.telemetry.emit('app.error', error(12, kept, 'lose', { traceId: 'lost' }))
  await all.telemetry.emit('app.error', error(11, kept, 'keep', { traceId: 'kept' }))
  await all.telemetry.emit('app.error', error(10, kept, 'lose'))
  await all.telemetry.flush()
  await all.telemetry.regroup()
  t.same(await differences(all.db, SPEC), [])
})

test('sealed errors are regrouped, and sealed again', async (t) => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'regroup-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const all = await filled(t, { history: { enabled: true, cacheDir, threads: 1 } })
  await all.telemetry.seal({ before: new Date(NOW - 5 * DAY) })
  t.same(await all.telemetry.regroup({ dryRun: true }), RESULT)
  t.same(await all.telemetry.regroup(), RESULT)
  t.same(await issuesOf(all), SHOULD_BE)
  const counted = await all.queries.issues('acme', { ...RANGE, interval: 'day' })
  t.same(
    Object.fromEntries(counted.issues.map(({ fingerprint, count }) => [fingerprint, count])),
    SHOULD_BE
  )
  await all.telemetry.seal({ before: new Date(NOW - 5 * DAY) })
  t.match(await all.telemetry.regroup(), { records: 9, moved: 0 })
  t.same(await issuesOf(all), SHOULD_BE)
})

test('a stack trace that was not read when it came is read', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = open(db, { registry: {} })
  await telemetry.syncIndexes()
  t.teardown(() => telemetry.close())
  const body = (name: string) =>
    `Traceback (most recent call last):\n  File "/srv/shop.py", line 7, in total\n    return prices[name]\nKeyError: '${name}'`
  for (const [at, name] of ['ada', 'bob'].entries()) {
    await telemetry.emit('otlp.exception', {
      tenantId: 'acme',
      error: { type: 'KeyError', message: name, fingerprint: former(String(at)) },
      body: body(name)
    })
  }
  await telemetry.flush()
  t.match(await telemetry.regroup(), { moved: 2, issuesAfter: 1, merged: 2 })
  const row = await db.collection('telemetry').findOne({})
  t.match(row?.['error'].frames, [{ filename: '/srv/shop.py', fn: 'total' }])
})

test('alert rules and saved views of a former issue follow it', async (t) => {
  const all = await filled(t)
  const admin = { tenantId: 'acme', role: 'admin' as const, viewerRef: 'user:v' }
  await all.telemetry.alerts.save(admin, {
    name: 'Pay',
    signal: { source: 'series', filters: { fingerprint: former('a') } },
    condition: { type: 'threshold', op: 'above', value: 1 },
    windowMinutes: 60
  })
  const views = all.db.collection<{ _id: string; tenantId: string; query: string }>(
    'telemetry_views'
  )
  const query = JSON.stringify({ fingerprint: former('b') })
  await views.insertOne({ _id: 'v', tenantId: 'acme', query })
  await all.telemetry.regroup()
  const { rules } = await all.telemetry.alerts.list(admin)
  t.match(rules, [{ signal: { filters: { fingerprint: madeOf('pay') } }, state: 'ok' }])
  t.match(await views.findOne({}), { query: JSON.stringify({ fingerprint: madeOf('pay') }) })
})
