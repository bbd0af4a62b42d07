// Third party plugin on a test host, beside a stand-in for the mailer.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { definePlugin, type Host } from '@keelson/sdk'
import type { MailerCore, TemplateContent } from '@keelson/sdk/contracts/mailer-core'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { type GatedSend, mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.ts'
import type { Status } from '../schemas.ts'

const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:u1' }
const DAY_MS = 86_400_000

/** The part of a mail that this plugin reads. */
const send = (subject: string, text = ''): GatedSend => ({ subject, text }) as GatedSend
const template = (html: string): TemplateContent =>
  ({ subject: 'Hello', text: '', html }) as TemplateContent

/** Does what the mailer does: owns the extension points and asks the contributors. */
async function open(t: TestContext, config?: { readonly words: readonly string[] }) {
  let mailer: Host | undefined
  const standIn = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'mailer',
      name: 'Stand-in',
      version: '1.0.0',
      kernel: '*',
      description: 'Owns the extension points of the mailer.',
      license: 'MIT',
      extensionPoints: [mailerSendGate, mailerPublishGate, mailerSetupCheck, mailerTick].map(
        ({ id }) => id
      )
    },
    register(host) {
      mailer = host
    }
  })
  const host = await createTestHost({
    plugin,
    plugins: [standIn],
    viewer: admin,
    ...(config && { config })
  })
  t.after(() => host.close())
  assert.ok(mailer)
  const [sendGate] = mailer.contributions(mailerSendGate)
  const [publishGate] = mailer.contributions(mailerPublishGate)
  const [setupCheck] = mailer.contributions(mailerSetupCheck)
  const [task] = mailer.contributions(mailerTick)
  const { log, signal } = mailer
  const context = () => ({
    now: host.clock.now(),
    signal,
    log,
    actor: 'human:a@acme.test',
    options: {},
    // These contributions ask the mailer nothing.
    mailer: {} as MailerCore
  })
  return {
    host,
    check: async (mail: GatedSend) => sendGate?.check?.(mail, context()),
    publish: async (content: TemplateContent) => publishGate?.check(content, context()),
    setUp: async () => setupCheck?.run(context()),
    tick: async () => task?.run(context()),
    status: async (): Promise<Status> =>
      (await host.app.inject('/third-party-plugin/api/status')).json()
  }
}

test('a mail with an unwanted word is held and counted, another is sent', async (t) => {
  const { host, check, tick, status } = await open(t, { words: ['bargain'] })
  assert.equal(await check(send('Your receipt', 'Thank you.')), null)
  const held = await check(send('A BARGAIN'))
  assert.deepEqual(held, { error: 'unwanted_word', message: 'The mail contains "bargain".' })
  await check(send('Bargains'))
  await tick()
  const day = host.clock.now().toISOString().slice(0, 10)
  assert.deepEqual((await status()).days, [{ day, word: 'bargain', held: 2 }])
})

test('counts of one day are added up, and those of the next are apart', async (t) => {
  const { host, check, tick, status } = await open(t, { words: ['bargain'] })
  for (const wait of [0, DAY_MS, 0]) {
    await host.clock.advance(wait)
    await check(send('Bargain'))
    await tick()
  }
  assert.deepEqual(
    (await status()).days.map(({ held }) => held),
    [2, 1]
  )
})

test('a template with an unwanted word cannot be published', async (t) => {
  const { publish } = await open(t)
  assert.equal(await publish(template('<p>Hello</p>')), null)
  assert.match((await publish(template('<p>Free money!</p>')))?.message ?? '', /free money/)
})

test('the setup check warns when no words are set', async (t) => {
  const { setUp } = await open(t, { words: [] })
  assert.equal((await setUp())?.severity, 'warn')
  const other = await open(t)
  assert.equal((await other.setUp())?.severity, 'ok')
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

test('only administrators get in', async (t) => {
  const { host } = await open(t)
  host.signIn({ ...admin, role: 'viewer' })
  assert.equal((await host.app.inject('/third-party-plugin/api/status')).statusCode, 403)
})

test('it starts where there is no mailer', async (t) => {
  const host = await createTestHost({ plugin, viewer: admin })
  t.after(() => host.close())
  assert.equal((await host.app.inject('/third-party-plugin/api/status')).statusCode, 200)
})
