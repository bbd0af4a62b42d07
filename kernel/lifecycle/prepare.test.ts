// The plan and prepare phases, up to the first plugin that fails.
import { setTimeout as sleep } from 'node:timers/promises'
import { KeelsonError } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import Fastify from 'fastify'
import { test } from 'tap'
import { createKernel } from '../index.ts'
import type { StoragePlan } from '../storage/plan.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'

const DEADLINES = { prepare: 50, requests: 100, pluginClose: 50, close: 1_000 }
const failing = {
  async prepare() {
    throw new Error('the tide is out')
  }
}

test('the phases come in order', async (t) => {
  const { seen, app } = await fakeHost(t, {
    plugins: [samplePlugin('alpha'), samplePlugin('beta', { requires: { alpha: '*' } })]
  })
  await app.close()
  t.same(seen.events, [
    'connect',
    'plan alpha beta',
    'apply alpha',
    'apply beta',
    'shell',
    'schedule started',
    'schedule drained',
    'storage closed'
  ])
})

test('independent plugins prepare side by side, dependents after them', async (t) => {
  const order: string[] = []
  const slow = (id: string, more = {}) =>
    samplePlugin(id, more, {
      async prepare(host) {
        order.push(`${host.id} begins`)
        await sleep(20)
        order.push(`${host.id} ends`)
      }
    })
  await fakeHost(t, {
    plugins: [slow('three', { requires: { one: '*' } }), slow('one'), slow('two')]
  })
  t.same(order, ['one begins', 'two begins', 'one ends', 'two ends', 'three begins', 'three ends'])
})

test("Fastify's deadline does not count for prepare", async (t) => {
  const slow = samplePlugin('slow', {}, { prepare: () => sleep(300) })
  const { call } = await fakeHost(t, { plugins: [slow], fastify: { pluginTimeout: 200 } })
  t.equal((await call({ url: '/health/ready' })).status, 200)
})

test('prepare gets its config and host', async (t) => {
  let got: unknown
  const plugin = samplePlugin(
    'alpha',
    { collections: [{ name: 'alpha_items', indexes: [] }] },
    {
      config: Type.Object({ n: Type.Integer({ default: 3 }) }),
      prepare(host, config) {
        got = [host.id, config, host.signal.aborted, host.collection('alpha_items').collectionName]
        host.log.info('prepared')
      }
    }
  )
  const { logs } = await fakeHost(t, { plugins: [plugin] })
  t.same(got, ['alpha', { n: 3 }, false, 'alpha_items'])
  t.match(
    logs.find(({ msg }) => msg === 'prepared'),
    { plugin: 'alpha' }
  )
})

test('a required plugin that fails to prepare ends the start', async (t) => {
  const error = await fakeHost(t, { plugins: [samplePlugin('alpha', {}, failing)] }).catch((e) => e)
  t.ok(KeelsonError.is(error))
  t.match(error, {
    code: 'KRN_PREPARE_FAILED',
    plugin: 'alpha',
    message: /alpha could not prepare: the tide is out\./,
    cause: { message: 'the tide is out' }
  })
})

test('a failing start closes what it opened', async (t) => {
  const closed: string[] = []
  const other = samplePlugin(
    'other',
    {},
    {
      async prepare() {
        await new Promise(() => {})
      }
    }
  )
  const plugins = [samplePlugin('alpha', {}, failing), other]
  const app = Fastify()
  const storage = {
    db: { collection: () => ({}) },
    close: async () => void closed.push('storage')
  }
  const seams = {
    connect: async () => storage,
    newestRevision: async () => undefined,
    planStorage: async () => ({ steps: [] }),
    applyPlan: async () => {}
  }
  app.register(createKernel({ plugins, config: {} }, seams as never))
  await t.rejects(async () => void (await app.ready()), {
    code: 'KRN_PREPARE_FAILED',
    plugin: 'alpha'
  })
  await app.close()
  t.same(closed, ['storage'])
})

const lacking = {
  steps: [
    { action: 'create', plugin: 'alpha', collection: 'alpha_items' },
    { action: 'create', plugin: 'alpha', collection: 'alpha_items', index: 'by_a' }
  ],
  strangers: [],
  newer: [],
  plugins: [],
  unrecorded: new Set(['alpha']),
  isByCommand: false
} as const satisfies StoragePlan

test('storage.apply "check" refuses a start with pending steps, and names them', async (t) => {
  const applied: unknown[] = []
  await t.rejects(
    fakeHost(t, {
      config: { storage: { apply: 'check' } },
      plugins: [samplePlugin('alpha')],
      seams: {
        planStorage: async () => lacking,
        applyPlan: async (_db, plan) => void applied.push(plan)
      }
    }),
    { code: 'KRN_STORAGE_PENDING', message: /lacks 2[\s\S]*alpha: create alpha_items by_a/ }
  )
  t.same(applied, [])
})

for (const apply of ['check', 'off'] as const) {
  test(`storage.apply "${apply}" starts on a database that lacks nothing`, async (t) => {
    const { logs } = await fakeHost(t, {
      config: { storage: { apply } },
      plugins: [samplePlugin('alpha')],
      seams: { planStorage: async () => ({ ...lacking, steps: [] }) }
    })
    t.notOk(logs.some(({ level }) => Number(level) >= 40))
  })
}

test('storage.apply "off" starts with a warning and applies nothing', async (t) => {
  const applied: StoragePlan[] = []
  const { logs } = await fakeHost(t, {
    config: { storage: { apply: 'off' } },
    plugins: [samplePlugin('alpha')],
    seams: {
      planStorage: async () => lacking,
      applyPlan: async (_db, plan) => void applied.push(plan)
    }
  })
  t.match(
    logs.filter(({ level }) => level === 40),
    [{ msg: /storage\.apply is off/, steps: ['alpha: create alpha_items', /by_a/] }]
  )
  t.same(
    applied.map(({ steps, unrecorded }) => [steps, unrecorded.size]),
    [[[], 0]]
  )
})

test('a plugin that may fail is left out, and so are those that need it', async (t) => {
  const { call, logs } = await fakeHost(t, {
    config: { plugins: { gamma: { onFailure: 'disable' } } },
    plugins: [
      samplePlugin('gamma', { provides: ['gamma.x/v1'] }, failing),
      samplePlugin('delta', { requires: { gamma: '*' } }),
      samplePlugin('epsilon', { uses: ['gamma.x/v1'] }),
      samplePlugin('free', { uses: [{ capability: 'gamma.x/v1', optional: true }] })
    ]
  })
  const { plugins } = (await call({ url: '/health/plugins' })).json
  const of = (id: string) => plugins.find((plugin: { id: string }) => plugin.id === id)
  t.match(of('gamma'), { state: 'failed', phase: 'prepare', code: 'KRN_PREPARE_FAILED' })
  t.match(of('delta'), { state: 'disabled', code: 'KRN_DEPENDENCY_DOWN', reason: /gamma/ })
  t.match(of('epsilon'), { state: 'disabled', reason: /gamma/ })
  t.match(of('free'), { state: 'ready' })
  t.ok(logs.some(({ msg }) => /gamma failed and is left out/.test(String(msg))))
})

test('a prepare that never returns ends by its deadline', async (t) => {
  const hanging = samplePlugin('alpha', {}, { prepare: () => new Promise(() => {}) })
  await t.rejects(fakeHost(t, { plugins: [hanging], seams: { deadlines: DEADLINES } }), {
    code: 'KRN_PREPARE_TIMEOUT',
    plugin: 'alpha'
  })
})

test('closing an app that still prepares calls the start off', async (t) => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const prepare = () => {
    begin()
    return new Promise<void>(() => {})
  }
  let close: Promise<void> | undefined
  const start = fakeHost(t, {
    plugins: [samplePlugin('alpha', {}, { prepare })],
    before: (app) => {
      close = begun.then(() => app.close())
    }
  })
  await t.rejects(start, { code: 'KRN_START_ABORTED', message: /prepare/ })
  await close
})

test('a start that is aborted while it connects goes no further', async (t) => {
  const stop = new AbortController()
  const events: string[] = []
  const connect = async () => {
    stop.abort()
    return { db: {}, close: async () => void events.push('closed') }
  }
  const start = fakeHost(t, {
    // Not there, so that the plan phase connects.
    config: { storage: { dataDir: `${t.testdir()}/none` } },
    seams: { connect: connect as never },
    signal: stop.signal
  })
  await t.rejects(start, { code: 'KRN_START_ABORTED', message: /plan/ })
  t.same(events, ['closed'])
})

test('a signal calls the start off', async (t) => {
  const stop = new AbortController()
  const prepare = () => {
    stop.abort()
    return new Promise<void>(() => {})
  }
  const hanging = samplePlugin('alpha', {}, { prepare })
  await t.rejects(fakeHost(t, { plugins: [hanging], signal: stop.signal }), {
    code: 'KRN_START_ABORTED'
  })
  await t.rejects(fakeHost(t, { plugins: [hanging], signal: AbortSignal.abort() }), {
    code: 'KRN_START_ABORTED'
  })
})

test('a storage that refuses ends the start with its own error', async (t) => {
  const connect = async () => {
    throw new KeelsonError('KRN_STORAGE_URI', { message: 'no', remedy: 'yes', status: 500 }, {})
  }
  await t.rejects(fakeHost(t, { seams: { connect } }), { code: 'KRN_STORAGE_URI' })
})

test('an unknown role is refused', async (t) => {
  await t.rejects(fakeHost(t, { role: 'boss' as never }), { code: 'KRN_ROLE_UNKNOWN' })
})

test('commands of the database are counted by the owner of their collection', async (t) => {
  const collections = [{ name: 'alpha_items', indexes: [] }]
  const { seen, call } = await fakeHost(t, { plugins: [samplePlugin('alpha', { collections })] })
  seen.onCommand({ command: 'find', collection: 'alpha_items', body: {} })
  seen.onCommand({ command: 'find', collection: 'agenda_jobs', body: {} })
  const { text } = await call({ url: '/metrics' })
  t.match(text, 'keelson_db_commands_total{plugin="alpha",command="find"} 1')
  t.match(text, 'keelson_db_commands_total{plugin="kernel",command="find"} 1')
})

test('runs of jobs and queues are counted', async (t) => {
  const { seen, call } = await fakeHost(t)
  const report = { plugin: 'alpha', name: 'sweep', durationMs: 20, outcome: 'done' }
  seen.onRun?.({ ...report, kind: 'job' } as never)
  seen.onRun?.({ ...report, kind: 'queue', outcome: 'parked' } as never)
  const { text } = await call({ url: '/metrics' })
  t.match(text, 'keelson_job_runs_total{plugin="alpha",job="sweep",outcome="done"} 1')
  t.match(text, 'keelson_queue_items_total{plugin="alpha",queue="sweep",outcome="parked"} 1')
  t.match(text, 'keelson_job_duration_seconds_sum{plugin="alpha",job="sweep"} 0.02')
})

test('the password of the connection string is in no log line', async (t) => {
  const { app, logs } = await fakeHost(t, {
    config: { storage: { uri: 'mongodb://u:p%40ssword@h/db' } }
  })
  app.log.info('connecting to mongodb://u:p%40ssword@h with p@ssword')
  t.notMatch(JSON.stringify(logs), /p%40ssword|p@ssword/)
  await fakeHost(t, { config: { storage: { uri: 'mongodb://u:%E0%A4%A@h/db' } } })
})
