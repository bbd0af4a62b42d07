// Rates plugin on a test host: the tests move the clock and answer for the outside API.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.ts'
import type { DaysAnswer } from '../schemas.ts'

const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
const HOUR_MS = 3_600_000

/** A host whose outside answers these bodies, one for each run of the job. */
async function open(t: TestContext, answers: readonly (readonly [status: number, body: string])[]) {
  const config = { apiUrl: 'https://rates.example/v1', base: 'USD' }
  const host = await createTestHost({ plugin, viewer, config })
  t.after(() => host.close())
  const api = host.outbound.get('https://rates.example')
  for (const [status, body] of answers) {
    api.intercept({ path: '/v1/latest?base=USD' }).reply(status, body)
  }
  const days = async (): Promise<DaysAnswer> =>
    (await host.app.inject('/rates-plugin/api/rates')).json()
  const health = async (): Promise<string> => {
    host.signIn({ ...viewer, tenantId: '*', role: 'admin' })
    const { payload } = await host.app.inject('/health/plugins')
    host.signIn(viewer)
    return payload
  }
  return { host, days, health }
}

const rates = (date: string, eur: number) => JSON.stringify({ date, rates: { EUR: eur } })

test('rates are fetched by the job, and a day is stored once', async (t) => {
  const { host, days } = await open(t, [
    [200, rates('2026-03-02', 0.91)],
    [200, rates('2026-03-02', 0.92)],
    [200, rates('2026-03-03', 0.93)]
  ])
  // A job that has not run yet is due at once.
  for (const wait of [1000, HOUR_MS, HOUR_MS]) await host.clock.advance(wait)
  const { base, items } = await days()
  assert.equal(base, 'USD')
  assert.deepEqual(
    items.map((each) => [each.day, each.rates['EUR']]),
    [
      ['2026-03-03', 0.93],
      ['2026-03-02', 0.92]
    ]
  )
})

for (const [what, status, body] of [
  ['that refuses', 500, 'out of order'],
  ['that answers no JSON', 200, '<html>'],
  ['that answers other JSON', 200, '{"rates":{"EUR":"much"}}']
] as const) {
  test(`an API ${what} fails the job and changes nothing; the next run mends it`, async (t) => {
    const { host, days, health } = await open(t, [
      [status, body],
      [200, rates('2026-03-02', 0.91)]
    ])
    await host.clock.advance(1000)
    assert.deepEqual((await days()).items, [])
    assert.match(await health(), /API of rates/)
    await host.clock.advance(HOUR_MS)
    assert.equal((await days()).items.length, 1)
    assert.doesNotMatch(await health(), /API of rates/)
  })
}

test('a request without a signed-in viewer is refused', async (t) => {
  const { host } = await open(t, [])
  host.signIn(null)
  assert.equal((await host.app.inject('/rates-plugin/api/rates')).statusCode, 401)
})

test('the latest days are served by an index', async (t) => {
  const { host } = await open(t, [])
  const days = host.db.collection('rates_plugin_days')
  const plan = await days.find({ base: 'USD' }).sort({ day: -1 }).explain('queryPlanner')
  assert.match(JSON.stringify(plan), /IXSCAN/)
  assert.doesNotMatch(JSON.stringify(plan), /"stage":"SORT"/)
})
