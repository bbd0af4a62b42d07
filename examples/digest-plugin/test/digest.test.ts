// Digest plugin beside the real telemetry, on a test host: the tests write records and move the clock.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keelsonOf } from '@keelson/kernel'
import { createTestHost } from '@keelson/sdk/testing'
import telemetry from '@keelson/telemetry'
import { telemetryStore } from '@keelson/telemetry/contracts'
import plugin from '../index.ts'
import type { DigestAnswer } from '../schemas.ts'

const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
const HOUR_MS = 3_600_000

async function open(t: TestContext, hours = 24) {
  const host = await createTestHost({
    plugin,
    plugins: [telemetry],
    viewer,
    config: { hours },
    platform: {
      plugins: { telemetry: { config: { registry: { 'app.error': { kind: 'error' } } } } }
    }
  })
  t.after(() => host.close())
  const store = keelsonOf(host.app).use(telemetryStore)
  const fails = async (service: string, tenantId = 'acme') => {
    const occurredAt = host.clock.now()
    const error = { type: 'TypeError', message: 'x is undefined' }
    await store.emit('app.error', { tenantId, service, occurredAt, error })
    await store.flush()
  }
  const read = async (): Promise<DigestAnswer> =>
    (await host.app.inject('/digest-plugin/api/errors')).json()
  const counts = async () => (await read()).items.map(({ service, errors }) => [service, errors])
  return { host, fails, read, counts }
}

test('errors are counted by service, those with the most first', async (t) => {
  const { fails, read, counts } = await open(t)
  for (const service of ['web', 'mail', 'web']) await fails(service)
  assert.deepEqual(await counts(), [
    ['web', 2],
    ['mail', 1]
  ])
  assert.equal((await read()).hours, 24)
})

test('older errors are left out', async (t) => {
  const { host, fails, counts } = await open(t, 2)
  await fails('web')
  await host.clock.advance(3 * HOUR_MS)
  await fails('mail')
  assert.deepEqual(await counts(), [['mail', 1]])
})

test('a tenant sees its own errors alone', async (t) => {
  const { host, fails, counts } = await open(t)
  await fails('web', 'globex')
  assert.deepEqual(await counts(), [])
  host.signIn({ ...viewer, tenantId: 'globex' })
  assert.deepEqual(await counts(), [['web', 1]])
})

test('without telemetry it starts, and says what to turn on', async (t) => {
  const host = await createTestHost({ plugin, viewer })
  t.after(() => host.close())
  const answer = await host.app.inject('/digest-plugin/api/errors')
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().error, 'no_telemetry')
  assert.match(answer.json().fix, /Turn the plugin telemetry on/)
})

test('a request without a signed-in viewer is refused', async (t) => {
  const { host } = await open(t)
  host.signIn(null)
  assert.equal((await host.app.inject('/digest-plugin/api/errors')).statusCode, 401)
})
