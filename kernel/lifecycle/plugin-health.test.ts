// What /health/plugins says, to admins and to anyone.
import type { HealthCheck, PluginHealth } from '@keelson/sdk'
import { test } from 'tap'
import type { ScheduleFailure } from '../schedule/failures.ts'
import { type FakeHostOptions, fakeHost, fakeSeams, samplePlugin } from '../testing/fake-host.ts'
import { healthOf, publicForm } from './plugin-health.ts'

const admin = 'acme:admin'
const since = new Date('2026-03-01T10:00:00Z')
const lastAt = new Date('2026-03-01T10:05:00Z')
const failure: ScheduleFailure = {
  plugin: 'alpha',
  kind: 'job',
  name: 'sweep',
  count: 3,
  reason: 'no luck at /srv/app/data',
  since,
  lastAt
}

const checked = (check: HealthCheck) =>
  samplePlugin('alpha', {}, { register: (host) => host.health('provider', check) })

/** A host whose schedule says this of its jobs and queues. */
function failing(failures: () => Promise<ScheduleFailure[]>): FakeHostOptions {
  const { createSchedule } = fakeSeams()
  return {
    plugins: [samplePlugin('alpha')],
    seams: {
      createSchedule: (options) => ({
        ...(createSchedule as NonNullable<typeof createSchedule>)(options),
        failures
      })
    }
  }
}

test('the checks of a plugin are shown to admins, and one that is not ok degrades the plugin', async (t) => {
  let state: 'ok' | 'failing' = 'ok'
  const { call } = await fakeHost(t, {
    plugins: [checked(() => ({ state, ...(state === 'failing' && { reason: 'no answer' }) }))],
    seams: { clock: { now: () => (state === 'ok' ? since : lastAt) } }
  })
  const alpha = async () => (await call({ url: '/health/plugins', viewer: admin })).json.plugins[0]
  t.match(await alpha(), { state: 'ready', checks: [{ name: 'provider', state: 'ok' }] })
  state = 'failing'
  t.match(await alpha(), { state: 'degraded', checks: [{ state: 'failing', reason: 'no answer' }] })
  t.equal((await call({ url: '/health/ready' })).status, 200)
  t.match((await call({ url: '/metrics' })).text, 'keelson_plugin_up{plugin="alpha"} 1')
})

test('a check that never ends leaves the address working', async (t) => {
  let end = () => {}
  const { call } = await fakeHost(t, {
    plugins: [
      checked(() => new Promise((_resolve, reject) => (end = () => reject(new Error('late')))))
    ]
  })
  const reading = call({ url: '/health/plugins', viewer: admin })
  await new Promise((resolve) => setImmediate(resolve))
  end()
  t.match(await reading, {
    status: 200,
    json: { plugins: [{ state: 'degraded', checks: [{ reason: 'late' }] }] }
  })
})

for (const [what, register, code] of [
  ['twice', ['provider', 'provider'], 'KRN_HANDLER_TWICE'],
  ['with spaces', ['the provider'], 'KRN_HEALTH_NAME']
] as const) {
  test(`a check that is named ${what} is refused`, async (t) => {
    const plugin = samplePlugin(
      'alpha',
      {},
      {
        register(host) {
          for (const name of register) host.health(name, () => ({ state: 'ok' }))
        }
      }
    )
    await t.rejects(fakeHost(t, { plugins: [plugin] }), { code, plugin: 'alpha' })
  })
}

test('a check cannot be added after register', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    {},
    { register: (host) => host.onReady(() => host.health('late', () => ({ state: 'ok' }))) }
  )
  await t.rejects(fakeHost(t, { plugins: [plugin] }), { code: 'KRN_TOO_LATE' })
})

test('failing jobs and queues that parked items degrade a plugin', async (t) => {
  const queue: ScheduleFailure = { ...failure, kind: 'queue', name: 'work', count: 2 }
  const { call } = await fakeHost(
    t,
    failing(async () => [failure, queue])
  )
  const times = { since: since.toISOString(), lastAt: lastAt.toISOString() }
  t.same((await call({ url: '/health/plugins', viewer: admin })).json.plugins, [
    {
      id: 'alpha',
      version: '1.0.0',
      state: 'degraded',
      jobs: [{ name: 'sweep', failures: 3, reason: failure.reason, ...times }],
      queues: [{ name: 'work', parked: 2, reason: failure.reason, ...times }]
    }
  ])
})

test('the database is asked once for all who look within a few seconds, and may be away', async (t) => {
  let reads = 0
  const { call } = await fakeHost(
    t,
    failing(async () => {
      reads++
      throw new Error('the database is away')
    })
  )
  for (let call_ = 0; call_ < 3; call_++) {
    t.match((await call({ url: '/health/plugins' })).json.plugins, [{ state: 'ready' }])
  }
  t.equal(reads, 1)
})

test('anyone sees states and no word of a plugin, a page or the machine', async (t) => {
  const broken = samplePlugin(
    'beta',
    {},
    {
      prepare() {
        throw new Error('cannot read /srv/app/beta.key')
      }
    }
  )
  const { plugins = [], seams = {} } = failing(async () => [failure])
  const { call } = await fakeHost(t, {
    seams,
    plugins: [...plugins, broken, samplePlugin('gamma', { requires: { beta: '*' } })],
    config: { plugins: { beta: { onFailure: 'disable' } } }
  })
  for (const viewer of [undefined, 'acme:viewer']) {
    const { json, text } = await call({ url: '/health/plugins', ...(viewer && { viewer }) })
    t.notMatch(text, /srv|luck|sweep/)
    t.match(json.plugins, [
      { id: 'alpha', state: 'degraded', reason: /Not all/, remedy: /as an admin/ },
      { id: 'beta', state: 'failed', phase: 'prepare', code: 'KRN_PREPARE_FAILED' },
      { id: 'gamma', state: 'disabled', code: 'KRN_DEPENDENCY_DOWN', reason: /beta/ }
    ])
  }
  const { text } = await call({ url: '/health/plugins', viewer: admin })
  t.match(text, 'cannot read /srv/app/beta.key')
})

test('a viewer that cannot be resolved sees what anyone sees', async (t) => {
  const { call } = await fakeHost(t, {
    ...failing(async () => [failure]),
    resolveViewer: () => {
      throw new Error('the session store is away')
    }
  })
  const { status, json } = await call({ url: '/health/plugins' })
  t.equal(status, 200)
  t.same(Object.keys(json.plugins[0]).sort(), ['id', 'reason', 'remedy', 'state', 'version'])
})

test('a plugin that failed stays failed, whatever its jobs did before', async (t) => {
  const state: PluginHealth = { id: 'alpha', version: '1.0.0', state: 'failed', phase: 'ready' }
  t.equal(healthOf(state, { failed: [failure] }).state, 'failed')
  t.match(publicForm(healthOf(state, { failed: [failure] })), {
    reason: 'It failed in the phase ready.'
  })
})
