// Who is who: which links a key may make, and what follows them.
import { randomUUID } from 'node:crypto'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { batch, openWire, SHOP } from './wire.ts'

const identify = (anonRef: string, userRef: string, more: object = {}) => ({
  _id: randomUUID(),
  name: '$identify',
  anonRef,
  userRef,
  ...more
})
const NOW = Date.now()
const HOUR = 3_600_000
const range = { from: new Date(NOW - 24 * HOUR), to: new Date(NOW + HOUR) }
const at = (hoursAgo: number) => new Date(NOW - hoursAgo * HOUR).toISOString()
const OPTIONS = { pepper: 'p' }

test('a publishable key links only an anonymous ref with a known one', async (t) => {
  const { mint, post, db, telemetry } = await openWire(t)
  const key = await mint({ kind: 'publishable', origins: [SHOP] })
  const pairs = [
    ['user:bob', 'user:mallory'],
    ['anon:1', 'device:2'],
    ['user:bob', 'anon:1']
  ] as const
  for (const [anonRef, userRef] of pairs) {
    t.same((await post(key, batch(identify(anonRef, userRef)))).json, { accepted: 0, rejected: 1 })
  }
  t.equal(await db.collection('telemetry_aliases').countDocuments(), 0)
  t.match((await telemetry.quarantine('acme'))[0]?.reason, /must link an anonymous anonRef/)
  t.same((await post(key, batch(identify('anon:1', 'user:bob')))).json, {
    accepted: 1,
    rejected: 0
  })
  const secret = await mint()
  const known = identify('user:old', 'user:new')
  t.same((await post(secret, batch(known))).json, { accepted: 1, rejected: 0 })
})

test('which types are anonymous is the choice of the host', async (t) => {
  const { mint, post } = await openWire(t, {}, { identity: { anonymousTypes: ['visitor'] } })
  const key = await mint({ kind: 'publishable' })
  const records = [identify('visitor:1', 'user:bob'), identify('anon:1', 'user:bob')]
  t.same((await post(key, batch(...records))).json, { accepted: 1, rejected: 1 })
})

test('a key that lists its names must list $identify', async (t) => {
  const { mint, post } = await openWire(t)
  const link = () => batch(identify('anon:1', 'user:bob'))
  const narrow = await mint({ kind: 'publishable', allowedNames: ['page.viewed'] })
  t.same((await post(narrow, link())).json, { accepted: 0, rejected: 1 })
  const wide = await mint({ kind: 'publishable', allowedNames: ['page.viewed', '$identify'] })
  t.same((await post(wide, link())).json, { accepted: 1, rejected: 0 })
})

test('a link that is sent again is the same link', async (t) => {
  const { mint, post, db } = await openWire(t)
  const key = await mint()
  const link = identify('device:tablet', 'user:ann', { occurredAt: at(3) })
  await post(key, { sentAt: new Date(NOW).toISOString(), records: [link] })
  await post(key, batch(identify('device:tablet', 'user:bob', { occurredAt: at(2) })))
  await post(key, { sentAt: new Date(NOW + 50).toISOString(), records: [link] })
  t.equal(await db.collection('telemetry_aliases').countDocuments(), 2)
})

const DEVICE = [{ type: 'device', id: 'tablet-1' }]
/** One device: Ann until three hours ago, then Bob. */
async function openShared(t: Parameters<typeof openWire>[0]) {
  const registry = {
    'device.seen': {
      kind: 'event',
      subjects: ['device'],
      attrs: ['path'],
      metrics: ['load_ms'],
      rollups: [
        { as: 'device_first', by: ['subject'], sum: ['load_ms'], capture: ['attr:path'] },
        { as: 'device_hours', by: ['subject'], bucket: 'hour' }
      ]
    }
  } as const
  const wire = await openWire(t, {}, { ...OPTIONS, registry })
  const key = await wire.mint()
  const device = (hoursAgo: number, path: string) => ({
    _id: randomUUID(),
    name: 'device.seen',
    subjects: DEVICE,
    occurredAt: at(hoursAgo),
    attrs: { path },
    metrics: { load_ms: hoursAgo }
  })
  await wire.post(
    key,
    batch(
      device(6, '/ann-before'),
      identify('device:tablet-1', 'user:ann', { occurredAt: at(5) }),
      device(4, '/ann'),
      identify('device:tablet-1', 'user:bob', { occurredAt: at(3) }),
      device(2, '/bob'),
      device(1, '/bob-again')
    )
  )
  return { ...wire, queries: createQueries({ telemetry: wire.telemetry, cacheMs: 0 }) }
}

const pathsOf = (records: readonly { attrs: Readonly<Record<string, string>> }[]) =>
  records.map(({ attrs }) => attrs['path'])

test('a journey holds what anonymous refs did while they were the person', async (t) => {
  const { queries } = await openShared(t)
  const ann = await queries.journey('acme', { ...range, ref: 'user:ann' })
  t.same(pathsOf(ann.records), ['/ann', '/ann-before'])
  t.same(
    ann.milestones.map(({ as }) => as),
    ['device_first']
  )
  const bob = await queries.journey('*', { ...range, ref: 'user:bob' })
  t.same(pathsOf(bob.records), ['/bob-again', '/bob'])
  t.same(bob.milestones, [])
})

test('erasing one of two people of a device leaves the other alone', async (t) => {
  const { telemetry, queries, db } = await openShared(t)
  const receipt = await telemetry.forget('acme', 'user:ann')
  t.match(receipt, { deleted: 2, linked: [{ ref: 'device:tablet-1', from: null, to: Date }] })
  t.same(new Set(Object.values(receipt.remaining)), new Set([0]))
  t.same(pathsOf((await queries.journey('acme', { ...range, ref: 'user:bob' })).records), [
    '/bob-again',
    '/bob'
  ])
  t.equal(await db.collection('telemetry').countDocuments(), 2)
  const { rows } = await queries.rollups('acme', { as: 'device_first', sort: 'firstAt' })
  t.match(
    rows.map(({ dims, count, sums, firstCapture }) => ({ dims, count, sums, firstCapture })),
    [
      { dims: [/^device:redacted_/], count: 2, sums: { load_ms: 10 } },
      { dims: ['device:tablet-1'], count: 2, sums: { load_ms: 3 } }
    ]
  )
  t.same(rows[1]?.firstAt, new Date(at(2)))
  t.notMatch(JSON.stringify(await db.collection('telemetry_rollups').find().toArray()), /ann/)
  const hours = await queries.rollups('acme', { as: 'device_hours' })
  t.match(
    hours.rows.map(({ dims }) => dims[0]),
    [/redacted/, /redacted/, /tablet/, /tablet/]
  )
})

test('erasing both people of a device leaves nothing of it', async (t) => {
  const { telemetry, db } = await openShared(t)
  await telemetry.forget('acme', 'user:bob')
  const receipt = await telemetry.forget('acme', 'user:ann')
  t.same(new Set(Object.values(receipt.remaining)), new Set([0]))
  t.equal(await db.collection('telemetry').countDocuments(), 0)
  const rollups = await db.collection('telemetry_rollups').find({ as: 'device_first' }).toArray()
  t.match(rollups, [{ dims: [/redacted/], count: 4 }])
  t.equal(await db.collection('telemetry_aliases').countDocuments(), 0)
})

const VISITORS = {
  'site.visited': {
    kind: 'event',
    rollups: [
      { as: 'visited', by: ['subject'], subjects: ['anon', 'user'] },
      { as: 'visits', by: ['subject'], subjects: ['anon', 'user'], bucket: 'hour' }
    ]
  },
  'account.made': {
    kind: 'event',
    subjects: ['user'],
    rollups: [{ as: 'made', by: ['subject'] }]
  }
} as const

async function openVisits(t: Parameters<typeof openWire>[0]) {
  // At the moment that the visits count from, so that no day begins in between.
  const clock = { now: () => new Date(NOW) }
  const { mint, post, telemetry } = await openWire(t, {}, { registry: VISITORS, clock })
  const key = await mint()
  const seen = (name: string) => (ref: string, hoursAgo: number) => {
    const [type = '', id = ''] = ref.split(':')
    return { _id: randomUUID(), name, subjects: [{ type, id }], occurredAt: at(hoursAgo) }
  }
  const [visit, made] = [seen('site.visited'), seen('account.made')]
  const link = (anonRef: string, userRef: string, hoursAgo: number) =>
    identify(anonRef, userRef, { occurredAt: at(hoursAgo) })
  return {
    queries: createQueries({ telemetry, cacheMs: 0 }),
    visit,
    made,
    link,
    send: (...records: object[]) => post(key, batch(...records))
  }
}

test('distinct counts follow links: a visitor and the person it turned out to be are one', async (t) => {
  const { queries, send, visit, link } = await openVisits(t)
  await send(
    visit('anon:a1', 30),
    visit('anon:a1', 5),
    link('anon:a1', 'user:ann', 4),
    visit('user:ann', 4.5),
    visit('anon:a2', 5),
    visit('anon:a3', 3),
    link('anon:a3', 'user:ann', 2.5),
    link('anon:a1', 'user:bob', 2),
    visit('anon:a1', 1)
  )
  for (const scope of ['acme', '*']) {
    const from = new Date(NOW - 48 * HOUR)
    const days = { as: 'visits', from, to: range.to, interval: 'month' } as const
    t.equal((await queries.distinctCount(scope, days)).distinct, 3, 'Ann, Bob and a stranger')
    const { buckets } = await queries.distinctCount(scope, { ...days, interval: 'hour' })
    t.equal(Math.max(...buckets.map(({ value }) => value)), 2)
    t.equal(buckets[0]?.value, 1)
  }
})

test('retention follows links: later visits without a session count for the person', async (t) => {
  const { queries, send, visit, made, link } = await openVisits(t)
  const daysAgo = (days: number) => days * 24
  await send(
    made('user:ann', daysAgo(9)),
    link('anon:phone', 'user:ann', daysAgo(8)),
    visit('anon:phone', daysAgo(5)),
    visit('user:ann', daysAgo(5)),
    link('anon:phone', 'user:bob', daysAgo(4)),
    visit('anon:phone', daysAgo(3))
  )
  const active = async (anchor: string) => {
    const from = new Date(NOW - 10 * 24 * HOUR)
    const asked = { from, to: range.to, anchor, activity: 'visits', interval: 'day' } as const
    const { cohorts } = await queries.retention('acme', asked)
    return cohorts.map(({ subjects, active }) => [subjects, active.join('')])
  }
  t.same(await active('made'), [[1, '0000100000']])
  const visited = await active('visited')
  t.same(
    visited.map(([subjects]) => subjects),
    [1],
    'the first visit of both refs is that of one person'
  )
})

test('a stage counts that a person reached as a visitor of another device', async (t) => {
  const { queries, send, visit, made, link } = await openVisits(t)
  await send(made('user:ann', 6), visit('anon:phone', 5), link('anon:phone', 'user:ann', 4))
  const { stages } = await queries.funnel('acme', { ...range, stages: ['made', 'visited'] })
  t.same(
    stages.map(({ subjects }) => subjects),
    [1, 1]
  )
})

test('people of a funnel are known by the ref that a visitor turned out to be', async (t) => {
  const registry = {
    'site.visited': {
      kind: 'event',
      rollups: [{ as: 'visited', by: ['subject'], subjects: ['anon', 'user'] }]
    },
    'account.made': {
      kind: 'event',
      subjects: ['user'],
      rollups: [{ as: 'made', by: ['subject'] }]
    }
  } as const
  const { mint, post, telemetry } = await openWire(t, {}, { registry })
  const key = await mint()
  const visit = (id: string) => ({
    _id: randomUUID(),
    name: 'site.visited',
    subjects: [{ type: 'anon', id }],
    occurredAt: at(5)
  })
  await post(
    key,
    batch(visit('a1'), visit('a2'), identify('anon:a1', 'user:ann'), {
      _id: randomUUID(),
      name: 'account.made',
      subjects: [{ type: 'user', id: 'ann' }]
    })
  )
  const queries = createQueries({ telemetry })
  const stages = ['visited', 'made']
  const people = async (outcome: 'reached' | 'missed') =>
    (await queries.funnelPeople('acme', { ...range, stages, stage: 'made', outcome })).people.map(
      ({ ref }) => ref
    )
  t.same(await people('reached'), ['user:ann'])
  t.same(await people('missed'), ['anon:a2'])
  const { stages: numbers } = await queries.funnel('acme', { ...range, stages })
  t.same(
    numbers.map(({ subjects }) => subjects),
    [2, 1]
  )
})
