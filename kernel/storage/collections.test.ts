// What a plugin can and cannot do with its collections.
import type { Manifest, ManifestCollection, PayloadIndex } from '@keelson/sdk'
import { applyIndexes, createCollection, readIndexes } from '@keelson/sdk/storage'
import { test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { systemClock } from '../system-clock.ts'
import { collectionOwners, openCollections } from './collections.ts'
import { readDrift } from './drift.ts'
import { applyPlan, planStorage } from './plan.ts'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

const manifest: Manifest = {
  manifestVersion: 1,
  id: 'alpha',
  name: 'Alpha',
  version: '1.0.0',
  kernel: '*',
  description: 'For tests.',
  license: 'MIT',
  collections: [
    {
      name: 'alpha_items',
      indexes: [{ name: 'by_key', keys: { key: 1 } }],
      payloadIndexBudget: 2
    },
    { name: 'alpha_totals', indexes: [] }
  ]
}

const open = (database: TestDatabase) => openCollections(database, manifest)

async function applyAll({ db }: TestDatabase) {
  const plan = await planStorage(db, [{ manifest, migrations: {} }])
  await applyPlan(db, plan, {
    log: silentLog,
    clock: systemClock,
    signal: new AbortController().signal
  })
}

const names = async ({ db }: TestDatabase) =>
  (await readIndexes(db, 'alpha_items')).map((index) => index.name).sort()

test('a declared collection is the driver’s own', async (t) => {
  const items = open(await openTestDatabase(t)).collection<{ _id: string; n: number }>(
    'alpha_items'
  )
  await items.insertOne({ _id: 'one', n: 1 })
  t.same(await items.findOne({ _id: 'one' }), { _id: 'one', n: 1 })
})

test('an undeclared collection is refused by name', async (t) => {
  const { collection } = open(await openTestDatabase(t))
  t.throws(() => collection('beta_items'), {
    code: 'KRN_COLLECTION_UNDECLARED',
    plugin: 'alpha',
    message: /beta_items/
  })
})

test('indexes cannot be made or dropped by hand', async (t) => {
  const database = await openTestDatabase(t)
  await applyAll(database)
  const items = open(database).collection('alpha_items')
  const expected = { code: 'KRN_INDEX_BY_HAND', plugin: 'alpha' }
  await t.rejects(items.createIndex({ sneaky: 1 }), expected)
  await t.rejects(items.createIndexes([{ key: { sneaky: 1 } }]), expected)
  await t.rejects(items.dropIndex('by_key'), expected)
  await t.rejects(items.dropIndexes(), expected)
  t.same(await names(database), ['_id_', 'by_key'])
})

test('a collection cannot be dropped or renamed by hand', async (t) => {
  const items = open(await openTestDatabase(t)).collection('alpha_items')
  const expected = { code: 'KRN_COLLECTION_BY_HAND', plugin: 'alpha' }
  await t.rejects(items.drop(), expected)
  await t.rejects(items.rename('alpha_totals'), expected)
})

const outputs: [name: string, stage: object, allowed: boolean][] = [
  ['$out into a declared collection', { $out: 'alpha_totals' }, true],
  ['$out into another', { $out: 'beta_items' }, false],
  ['$out into another database', { $out: { db: 'other', coll: 'alpha_totals' } }, false],
  ['$merge into another', { $merge: 'beta_items' }, false],
  ['$merge with options into another', { $merge: { into: 'beta_items' } }, false],
  ['$merge into another database', { $merge: { into: { db: 'other', coll: 'x' } } }, false]
]
for (const [name, stage, allowed] of outputs) {
  test(`a pipeline with ${name} is ${allowed ? 'allowed' : 'refused'}`, async (t) => {
    const items = open(await openTestDatabase(t)).collection('alpha_items')
    if (allowed) t.doesNotThrow(() => items.aggregate([stage]))
    else t.throws(() => items.aggregate([stage]), { code: 'KRN_COLLECTION_OUTPUT' })
  })
}

test('a pipeline without output reads as always', async (t) => {
  const items = open(await openTestDatabase(t)).collection('alpha_items')
  await items.insertMany([{ n: 1 }, { n: 2 }])
  t.same(await items.aggregate([{ $match: { n: 2 } }, { $project: { _id: 0 } }]).toArray(), [
    { n: 2 }
  ])
})

test('collections know their owner', async (t) => {
  t.same(
    [...collectionOwners([manifest])],
    [
      ['alpha_items', 'alpha'],
      ['alpha_totals', 'alpha']
    ]
  )
})

const payload = (...fields: string[]): PayloadIndex[] =>
  fields.map((field) => ({ name: `attr_${field}`, keys: { [`attrs.${field}`]: 1 } }))

test('indexes of user configuration are exactly those asked for', async (t) => {
  const database = await openTestDatabase(t)
  await applyAll(database)
  const { payloadIndexes } = open(database)
  await payloadIndexes('alpha_items', payload('a', 'b'))
  t.same(await names(database), ['_id_', 'attr_a', 'attr_b', 'by_key'])
  await payloadIndexes('alpha_items', payload('b', 'c'))
  t.same(await names(database), ['_id_', 'attr_b', 'attr_c', 'by_key'])
  await payloadIndexes('alpha_items', [])
  t.same(await names(database), ['_id_', 'by_key'])
})

test('asking again for the same indexes of user configuration writes nothing', async (t) => {
  const database = await openTestDatabase(t)
  await open(database).payloadIndexes('alpha_items', payload('a'))
  const before = database.commands.length
  await open(database).payloadIndexes('alpha_items', payload('a'))
  const commands = database.commands.slice(before).map(({ command }) => command)
  t.same(
    commands.filter((command) => !['find', 'listIndexes'].includes(command)),
    []
  )
})

test('the plan leaves indexes of user configuration alone', async (t) => {
  const database = await openTestDatabase(t)
  await applyAll(database)
  await open(database).payloadIndexes('alpha_items', payload('a'))
  const plan = await planStorage(database.db, [{ manifest, migrations: {} }])
  t.same([plan.steps, plan.strangers], [[], []])
})

test('an index made by hand is taken over when user configuration asks for the same', async (t) => {
  const database = await openTestDatabase(t)
  await database.db.collection('alpha_items').createIndex({ 'attrs.a': 1 }, { name: 'attr_a' })
  await open(database).payloadIndexes('alpha_items', payload('a'))
  await open(database).payloadIndexes('alpha_items', [])
  t.same(await names(database), ['_id_'])
})

test('an index made by hand that conflicts with user configuration is an error', async (t) => {
  const database = await openTestDatabase(t)
  await database.db.collection('alpha_items').createIndex({ other: 1 }, { name: 'attr_a' })
  await t.rejects(open(database).payloadIndexes('alpha_items', payload('a')), {
    code: 'KRN_INDEX_CONFLICT'
  })
})

test('user configuration cannot pass its budget', async (t) => {
  const { payloadIndexes } = open(await openTestDatabase(t))
  await t.rejects(payloadIndexes('alpha_items', payload('a', 'b', 'c')), {
    code: 'KRN_PAYLOAD_BUDGET',
    message: /3 indexes on "alpha_items", which exceeds budget 2/
  })
  await t.rejects(payloadIndexes('alpha_totals', payload('a')), { code: 'KRN_PAYLOAD_BUDGET' })
  await t.rejects(payloadIndexes('beta_items', []), { code: 'KRN_COLLECTION_UNDECLARED' })
})

test('user configuration cannot take a declared name, a name twice, or no keys', async (t) => {
  const { payloadIndexes } = open(await openTestDatabase(t))
  const expected = { code: 'KRN_PAYLOAD_NAME', plugin: 'alpha' }
  await t.rejects(payloadIndexes('alpha_items', [{ name: 'by_key', keys: { x: 1 } }]), expected)
  await t.rejects(payloadIndexes('alpha_items', [...payload('a'), ...payload('a')]), expected)
  await t.rejects(payloadIndexes('alpha_items', [{ name: 'empty', keys: {} }]), expected)
})

test('the drift report names undeclared, missing and hidden indexes', async (t) => {
  const database = await openTestDatabase(t)
  const { db } = database
  const older: Manifest = {
    ...manifest,
    collections: [
      {
        name: 'alpha_items',
        indexes: [
          { name: 'by_key', keys: { key: 1 } },
          { name: 'by_old', keys: { old: 1 } }
        ],
        payloadIndexBudget: 2
      }
    ]
  }
  const plan = await planStorage(db, [{ manifest: older, migrations: {} }])
  await applyPlan(db, plan, {
    log: silentLog,
    clock: systemClock,
    signal: new AbortController().signal
  })
  await open(database).payloadIndexes('alpha_items', payload('a'))
  await db.collection('alpha_items').createIndex({ mine: 1 }, { name: 'mine' })
  await db.collection('alpha_items').dropIndex('by_key')
  await db.collection('beta_items').insertOne({})
  const drift = await readDrift(db, [manifest])
  t.same(drift.collections, [{ collection: 'beta_items' }])
  t.same(
    [...drift.indexes].sort((a, b) => (a.index < b.index ? -1 : 1)),
    [
      { collection: 'alpha_items', index: 'by_old', origin: 'kernel', hidden: false },
      { collection: 'alpha_items', index: 'mine', origin: 'unknown', hidden: false }
    ]
  )
  t.same(drift.missing, [{ collection: 'alpha_items', index: 'by_key' }])
})

const target = { plugin: 'alpha', collection: 'alpha_items', kind: 'declared' } as const
const byKey = { name: 'by_key', keys: { key: 1 } } as const

test('a step that another process has already done is not an error', async (t) => {
  const { db } = await openTestDatabase(t)
  const build = [{ action: 'create', name: 'by_key', index: byKey }] as const
  const hide = [{ action: 'hide', name: 'by_key' }] as const
  const drop = [{ action: 'drop', name: 'by_key' }] as const
  await applyIndexes(db, target, drop)
  t.same(await readIndexes(db, 'alpha_items'), [])
  await createCollection(db, 'alpha_items')
  await createCollection(db, 'alpha_items')
  await applyIndexes(db, target, build)
  await applyIndexes(db, target, build)
  await applyIndexes(db, target, drop)
  await applyIndexes(db, target, drop)
  await applyIndexes(db, target, hide)
  t.match(await readIndexes(db, 'alpha_items'), [{ name: '_id_' }])
})

test('a change that the database refuses is an error that names plugin and collection', async (t) => {
  const { db } = await openTestDatabase(t)
  await createCollection(db, 'alpha_items')
  const unhide = [{ action: 'modify', how: 'unhide', name: 'by_key', index: byKey }] as const
  await t.rejects(applyIndexes(db, target, unhide), {
    code: 'KRN_INDEX_FAILED',
    plugin: 'alpha',
    message: /alpha_items/,
    cause: Error
  })
  await t.rejects(createCollection(db, 'bad$name'), Error)
})

/** The plugin with an index that it asks for while it needs it. */
const demanding: Manifest = {
  ...manifest,
  collections: [
    {
      name: 'alpha_items',
      indexes: [
        { name: 'by_key', keys: { key: 1 } },
        { name: 'by_day', keys: { day: -1 }, onDemand: true }
      ],
      payloadIndexBudget: 2
    }
  ]
}

async function planned({ db }: TestDatabase, of: Manifest): Promise<void> {
  const plan = await planStorage(db, [{ manifest: of, migrations: {} }])
  const signal = new AbortController().signal
  await applyPlan(db, plan, { log: silentLog, clock: systemClock, signal })
}

test('an index on demand is there while the plugin asks for it, beside those of user configuration', async (t) => {
  const database = await openTestDatabase(t)
  const { payloadIndexes } = openCollections(database, demanding)
  await planned(database, demanding)
  t.same(await names(database), ['_id_', 'by_key'])
  const byDay = { name: 'by_day', keys: { any: 1 } } as const
  await payloadIndexes('alpha_items', [byDay, ...payload('a', 'b')])
  t.same(await names(database), ['_id_', 'attr_a', 'attr_b', 'by_day', 'by_key'])
  const built = (await readIndexes(database.db, 'alpha_items')).find(
    ({ name }) => name === 'by_day'
  )
  t.same(built?.key, { day: -1 }, 'as the manifest defines it')
  await planned(database, demanding)
  t.ok((await names(database)).includes('by_day'), 'a start leaves it')
  const { indexes, missing } = await readDrift(database.db, [demanding])
  t.same([indexes, missing], [[], []])
  await payloadIndexes('alpha_items', payload('a'))
  t.same(await names(database), ['_id_', 'attr_a', 'by_key'])
})

test('an index that an older version declared for all times becomes one on demand', async (t) => {
  for (const isWanted of [true, false]) {
    const database = await openTestDatabase(t)
    const [{ name, indexes }] = demanding.collections as [ManifestCollection]
    const before = indexes.map(({ onDemand: _, ...index }) => index)
    await planned(database, { ...manifest, collections: [{ name, indexes: before }] })
    await planned(database, { ...demanding, version: '2.0.0' })
    t.same(await names(database), ['_id_', 'by_day', 'by_key'])
    const { payloadIndexes } = openCollections(database, demanding)
    const asked = isWanted ? [{ name: 'by_day', keys: { day: -1 as const } }] : []
    await payloadIndexes('alpha_items', asked)
    t.equal((await names(database)).includes('by_day'), isWanted)
    const [there] = (await readIndexes(database.db, 'alpha_items')).filter(({ hidden }) => hidden)
    t.equal(there, undefined, 'none is hidden')
    await payloadIndexes('alpha_items', [])
    t.same(await names(database), ['_id_', 'by_key'])
  }
})
