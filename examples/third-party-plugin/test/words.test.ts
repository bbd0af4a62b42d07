// Third party plugin on a test host, beside a stand-in for the mailer.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.ts'
import type { Status } from '../schemas.ts'

const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:u1' }
const DAY_MS = 86_400_000

/** A host with the plugin and a stand-in, which asks and calls the plugin as the mailer does. */
async function open(t: TestContext, config?: { readonly words: readonly string[] }) {
  const mailer = createMailerStandIn()
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer: admin,
    config: { adminTenants: ['acme'], ...config }
  })
  t.after(() => host.close())
  const status = async (): Promise<Status> =>
    (await host.app.inject('/third-party-plugin/api/status')).json()
  return { host, mailer, status }
}

test('a mail with an unwanted word is held and counted, another is sent', async (t) => {
  const { host, mailer, status } = await open(t, { words: ['bargain'] })
  assert.equal(await mailer.askSendGates({ subject: 'Your receipt' }), null)
  const held = await mailer.askSendGates({ subject: 'A BARGAIN' })
  assert.equal(held?.error, 'unwanted_word')
  assert.equal(held?.message, 'The mail contains "bargain".')
  await mailer.askSendGates({ subject: 'Bargains' })
  await mailer.tick()
  const day = host.clock.now().toISOString().slice(0, 10)
  assert.deepEqual((await status()).days, [{ day, word: 'bargain', held: 2 }])
})

test('counts of one day are added up, and those of the next are apart', async (t) => {
  const { host, mailer, status } = await open(t, { words: ['bargain'] })
  for (const wait of [0, DAY_MS, 0]) {
    await host.clock.advance(wait)
    await mailer.askSendGates({ subject: 'Bargain' })
    await mailer.tick()
  }
  assert.deepEqual(
    (await status()).days.map(({ held }) => held),
    [2, 1]
  )
})

test('the admin API of the mailer answers the counts', async (t) => {
  const { host, mailer, status } = await open(t, { words: ['bargain'] })
  await mailer.askSendGates({ subject: 'Bargain' })
  await mailer.tick()
  const answer = await host.app.inject('/admin/mailer/api/unwanted-words')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), await status())
  assert.equal((await status()).days.length, 1)
})

test('a template with an unwanted word cannot be published', async (t) => {
  const { mailer } = await open(t)
  assert.equal(await mailer.askPublishGates({ html: '<p>Hello</p>' }), null)
  const refusal = await mailer.askPublishGates({ html: '<p>Free money!</p>' })
  assert.match(refusal?.message ?? '', /free money/)
})

test('the setup check warns when no words are set', async (t) => {
  const severities = async (config?: { readonly words: readonly string[] }) =>
    (await (await open(t, config)).mailer.readSetup()).map(({ severity }) => severity)
  assert.deepEqual(await severities({ words: [] }), ['warn'])
  assert.deepEqual(await severities(), ['ok'])
})

test('an administrator can check a text', async (t) => {
  const { host } = await open(t)
  const check = async (text: string) =>
    (
      await host.app.inject({
        method: 'POST',
        url: '/third-party-plugin/api/check',
        payload: { text }
      })
    ).json()
  assert.deepEqual(await check('ACT NOW'), { word: 'act now' })
  assert.deepEqual(await check('Good morning'), { word: null })
})

test('only administrators of the named tenants get in, on the page and in the API', async (t) => {
  const { host } = await open(t)
  for (const viewer of [
    { ...admin, role: 'viewer' },
    { ...admin, tenantId: 'globex' }
  ]) {
    host.signIn(viewer)
    for (const url of ['/third-party-plugin/api/status', '/third-party-plugin/status']) {
      assert.equal((await host.app.inject(url)).statusCode, 403, url)
    }
  }
})

test('the latest counts are served by an index', async (t) => {
  const { host } = await open(t)
  const days = host.db.collection('third_party_plugin_days')
  const plan = JSON.stringify(await days.find().sort({ day: -1, word: 1 }).explain('queryPlanner'))
  assert.match(plan, /IXSCAN/)
  assert.doesNotMatch(plan, /"stage":"SORT"/)
})

test('it starts where there is no mailer', async (t) => {
  const config = { adminTenants: ['acme'] }
  const host = await createTestHost({ plugin, viewer: admin, config })
  t.after(() => host.close())
  assert.equal((await host.app.inject('/third-party-plugin/api/status')).statusCode, 200)
})
