// Families that were declared later or have changed: refused, recounted, and right whatever happens meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { EARLY_SPEC, LATER_SPEC } from './later-registry.ts'
import { differences } from './recount.ts'

const NOW = Date.now()
const DAY = 86_400_000

const open = async (db: Db, registry: RegistrySpec) => {
  const telemetry = createTelemetry({ registry, connection: db, gatherMs: 0 })
  await telemetry.syncIndexes()
  return telemetry
}

type Opened = Awaited<ReturnType<typeof open>>

async function view(telemetry: Opened, n: number, days: number): Promise<void> {
  for (let at = 0; at < n; at++) {
    await telemetry.emit('viewed', {
      tenantId: at % 3 === 0 ? 'globex' : 'acme',
      occurredAt: new Date(NOW - (at % days) * DAY - at),
      subjects: [{ type: 'user', id: `u${at % 7}` }],
      attrs: { path: `/${at % 5}` },
      metrics: { load_ms: at }
    })
  }
  await telemetry.flush()
}

test('a family that is declared later is recounted from rows', async (t) => {
  const { db } = await testDatabase(t)
  await view(await open(db, EARLY_SPEC), 60, 12)
  const later = await open(db, LATER_SPEC)
  t.not((await differences(db, LATER_SPEC)).length, 0)
  const slices: string[] = []
  const done = await later.backfill({
    family: 'views_by_path',
    onProgress: ({ slice }) => slices.push(slice)
  })
  t.match(done, { isDone: true, rows: 60, slices: slices.length })
  t.ok(slices.length >= 12)
  await later.backfill({ family: 'first_view' })
  t.same(await differences(db, LATER_SPEC), [])
  t.match(await later.backfill({ family: 'views_by_path' }), { documents: 0 })
})

test('a backfill that has not ended shows how far it has come', async (t) => {
  const { db } = await testDatabase(t)
  await view(await open(db, EARLY_SPEC), 60, 12)
  const later = await open(db, LATER_SPEC)
  const ending = new AbortController()
  t.same(await later.backfills(), [])
  const { isDone } = await later.backfill({
    family: 'views_by_path',
    signal: ending.signal,
    onProgress: () => ending.abort()
  })
  t.equal(isDone, false)
  const [begun, ...others] = await later.backfills()
  t.match(begun, { family: 'views_by_path', at: Date })
  t.ok(Date.parse(begun?.position ?? '') < NOW)
  t.same(others, [])
  await later.backfill({ family: 'views_by_path' })
  t.same(await later.backfills(), [])
})

test('what is written while a backfill goes on counts once', async (t) => {
  const { db } = await testDatabase(t)
  await view(await open(db, EARLY_SPEC), 60, 6)
  const later = await open(db, LATER_SPEC)
  let isOver = false
  const writing = (async () => {
    while (!isOver) await view(later, 12, 6)
  })()
  for (const family of ['views_by_path', 'first_view']) await later.backfill({ family })
  isOver = true
  await writing
  await view(later, 12, 6)
  t.same(await differences(db, LATER_SPEC), [])
})

test('a backfill that was killed goes on with the slice it was at', async (t) => {
  const { db } = await testDatabase(t)
  await view(await open(db, EARLY_SPEC), 80, 20)
  const later = await open(db, LATER_SPEC)
  const file = fileURLToPath(new URL('./backfill-process.js', import.meta.url))
  const child = spawn(process.execPath, [file, await databaseUri(), db.databaseName])
  const killed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    killed.push(line)
    if (killed.length === 5) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const went: string[] = []
  await later.backfill({ family: 'views_by_path', onProgress: ({ slice }) => went.push(slice) })
  t.ok((went[0] ?? '') > (killed[3] ?? ''), `${went[0]} after ${killed[3]}`)
  await later.backfill({ family: 'first_view' })
  t.same(await differences(db, LATER_SPEC), [])
})

test('what can no longer be counted from rows stays', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = await open(db, LATER_SPEC)
  await view(telemetry, 20, 4)
  const before = await db.collection('telemetry_rollups').find().sort({ _id: 1 }).toArray()
  await db.collection('telemetry').deleteMany({ 'attrs.path': { $in: ['/1', '/2'] } })
  for (const family of ['views_by_path', 'first_view']) await telemetry.backfill({ family })
  t.same(await db.collection('telemetry_rollups').find().sort({ _id: 1 }).toArray(), before)
})

const shaped = (more: object) =>
  ({
    viewed: {
      kind: 'event',
      subjects: ['user'],
      attrs: ['path'],
      metrics: ['load_ms'],
      rollups: [{ as: 'days', by: ['subject'], ...more }]
    }
  }) as RegistrySpec

async function changesTo(t: Test, spec: RegistrySpec): Promise<void> {
  const { db } = await testDatabase(t)
  await view(await open(db, shaped({ bucket: 'day' })), 30, 10)
  await t.rejects(open(db, spec), {
    code: 'TEL_FAMILY_CHANGED',
    message: /days/,
    remedy: /keelson telemetry backfill --family/
  })
  const changed = createTelemetry({ registry: spec, connection: db, gatherMs: 0 })
  t.match(await changed.backfill({ family: 'days' }), { isDone: true, rows: 30 })
  await changed.syncIndexes()
  t.same(await differences(db, spec), [])
}

test('a family that changes its bucket is refused at start, and recounted', async (t) => {
  await changesTo(t, shaped({ bucket: 'week' }))
})

test('a family that changes to one without bucket is refused at start, and recounted', async (t) => {
  await changesTo(t, shaped({}))
})

test('a family that changes its dimensions is refused at start, and recounted', async (t) => {
  await changesTo(t, shaped({ by: ['attr:path'], bucket: 'day' }))
})

test('a backfill says what cannot be', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = await open(db, LATER_SPEC)
  for (const options of [{ family: 'none' }, { family: 'first_view', from: new Date(0) }]) {
    await t.rejects(telemetry.backfill(options), { code: 'TEL_BACKFILL_INVALID' })
  }
})
