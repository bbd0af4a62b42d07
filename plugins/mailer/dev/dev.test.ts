// The mailer as keelson dev --with mailer runs it: mails arrive in the mailbox, and a gate holds one.
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { test } from 'tap'
import { mailerSendGate } from '../contracts/index.ts'
import mailer from '../plugin.ts'
import { mailerDev, mailerDevConfig } from './index.ts'

const gate = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'words',
    name: 'Words',
    version: '1.0.0',
    kernel: '*',
    description: 'Holds one word.',
    license: 'MIT',
    uses: [mailerSendGate.id]
  },
  register(host) {
    host.extend(mailerSendGate, {
      name: 'words',
      check: ({ subject }) =>
        /act now/i.test(subject) ? { error: 'unwanted_word', message: 'It says "act now".' } : null
    })
  }
})

test('a receipt arrives in the mailbox, and an offer is held by the gate in development', async (t) => {
  const host = await createTestHost({
    plugin: mailerDev,
    plugins: [mailer, gate],
    viewer: { tenantId: '*', role: 'admin', viewerRef: 'user:dev' },
    platform: { plugins: { mailer: { config: mailerDevConfig('http://127.0.0.1:3000') } } }
  })
  t.teardown(() => host.close())
  const send = (template: string, subject: string) =>
    host.app.inject({
      method: 'POST',
      url: '/mailer-dev/api/mails',
      payload: { template, subject }
    })
  t.equal((await send('receipt', '')).statusCode, 202)
  t.equal((await send('offer', 'Act now')).statusCode, 202)
  for (let times = 0; times < 4; times++) await host.clock.advance(30_000)
  const { items } = (await host.app.inject('/mailer-dev/api/mails')).json()
  t.match(items, [{ to: 'ada@example.test', subject: 'Your receipt', text: /Ada/ }])
  const sends = (await host.app.inject('/admin/mailer/api/sends')).body
  t.match(sends, 'It says \\"act now\\".')
})
