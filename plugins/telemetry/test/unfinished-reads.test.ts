// A read that the database cannot finish is refused with what to do, whatever read it is: never a plain failure.
import { testDatabase } from '@keelson/sdk/testing'
import { MongoNetworkError, MongoServerError } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import { createMcpTools } from '../mcp/tools.ts'
import type { Queries } from '../queries/queries.ts'
import { unfinishedRead } from '../queries/unfinished.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const range = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 1000) }

type Reads = { [Op in Exclude<keyof Queries, 'within'>]: (queries: Queries) => Promise<unknown> }

/** Every read: the type names those that are missing. */
const READS: Reads = {
  records: (q) => q.records('acme', range),
  recordFile: (q) => q.recordFile('acme', { ...range, format: 'csv' }),
  series: (q) => q.series('acme', range),
  distribution: (q) => q.distribution('*', range),
  rollups: (q) => q.rollups('acme', { as: 'issues' }),
  rollupTotals: (q) => q.rollupTotals('*', { ...range, as: 'issues' }),
  trace: (q) => q.trace('acme', 't'),
  journey: (q) => q.journey('acme', { ...range, ref: 'user:u' }),
  distinctCount: (q) => q.distinctCount('acme', { ...range, as: 'daily_active' }),
  funnel: (q) => q.funnel('acme', { ...range, stages: ['signed_up', 'activated'] }),
  activity: (q) => q.activity('acme', range),
  breakdown: (q) => q.breakdown('acme', { ...range, by: 'service' }),
  durations: (q) => q.durations('acme', { ...range, by: 'service' }),
  usageTotals: (q) => q.usageTotals('acme', { ...range, by: 'meter' }),
  retention: (q) =>
    q.retention('acme', { ...range, anchor: 'signed_up', activity: 'daily_active' }),
  funnelPeople: (q) =>
    q.funnelPeople('acme', { ...range, stages: ['signed_up', 'activated'], stage: 'activated' }),
  issues: (q) => q.issues('acme', range),
  eventFunnel: (q) => q.eventFunnel('acme', { ...range, steps: ['a', 'b'] }),
  eventRetention: (q) => q.eventRetention('*', { ...range, first: 'a' }),
  metrics: (q) => q.metrics('acme', range),
  metricSeries: (q) => q.metricSeries('acme', { ...range, metric: 'm' }),
  seenKeys: (q) => q.seenKeys('acme')
}

const slow = () =>
  new MongoServerError({ code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded' })
const away = () => new MongoNetworkError('connection 4 to 10.0.0.7 closed')

/** A store whose collections fail every read in that way. */
async function openFailing(t: Test, failure: () => Error) {
  const { db } = await testDatabase(t)
  const opened = openTelemetry(
    { registry: SAMPLE_SPEC, connection: db },
    {
      change: (storage) => ({
        ...storage,
        collections: new Proxy({} as typeof storage.collections, {
          get: (_target, name) => failing(Reflect.get(storage.collections, name), failure)
        })
      })
    }
  )
  t.teardown(() => opened.telemetry.close())
  return opened.telemetry
}

function failing(collection: unknown, failure: () => Error): unknown {
  if (typeof collection !== 'object' || collection === null) return collection
  const cursor: object = new Proxy(
    {},
    {
      get: (_target, method) =>
        method === 'toArray' || method === 'next'
          ? () => Promise.reject(failure())
          : method === 'then'
            ? undefined
            : () => cursor
    }
  )
  const reads = new Set<PropertyKey>(['find', 'aggregate'])
  const answers = new Set<PropertyKey>(['findOne', 'estimatedDocumentCount', 'countDocuments'])
  // Collections are frozen: the proxy is of an object that is not.
  return new Proxy(
    {},
    {
      get: (_target, method) =>
        reads.has(method)
          ? () => cursor
          : answers.has(method)
            ? () => Promise.reject(failure())
            : Reflect.get(collection, method)
    }
  )
}

for (const [word, failure, expected] of [
  ['takes too long', slow, { code: 'TEL_READ_UNFINISHED', status: 422, remedy: /[Nn]arrow/ }],
  ['finds no database', away, { code: 'TEL_READ_AWAY', status: 503 }]
] as const) {
  test(`a read that ${word} is refused with what to do, each of them`, async (t) => {
    const telemetry = await openFailing(t, failure)
    const queries = createQueries({ telemetry, cacheMs: 0 })
    t.same(
      Object.keys(queries).filter((op) => op !== 'within' && !(op in READS)),
      []
    )
    for (const [op, read] of Object.entries(READS)) await t.rejects(read(queries), expected, op)
  })

  test(`a tool whose read ${word} is refused with what to do`, async (t) => {
    const telemetry = await openFailing(t, failure)
    const tools = createMcpTools({ telemetry })
    const viewer = { tenantId: '*', role: 'admin' as const }
    for (const name of ['search_events', 'event_trends', 'list_tenants']) {
      const tool = tools.find((one) => one.name === name)
      if (tool === undefined) t.fail(name)
      else await t.rejects(tool.handler({}, viewer as never), expected, name)
    }
  })
}

test('an error of another kind stays what it is', async (t) => {
  const others = [new Error('x'), Object.assign(new Error('x'), { code: 50 }), 'text', undefined]
  for (const error of others) t.equal(unfinishedRead(error), error)
  const other = new MongoServerError({ code: 2, errmsg: 'bad value' })
  t.equal(unfinishedRead(other), other)
})
