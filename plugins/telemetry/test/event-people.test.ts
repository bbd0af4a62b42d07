// Funnels, retention and cohorts over events that declare nothing, and a person with the refs that were theirs.
import { testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { QueryError } from '../queries/types.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(Date.now() / DAY) * DAY - 6 * DAY
const range = { from: new Date(START), to: new Date(START + 5 * DAY) }
const REGISTRY = { ...SAMPLE_SPEC, 'cart.filled': { kind: 'event', attrs: ['country'] } } as const

async function open(t: Test) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: REGISTRY as never, connection: db })
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  const did = (name: string, hours: number, user: string, attrs: Record<string, string> = {}) =>
    telemetry.emit(name, {
      tenantId: 'acme',
      occurredAt: START + hours * HOUR,
      subjects: [{ type: 'user', id: user }],
      attrs
    })
  await did('page.viewed', 1, 'ann')
  await did('cart.filled', 2, 'ann', { country: 'BR' })
  await did('order.placed', 30, 'ann')
  await did('cart.filled', 3, 'bob', { country: 'DE' })
  await did('page.viewed', 4, 'bob')
  await did('page.viewed', 5, 'cid')
  await did('page.viewed', 55, 'cid')
  await telemetry.flush()
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

test('a funnel over any events counts in order, in any order, and within a time', async (t) => {
  const { queries } = await open(t)
  const steps = ['page.viewed', 'cart.filled', 'order.placed']
  const counts = async (more: object) => {
    const { people, stages } = await queries.eventFunnel('acme', { ...range, steps, ...more })
    return [people, ...stages.map(({ subjects }) => subjects)]
  }
  t.same(await counts({}), [3, 3, 1, 1])
  t.same(await counts({ order: 'any' }), [3, 3, 2, 1])
  t.same(await counts({ windowMs: DAY }), [3, 3, 1, 0])
  const by = await queries.eventFunnel('acme', {
    ...range,
    steps: ['cart.filled', 'order.placed'],
    by: 'attr:country'
  })
  t.same(
    by.groups?.map(({ value, stages }) => [value, ...stages.map(({ subjects }) => subjects)]),
    [
      ['BR', 1, 1],
      ['DE', 1, 0]
    ]
  )
})

test('what cannot be a funnel is refused', async (t) => {
  const { queries } = await open(t)
  for (const wrong of [
    { steps: [] },
    { steps: ['a', 'a'] },
    { steps: Array.from({ length: 13 }, (_, n) => `e${n}`) },
    { steps: ['a'], order: 'x' },
    { steps: ['a'], windowMs: 0 },
    { steps: ['a'], by: 'x' }
  ])
    await t.rejects(queries.eventFunnel('acme', { ...range, ...wrong } as never), QueryError)
})

test('retention over any events counts who came back', async (t) => {
  const { queries } = await open(t)
  const { cohorts } = await queries.eventRetention('acme', {
    ...range,
    first: 'page.viewed',
    interval: 'day'
  })
  t.match(cohorts, [{ at: new Date(START), subjects: 3, active: [3, 0, 1, 0] }])
})

test('retention of a range in the past counts who came back later, and as many records as a read may', async (t) => {
  const { telemetry, queries } = await open(t)
  const past = { from: range.from, to: new Date(START + 10 * HOUR), first: 'page.viewed' }
  const { cohorts, truncated } = await queries.eventRetention('acme', { ...past, interval: 'day' })
  t.match(cohorts, [{ subjects: 3, active: [3, 0, 1, 0] }])
  t.equal(cohorts.length, 1)
  t.equal(truncated, false)
  const few = createQueries({ telemetry, limits: { distribution: 2 }, cacheMs: 0 })
  const cut = await few.eventRetention('acme', { ...past, interval: 'day' })
  t.match(
    cut.cohorts,
    [{ subjects: 2, active: [1, 0, 1, 0] }],
    'bob and cid began, cid is active by the newest two'
  )
  t.equal(cut.truncated, true)
})

test('what an anonymous person did is of the people whose it was at the time', async (t) => {
  const { db, telemetry, queries } = await open(t)
  for (const hours of [0.5, 61])
    await telemetry.emit('cart.filled', {
      tenantId: 'acme',
      occurredAt: START + hours * HOUR,
      subjects: [{ type: 'anon', id: 'x1' }]
    })
  await telemetry.flush()
  for (const [userRef, hours] of [
    ['user:ann', 1],
    ['user:bob', 60]
  ] as const)
    await db.collection('telemetry_aliases').insertOne({
      _id: userRef as never,
      tenantId: 'acme',
      anonRef: 'anon:x1',
      userRef,
      linkedAt: new Date(START + hours * HOUR)
    })
  const steps = ['cart.filled', 'page.viewed']
  const { people, stages } = await queries.eventFunnel('acme', { ...range, steps })
  t.same([people, ...stages.map(({ subjects }) => subjects)], [2, 2, 2], 'ann begins at first')
  const { cohorts } = await queries.eventRetention('acme', {
    ...range,
    first: 'cart.filled',
    interval: 'day'
  })
  t.match(cohorts, [{ subjects: 2, active: [2, 0, 1, 0] }], 'bob comes back')
})

test('did this, not that, filters any read', async (t) => {
  const { queries } = await open(t)
  const filters = { did: 'cart.filled', didNot: 'order.placed' }
  const { items } = await queries.records('acme', { ...range, filters })
  t.same([...new Set(items.map(({ subject }) => subject))], ['user:bob'])
  const { groups } = await queries.breakdown('acme', {
    ...range,
    by: 'subject',
    filters: { did: 'page.viewed', name: 'page.viewed' }
  })
  t.same(
    groups.map(({ value }) => value),
    ['user:cid', 'user:ann', 'user:bob']
  )
  t.match(
    await queries.records('acme', { ...range, filters: { ...filters, subject: 'user:ann' } }),
    {
      items: []
    }
  )
  await t.rejects(
    queries.series('acme', { ...range, filters: { didNot: 'x' } }),
    /didNot needs did/
  )
})

test('cohorts of more people than a read may hold are refused', async (t) => {
  const { telemetry } = await open(t)
  const few = createQueries({ telemetry, limits: { funnel: 1 }, cacheMs: 0 })
  const asked = { ...range, filters: { did: 'page.viewed' } }
  await t.rejects(few.records('acme', asked), /more than 1 people did that: narrow the range/)
  const short = createQueries({ telemetry, limits: { distribution: 2 }, cacheMs: 0 })
  await t.rejects(short.records('acme', asked), /narrow the range/)
})

test('the filter of a person takes the anonymous past with it', async (t) => {
  const { db, telemetry, queries } = await open(t)
  await telemetry.emit('cart.filled', {
    tenantId: 'acme',
    occurredAt: START + HOUR / 2,
    subjects: [{ type: 'anon', id: 'x1' }]
  })
  await telemetry.flush()
  const subject = { ...range, filters: { subject: 'user:ann' } }
  const before = await queries.records('acme', subject)
  t.equal(before.items.length, 3)
  await db.collection('telemetry_aliases').insertOne({
    _id: 'l1' as never,
    tenantId: 'acme',
    anonRef: 'anon:x1',
    userRef: 'user:ann',
    linkedAt: new Date(START + HOUR)
  })
  for (const scope of ['acme', '*']) {
    const { items } = await queries.records(scope, subject)
    t.equal(items.length, 4, scope)
    t.equal(items.at(-1)?.subject, 'anon:x1')
    const page = await queries.records(scope, { ...subject, limit: 2 })
    const { nextCursor } = page
    const rest = await queries.records(scope, { ...subject, cursor: nextCursor ?? '' })
    t.same(
      [...page.items, ...rest.items].map(({ _id }) => _id),
      items.map(({ _id }) => _id),
      scope
    )
  }
})
