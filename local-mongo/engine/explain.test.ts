// explain: stages with MongoDB's names and true numbers, for each command.
import { Long } from 'bson'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import {
  allOf,
  codeOf,
  contextOf,
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

test('a covered query reads no documents, until a value comes that keys do not tell', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1, b: -1 })
  await c.insert([
    { _id: 1, a: 1, b: 'x', z: 1 },
    { _id: 2, a: 1, b: 'y', z: 2 },
    { _id: 3, a: 2, b: 2.5, z: 3 }
  ])
  const request = (filter: Plain, projection: Plain) => ({
    filter: doc(filter),
    projection: doc(projection)
  })
  const explained = async (filter: Plain, projection: Plain) => {
    const answer = await c.engine.explain(
      c.ns,
      { command: 'find', request: request(filter, projection) },
      'executionStats',
      contextOf()
    )
    const { queryPlanner, executionStats } = plain(answer) as {
      queryPlanner: { winningPlan: { stage: string; inputStage?: { stage: string } } }
      executionStats: { totalKeysExamined: number; totalDocsExamined: number; nReturned: number }
    }
    const { winningPlan } = queryPlanner
    const { totalKeysExamined, totalDocsExamined, nReturned } = executionStats
    return [
      winningPlan.stage,
      winningPlan.inputStage?.stage,
      totalKeysExamined,
      totalDocsExamined,
      nReturned
    ]
  }
  const found = async (filter: Plain, projection: Plain) => {
    const rows = await c.engine.find(c.ns, request(filter, projection), contextOf())
    return allOf(rows)
  }
  const fields = { _id: 0, a: 1, b: 1 }
  t.same(await explained({ a: 1 }, fields), ['PROJECTION_COVERED', 'IXSCAN', 2, 0, 2])
  t.same(await found({ a: { $gte: 1 } }, fields), [
    { a: 1, b: 'y' },
    { a: 1, b: 'x' },
    { a: 2, b: 2.5 }
  ])
  t.same(await explained({ a: 1 }, { a: 1 }), ['PROJECTION_SIMPLE', 'FETCH', 2, 2, 2])
  t.same(await explained({ a: 1 }, { _id: 0, z: 1 }), ['PROJECTION_SIMPLE', 'FETCH', 2, 2, 2])
  await c.insert([{ _id: 4, a: 1 }])
  t.same(await explained({ a: 1 }, fields), ['PROJECTION_COVERED', 'IXSCAN', 3, 1, 3])
  t.same((await found({ a: 1 }, fields)).at(-1), { a: 1 })
  await c.insert([{ _id: 5, a: Long.fromNumber(1) }])
  t.same(await explained({ a: 1 }, fields), ['PROJECTION_SIMPLE', 'FETCH', 4, 4, 4])
})

test('a pipeline over indexed fields is covered too', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1, n: 1 })
  await c.insert(Array.from({ length: 20 }, (_, _id) => ({ _id, a: _id % 2, n: _id, text: 'x' })))
  const request = {
    pipeline: [doc({ $match: { a: 1 } }), doc({ $group: { _id: '$a', sum: { $sum: '$n' } } })]
  }
  t.same(await allOf(await c.engine.aggregate(c.ns, request, contextOf())), [{ _id: 1, sum: 100 }])
  const answer = plain(
    await c.engine.explain(c.ns, { command: 'aggregate', request }, 'executionStats', contextOf())
  )
  t.match(answer, {
    stages: [
      {
        $cursor: {
          queryPlanner: { winningPlan: { stage: 'PROJECTION_COVERED' } },
          executionStats: { totalKeysExamined: 10, totalDocsExamined: 0 }
        }
      }
    ]
  })
})
