// Third party plugin, beside a stand-in for the mailer, on a kernel and a database of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin } from '@keelson/sdk'
import { mailerPublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import { mailerSendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { mailerTick } from '@keelson/sdk/contracts/mailer-tick'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.js'

const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:u1' }
const points = [mailerSendGate, mailerPublishGate, mailerSetupCheck, mailerTick]

/** What the mailer would do: owns the points and asks the contributors. */
async function open(t, config) {
  let mailer
  const standIn = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'mailer',
      name: 'Stand-in',
      version: '1.0.0',
      kernel: '*',
      description: 'Owns the extension points of the mailer.',
      license: 'MIT',
      extensionPoints: points.map(({ id }) => id)
    },
    register(host) {
      mailer = host
    }
  })
  const host = await createTestHost({ plugin, plugins: [standIn], config, viewer: admin })
  t.after(() => host.close())
  const [sendGate, publishGate, setupCheck, tick] = points.map(
    (point) => mailer.contributions(point)[0]
  )
  const status = async () => (await host.app.inject('/third-party-plugin/api/status')).json()
  return { host, sendGate, publishGate, setupCheck, tick, status }
}

test('a mail with an unwanted word is held and shown, another goes', async (t) => {
  const { sendGate, status } = await open(t, { words: ['bargain'] })
  assert.equal(await sendGate.check({ subject: 'Your receipt', text: 'Thank you.' }), null)
  const answer = await sendGate.check({ subject: 'A BARGAIN', text: '' })
  assert.equal(answer.error, 'third_party_plugin_word')
  assert.deepEqual(
    (await status()).latest.map(({ word }) => word),
    ['bargain']
  )
})

test('a template with an unwanted word cannot be published', async (t) => {
  const { publishGate } = await open(t)
  assert.equal(publishGate.check({ subject: 'Hello', html: '<p>Hello</p>' }), null)
  assert.match(publishGate.check({ html: '<p>Free money!</p>' }).message, /free money/)
})

test('the setup check warns when there is nothing to watch for', async (t) => {
  const { setupCheck } = await open(t, { words: [] })
  assert.equal(setupCheck.run().severity, 'warn')
  const other = await open(t)
  assert.equal(other.setupCheck.run().severity, 'ok')
})

test('what was held is forgotten after 30 days', async (t) => {
  const { host, sendGate, tick, status } = await open(t)
  await sendGate.check({ subject: 'Act now' })
  await host.clock.advance(31 * 86_400_000)
  await tick.run()
  assert.deepEqual((await status()).latest, [])
})

test('what was held can be forgotten by hand', async (t) => {
  const { host, sendGate } = await open(t)
  const forget = () => host.app.inject({ method: 'DELETE', url: '/third-party-plugin/api/held' })
  await sendGate.check({ subject: 'Act now' })
  assert.equal((await forget()).statusCode, 204)
  assert.equal((await forget()).statusCode, 404)
})

test('only an admin may look', async (t) => {
  const { host } = await open(t)
  host.signIn({ ...admin, role: 'viewer' })
  assert.equal((await host.app.inject('/third-party-plugin/api/status')).statusCode, 403)
})

test('it starts where there is no mailer', async (t) => {
  const host = await createTestHost({ plugin, viewer: admin })
  t.after(() => host.close())
  assert.equal((await host.app.inject('/third-party-plugin/api/status')).statusCode, 200)
})
