// explain: stages with MongoDB's names and true numbers, for each command.
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import {
  codeOf,
  openTestCollection,
  type Plain,
  stagesOf,
  updateStatement
} from './open-engine.test.data.ts'

async function openPlanned(t: Parameters<typeof openTestCollection>[0]) {
  const c = await openTestCollection(t)
  await c.index({ a: 1, b: -1 })
  await c.index({ t: 1 })
  await c.index({ s: 1 })
  await c.insert(
    Array.from({ length: 200 }, (_, i) => ({
      _id: i,
      a: i % 10,
      b: i,
      t: [i % 3, i % 4],
      s: `s${i % 20}`
    }))
  )
  return c
}

const stats = (explained: Plain) => explained['executionStats'] as Plain
const winning = (explained: Plain) => (explained['queryPlanner'] as Plain)['winningPlan'] as Plain

test('a query by an index examines what it returns', async (t) => {
  const c = await openPlanned(t)
  const explained = await c.explain({ a: 5, b: { $gte: 100, $lt: 150 } })
  t.match(stats(explained), {
    executionSuccess: true,
    nReturned: 5,
    totalKeysExamined: 5,
    totalDocsExamined: 5
  })
  t.match(winning(explained), {
    stage: 'FETCH',
    inputStage: {
      stage: 'IXSCAN',
      indexName: 'a_1_b_-1',
      keyPattern: { a: 1, b: -1 },
      isMultiKey: false,
      direction: 'forward',
      indexBounds: { a: ['[5, 5]'], b: ['[100, 150)'] }
    }
  })
  t.equal((explained['queryPlanner'] as Plain)['namespace'], 'test.things')
})

test('stages stand in MongoDB’s order', async (t) => {
  const c = await openPlanned(t)
  const stages = async (filter: Plain, options = {}) =>
    stagesOf(winning(await c.explain(filter, options)))
  t.same(await stages({}), ['COLLSCAN'])
  t.same(await stages({ z: 1 }), ['COLLSCAN'])
  t.same(await stages({ _id: 5 }), ['IDHACK'])
  t.same(await stages({ _id: { $gt: 5 } }), ['FETCH', 'IXSCAN'])
  t.same(await stages({ a: 1 }, { sort: doc({ z: 1 }) }), ['SORT', 'FETCH', 'IXSCAN'])
  t.same(await stages({ a: 1 }, { sort: doc({ b: 1 }), limit: 3, skip: 1 }), [
    'LIMIT',
    'SKIP',
    'FETCH',
    'IXSCAN'
  ])
  t.same(await stages({ a: 1 }, { sort: doc({ z: 1 }), limit: 3, projection: doc({ a: 1 }) }), [
    'PROJECTION_SIMPLE',
    'SORT',
    'FETCH',
    'IXSCAN'
  ])
  t.same(await stages({ z: 1 }, { projection: doc({ 'a.b': 1 }) }), [
    'PROJECTION_DEFAULT',
    'COLLSCAN'
  ])
  t.same(await stages({ $or: [{ a: 1 }, { s: 's1' }] }), [
    'SUBPLAN',
    'OR',
    'FETCH',
    'IXSCAN',
    'FETCH',
    'IXSCAN'
  ])
  t.same(await stages({ a: { $in: [] } }), ['EOF'])
})

test('bounds are shown in words', async (t) => {
  const c = await openPlanned(t)
  await c.index({ v: 1 })
  const bounds = async (condition: unknown) => {
    const found = winning(await c.explain({ v: condition }, { hint: 'v_1' }))['inputStage'] as Plain
    return (found['indexBounds'] as Plain)['v']
  }
  t.same(await bounds({ $gt: 5 }), ['(5, inf.0]'])
  t.same(await bounds({ $lte: 'x' }), ['["", "x"]'])
  t.same(await bounds({ $in: [1, 2] }), ['[1, 1]', '[2, 2]'])
  t.same(await bounds({ $gt: new Date(5) }), ['(new Date(5), new Date(9223372036854775807)]'])
  t.same(await bounds({ $gte: true }), ['[true, true]'])
  t.same(await bounds({ $gt: { a: 1 } }), ['({ a: 1 }, MaxKey]'])
  t.same(await bounds({ $exists: true }), ['[MinKey, MaxKey]'])
})

test('a multikey index says so, and documents are counted once', async (t) => {
  const c = await openPlanned(t)
  const explained = await c.explain({ t: { $gte: 1 } })
  t.match(winning(explained), { inputStage: { isMultiKey: true, multiKeyPaths: { t: ['t'] } } })
  t.match(stats(explained), { nReturned: 183, totalDocsExamined: 183 })
  t.ok(Number(stats(explained)['totalKeysExamined']) > 183)
})

test('rejected plans are shown, and a scan backwards', async (t) => {
  const c = await openPlanned(t)
  const explained = await c.explain({ a: 1, s: 's1' })
  t.equal(((explained['queryPlanner'] as Plain)['rejectedPlans'] as unknown[]).length, 1)
  const backwards = await c.explain({}, { hint: doc({ $natural: -1 }) })
  t.match(stats(backwards), {
    executionStages: { stage: 'COLLSCAN', direction: 'backward', docsExamined: 200 }
  })
})

test('count, distinct, update, delete and findAndModify are planned and do nothing', async (t) => {
  const c = await openPlanned(t)
  const filter = doc({ s: 's3' })
  const count = await c.explainCommand({ command: 'count', request: { filter } })
  t.same(stagesOf(winning(count)), ['COUNT', 'COUNT_SCAN'])
  t.match(stats(count), { nReturned: 10, totalDocsExamined: 0, totalKeysExamined: 10 })
  const distinct = await c.explainCommand({ command: 'distinct', request: { key: 'a', filter } })
  t.same(stagesOf(winning(distinct)), ['FETCH', 'IXSCAN'])
  const update = await c.explainCommand({
    command: 'update',
    request: updateStatement({ s: 's3' }, { $set: { x: 1 } }, { multi: true })
  })
  t.same(stagesOf(winning(update)), ['UPDATE', 'FETCH', 'IXSCAN'])
  const single = updateStatement({ s: 's3' }, { $set: { x: 1 } })
  t.match(stats(await c.explainCommand({ command: 'update', request: single })), { nReturned: 1 })
  const remove = await c.explainCommand({ command: 'delete', request: { filter, single: false } })
  t.same(stagesOf(winning(remove)), ['DELETE', 'FETCH', 'IXSCAN'])
  const modify = { filter, remove: true, returnNew: false, upsert: false }
  t.same(stagesOf(winning(await c.explainCommand({ command: 'findAndModify', request: modify }))), [
    'DELETE',
    'FETCH',
    'IXSCAN'
  ])
  t.equal(await c.count({ s: 's3' }), 10)
  t.equal(await c.count({ x: 1 }), 0)
  t.equal(
    await codeOf(() =>
      c.explainCommand({ command: 'update', request: updateStatement({}, { $nope: 1 }) })
    ),
    9
  )
})

test('a collection that is not there ends at once', async (t) => {
  const c = await openTestCollection(t)
  const explained = await c.explain({ a: 1 }, {}, 'allPlansExecution')
  t.same(stagesOf(winning(explained)), ['EOF'])
  t.match(stats(explained), { nReturned: 0, totalKeysExamined: 0, allPlansExecution: [] })
  t.notOk('executionStats' in (await c.explain({ a: 1 }, {}, 'queryPlanner')))
})
