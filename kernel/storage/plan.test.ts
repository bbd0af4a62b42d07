// Plan and apply on a real database: what is printed, what is done, and that a second plan is empty.
import type { Manifest, ManifestCollection } from '@keelson/sdk'
import { readIndexes } from '@keelson/sdk/storage'
import { type Test, test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { systemClock } from '../system-clock.ts'
import type { MigrationCode } from './migrate.ts'
import { applyPlan, type PlannedPlugin, type PlanStep, planStorage } from './plan.ts'
import { openTestDatabase, reopen, type TestDatabase } from './testing/test-database.ts'

const manifest = (more: Partial<Manifest> = {}): Manifest => ({
  manifestVersion: 1,
  id: 'alpha',
  name: 'Alpha',
  version: '1.0.0',
  kernel: '*',
  description: 'For tests.',
  license: 'MIT',
  ...more
})

const items = (fields: readonly string[], more: Partial<ManifestCollection> = {}) => ({
  name: 'alpha_items',
  indexes: fields.map((field) => ({ name: `by_${field}`, keys: { [field]: 1 as const } })),
  ...more
})

const plugin = (more: Partial<Manifest>, migrations: MigrationCode = {}): PlannedPlugin => ({
  manifest: manifest(more),
  migrations
})

const withItems = (...fields: string[]) => plugin({ collections: [items(fields)] })

const words = (steps: readonly PlanStep[]) =>
  steps.map(({ action, collection, index, migration }) =>
    [action, migration ?? collection, index].filter(Boolean).join(' ')
  )

async function plan({ db }: TestDatabase, ...plugins: PlannedPlugin[]) {
  return words((await planStorage(db, plugins)).steps)
}

async function apply({ db }: TestDatabase, ...plugins: PlannedPlugin[]) {
  const found = await planStorage(db, plugins)
  await applyPlan(db, found, {
    log: silentLog,
    clock: systemClock,
    signal: new AbortController().signal
  })
}

const names = async ({ db }: TestDatabase, collection = 'alpha_items') =>
  (await readIndexes(db, collection)).map((index) => index.name).sort()

test('on an empty database, collections and indexes are to be made, and nothing is made', async (t) => {
  const database = await openTestDatabase(t)
  t.same(await plan(database, withItems('a', 'b')), [
    'create alpha_items',
    'create alpha_items by_a',
    'create alpha_items by_b'
  ])
  t.same(await database.db.listCollections().toArray(), [])
})

test('after apply a plan is empty and the indexes are as declared', async (t) => {
  const database = await openTestDatabase(t)
  const declared = plugin({
    collections: [
      {
        name: 'alpha_items',
        indexes: [
          { name: 'by_key', keys: { key: 1, at: -1 }, unique: true },
          { name: 'by_at', keys: { at: 1 }, ttlSeconds: 3600 },
          { name: 'by_open', keys: { state: 1 }, partial: { state: 'open' } },
          { name: 'by_tag', keys: { tag: 1 }, sparse: true }
        ]
      },
      { name: 'alpha_notes', indexes: [] }
    ]
  })
  await apply(database, declared)
  t.same(await plan(database, declared), [])
  const indexes = await readIndexes(database.db, 'alpha_items')
  const named = (name: string) => indexes.find((index) => index.name === name)
  t.match(named('by_key'), { key: { key: 1, at: -1 }, unique: true })
  t.match(named('by_at'), { expireAfterSeconds: 3600 })
  t.match(named('by_open'), { partialFilterExpression: { state: 'open' } })
  t.match(named('by_tag'), { sparse: true })
})

const version = (of: string, ...fields: string[]) =>
  plugin({ version: of, collections: [items(fields)] })

test('an index that is no longer declared is hidden by one version and dropped by the next', async (t) => {
  const database = await openTestDatabase(t)
  await apply(database, version('1.0.0', 'a', 'b'))
  t.same(await plan(database, version('2.0.0', 'a')), ['hide alpha_items by_b'])
  await apply(database, version('2.0.0', 'a'))
  t.same(await names(database), ['_id_', 'by_a', 'by_b'])
  t.same(await plan(database, version('2.0.0', 'a')), [], 'another process of this version')
  t.same(await plan(database, version('2.1.0', 'a')), ['drop alpha_items by_b'])
  await apply(database, version('2.1.0', 'a'))
  t.same(await names(database), ['_id_', 'by_a'])
  t.same(await plan(database, version('2.1.0', 'a')), [])
})

test('versions roll forward and back under traffic, and none takes back what another made', async (t) => {
  const database = await openTestDatabase(t)
  const rows = database.db.collection('alpha_items')
  const declare = (of: string, keys: Record<string, 1 | -1>) =>
    plugin({
      version: of,
      collections: [{ name: 'alpha_items', indexes: [{ name: 'by_day', keys }] }]
    })
  const first = declare('1.0.0', { day: 1 })
  const second = declare('2.0.0', { day: 1, of: 1 })
  const served = async (filter: object) => {
    const { queryPlanner } = await rows.find(filter).explain()
    return JSON.stringify(queryPlanner.winningPlan).includes('IXSCAN')
  }
  let isOver = false
  const failures: unknown[] = []
  const traffic = (async () => {
    for (let day = 0; !isOver; day++) {
      await rows.insertOne({ day, of: 'a' }).catch((error) => failures.push(error))
      await rows.findOne({ day }).catch((error) => failures.push(error))
    }
  })()
  const seen: string[][] = []
  for (const start of [first, second, first, second, first]) {
    await apply(database, start)
    seen.push(await names(database))
    t.ok(await served({ day: 1 }), `queries of both versions after ${start.manifest.version}`)
    t.same(await plan(database, start), [], 'a second process of it has nothing to do')
  }
  isOver = true
  await traffic
  t.same(failures, [])
  t.match(seen[1], ['_id_', 'by_day', /^by_day~/])
  t.same(seen.slice(1), [seen[1], seen[1], seen[1], seen[1]], 'both indexes stay while both run')
  t.match((await planStorage(database.db, [first])).newer, [
    { plugin: 'alpha', collection: 'alpha_items', version: '2.0.0' }
  ])
  await apply(database, second)
  await apply(database, declare('2.1.0', { day: 1, of: 1 }))
  t.match(await names(database), ['_id_', /^by_day~/], 'the version after drops the old one')
})

test('a hidden index that is declared again is shown again', async (t) => {
  const database = await openTestDatabase(t)
  await apply(database, withItems('a', 'b'))
  await apply(database, withItems('a'))
  t.same(await plan(database, withItems('a', 'b')), ['modify alpha_items by_b'])
  await apply(database, withItems('a', 'b'))
  t.same(await plan(database, withItems('a', 'b')), [])
  t.equal(
    (await readIndexes(database.db, 'alpha_items')).some((index) => index.hidden),
    false
  )
})

test('a changed definition and a changed time limit are in force after one apply', async (t) => {
  const database = await openTestDatabase(t)
  const declare = (direction: 1 | -1, ttlSeconds: number) =>
    plugin({
      version: direction === 1 ? '1.0.0' : '2.0.0',
      collections: [
        {
          name: 'alpha_items',
          indexes: [
            { name: 'by_a', keys: { a: direction } },
            { name: 'by_at', keys: { at: 1 }, ttlSeconds }
          ]
        }
      ]
    })
  await apply(database, declare(1, 60))
  const { steps } = await planStorage(database.db, [declare(-1, 120)])
  t.match(steps, [
    { action: 'create', index: /^by_a~/, definition: { keys: { a: -1 } } },
    { action: 'modify', index: 'by_at', definition: { ttlSeconds: 120 }, wasSeconds: 60 },
    { action: 'hide', index: 'by_a' }
  ])
  const before = database.commands.length
  await apply(database, declare(-1, 120))
  const commands = database.commands.slice(before).map(({ command }) => command)
  t.ok(commands.indexOf('createIndexes') < commands.lastIndexOf('collMod'))
  t.same(await plan(database, declare(-1, 120)), [])
  const indexes = await readIndexes(database.db, 'alpha_items')
  t.same(
    indexes.filter(({ name }) => name.startsWith('by_a~')).map(({ key }) => key),
    [{ a: -1 }]
  )
  t.ok(indexes.find(({ name }) => name === 'by_a')?.hidden, 'dropped by the next version')
  t.equal(indexes.find((index) => index.name === 'by_at')?.expireAfterSeconds, 120)
})

test('an index that cannot become unique is left as it was', async (t) => {
  const database = await openTestDatabase(t)
  const declare = (more: object) =>
    plugin({
      collections: [{ name: 'alpha_items', indexes: [{ name: 'by_a', keys: { a: 1 }, ...more }] }]
    })
  await apply(database, declare({}))
  await database.db.collection('alpha_items').insertMany([{ a: 1 }, { a: 1 }])
  await t.rejects(apply(database, declare({ unique: true })), { code: 'KRN_INDEX_NOT_UNIQUE' })
  t.same(await names(database), ['_id_', 'by_a'])
  await database.db.collection('alpha_items').deleteOne({ a: 1 })
  await apply(database, declare({ unique: true }))
  const indexes = await readIndexes(database.db, 'alpha_items')
  t.match(
    indexes.find(({ name }) => name.startsWith('by_a~')),
    { unique: true }
  )
})

test('over the budget nothing is asked of the database', async (t) => {
  const database = await openTestDatabase(t)
  const before = database.commands.length
  await t.rejects(plan(database, withItems('a', 'b', 'c', 'd', 'e', 'f', 'g')), {
    code: 'KRN_INDEX_COUNT',
    plugin: 'alpha',
    message: /alpha_items.*may: 7, .*budget of 6/
  })
  t.equal(database.commands.length, before)
})

test('budgets that could come to more than 64 indexes are refused', async (t) => {
  const database = await openTestDatabase(t)
  const roomy = items([], { indexBudget: 63 })
  t.same(await plan(database, plugin({ collections: [roomy] })), ['create alpha_items'])
  const queues = [{ name: 'work', collection: 'alpha_items' }]
  await t.rejects(plan(database, plugin({ collections: [roomy], queues })), {
    code: 'KRN_INDEX_CAP',
    message: /65 indexes/
  })
})

test('a collection of the kernel itself cannot be declared', async (t) => {
  const database = await openTestDatabase(t)
  const collections = [{ name: 'keelson_jobs', indexes: [] }]
  await t.rejects(plan(database, plugin({ collections })), { code: 'KRN_COLLECTION_RESERVED' })
})

test('one index declared twice is refused', async (t) => {
  const database = await openTestDatabase(t)
  await t.rejects(plan(database, withItems('a', 'a')), {
    code: 'KRN_DUPLICATE',
    message: /by_a/
  })
})

test('a queue gives its collection an index, outside the budget', async (t) => {
  const database = await openTestDatabase(t)
  const queues = [{ name: 'work', collection: 'alpha_items' }]
  const full = plugin({ collections: [items(['a', 'b', 'c', 'd', 'e', 'f'])], queues })
  t.match((await plan(database, full)).at(-1), 'create alpha_items keelson_due')
  await apply(database, full)
  t.same(await plan(database, full), [])
})

test('two queues on one collection are refused', async (t) => {
  const database = await openTestDatabase(t)
  const queues = [
    { name: 'one', collection: 'alpha_items' },
    { name: 'two', collection: 'alpha_items' }
  ]
  await t.rejects(plan(database, plugin({ collections: [items([])], queues })), {
    code: 'KRN_QUEUE_SHARED'
  })
})

test('two queues may share a collection whose items they tell apart, with one index for both', async (t) => {
  const database = await openTestDatabase(t)
  const queues = [
    { name: 'one', collection: 'alpha_items', where: { lane: 'fast' } },
    { name: 'two', collection: 'alpha_items', where: { lane: 'slow' } }
  ]
  const shared = plugin({ collections: [items([])], queues })
  t.same(
    (await plan(database, shared)).filter((step) => step.includes('keelson_due')),
    ['create alpha_items keelson_due_lane']
  )
})

test('an index made by hand is reported and never touched', async (t) => {
  const database = await openTestDatabase(t)
  await apply(database, withItems('a'))
  await database.db.collection('alpha_items').createIndex({ mine: 1 }, { name: 'mine' })
  const found = await planStorage(database.db, [withItems('a')])
  t.same(found.steps, [])
  t.same(found.strangers, [{ plugin: 'alpha', collection: 'alpha_items', index: 'mine' }])
  await apply(database, withItems('a', 'b'))
  t.ok((await names(database)).includes('mine'))
})

test('an index made by hand that conflicts is a refusal that names it', async (t) => {
  const database = await openTestDatabase(t)
  await database.db.collection('alpha_items').createIndex({ other: 1 }, { name: 'by_a' })
  await t.rejects(plan(database, withItems('a')), {
    code: 'KRN_INDEX_CONFLICT',
    message: /by_a.*alpha_items/
  })
})

test('indexes that were there before the kernel are taken over when they are as declared', async (t) => {
  const database = await openTestDatabase(t)
  await database.db.collection('alpha_items').createIndex({ a: 1 }, { name: 'by_a' })
  t.same(await plan(database, withItems('a')), [])
  await apply(database, withItems('a'))
  t.same(await plan(database, withItems()), ['hide alpha_items by_a'])
})

test('documents that break a unique index are an error that says so', async (t) => {
  const database = await openTestDatabase(t)
  await database.db.collection('alpha_items').insertMany([{ key: 1 }, { key: 1 }])
  const unique = plugin({
    collections: [
      { name: 'alpha_items', indexes: [{ name: 'by_key', keys: { key: 1 }, unique: true }] }
    ]
  })
  await t.rejects(apply(database, unique), { code: 'KRN_INDEX_NOT_UNIQUE', plugin: 'alpha' })
})

test('hosts that start at the same time do not fight', async (t) => {
  const database = await openTestDatabase(t)
  const others = await Promise.all([1, 2, 3].map(() => reopen(t, database)))
  const declared = withItems('a', 'b', 'c')
  await Promise.all([database, ...others].map((each) => apply(each, declared)))
  t.same(await plan(database, declared), [])
})

test('only the plugin that was asked for is applied', async (t) => {
  const database = await openTestDatabase(t)
  const beta = plugin({ id: 'beta', collections: [{ name: 'beta_items', indexes: [] }] })
  const found = await planStorage(database.db, [withItems('a'), beta])
  const signal = new AbortController().signal
  await applyPlan(database.db, found, { log: silentLog, clock: systemClock, signal, only: 'beta' })
  t.same(await plan(database, withItems('a'), beta), [
    'create alpha_items',
    'create alpha_items by_a'
  ])
})

function migrating(t: Test, ran: string[], more: Partial<Manifest> = {}) {
  return plugin(
    {
      collections: [items(['a'])],
      migrations: [
        { id: 'one', phase: 'before', summary: 'First.' },
        { id: 'two', summary: 'Second.' },
        { id: 'three', summary: 'Third.' }
      ],
      ...more
    },
    {
      one: async ({ collection, log, clock, id }) => {
        ran.push('one')
        t.equal(id, 'alpha')
        t.ok(clock.now() instanceof Date)
        log.info('migrating')
        await collection('alpha_items').insertOne({ a: 1 })
      },
      two: async ({ collection }) => {
        ran.push('two')
        await collection('alpha_items').updateMany({}, { $set: { b: 1 } })
      },
      three: async () => void ran.push('three')
    }
  )
}

test('migrations run in order, before and after the indexes, once, and are recorded', async (t) => {
  const database = await openTestDatabase(t)
  const ran: string[] = []
  const declared = migrating(t, ran)
  t.same(await plan(database, declared), [
    'migrate alpha/one',
    'create alpha_items',
    'create alpha_items by_a',
    'migrate alpha/two',
    'migrate alpha/three'
  ])
  await apply(database, declared)
  await apply(database, declared)
  t.same(ran, ['one', 'two', 'three'])
  t.same(await plan(database, declared), [])
  const records = await database.db.collection('keelson_migrations').find().toArray()
  t.same(records.map((record) => record['migration']).sort(), ['one', 'three', 'two'])
  t.match(records[0], { plugin: 'alpha', version: '1.0.0', finishedAt: Date, durationMs: Number })
})

test('the record of a migration has the times of the clock', async (t) => {
  const { db } = await openTestDatabase(t)
  let now = Date.UTC(2030, 0, 1)
  const slow = plugin(
    { migrations: [{ id: 'slow', summary: 'Takes five minutes.' }] },
    {
      slow: async ({ clock }) => {
        now = clock.now().getTime() + 300_000
      }
    }
  )
  await applyPlan(db, await planStorage(db, [slow]), {
    log: silentLog,
    clock: { now: () => new Date(now) },
    signal: new AbortController().signal
  })
  const record = await db.collection('keelson_migrations').findOne()
  t.match(record, { finishedAt: new Date(Date.UTC(2030, 0, 1, 0, 5)), durationMs: 300_000 })
})

test('a migration that fails stops those after it and runs again', async (t) => {
  const database = await openTestDatabase(t)
  const ran: string[] = []
  const declared = migrating(t, ran)
  const broken = {
    ...declared,
    migrations: {
      ...declared.migrations,
      two: async () => {
        throw new Error('half way')
      }
    }
  }
  await t.rejects(apply(database, broken), {
    code: 'KRN_MIGRATION_FAILED',
    plugin: 'alpha',
    message: /two failed: half way/
  })
  t.same(ran, ['one'])
  await apply(database, declared)
  t.same(ran, ['one', 'two', 'three'])
})

test('a declared migration without code is an error', async (t) => {
  const database = await openTestDatabase(t)
  const bare = { ...migrating(t, []), migrations: {} }
  await t.rejects(apply(database, bare), { code: 'KRN_MIGRATION_CODE', plugin: 'alpha' })
})

test('two hosts that start together run each migration once', async (t) => {
  const database = await openTestDatabase(t)
  const ran: string[] = []
  const declared = migrating(t, ran)
  await Promise.all([apply(database, declared), apply(await reopen(t, database), declared)])
  t.same(ran, ['one', 'two', 'three'])
})

test('an aborted apply says so and can be continued', async (t) => {
  const database = await openTestDatabase(t)
  const declared = withItems('a')
  const found = await planStorage(database.db, [declared])
  const reason = new Error('the host closes')
  await t.rejects(
    applyPlan(database.db, found, {
      log: silentLog,
      clock: systemClock,
      signal: AbortSignal.abort(reason)
    }),
    reason
  )
  await apply(database, declared)
  t.same(await plan(database, declared), [])
})
