// The mailer as a plugin: from its config alone, with what other plugins contribute, and its administration.
import { test } from 'tap'
import { platformMailer, publish, sendOne } from './platform-mailer.ts'

const receipt = { slug: 'receipt', kind: 'transactional' } as const

test('it starts from its config alone and sends a mail', async (t) => {
  const platform = await platformMailer(t)
  t.match((await platform.admin('GET', '/templates')).body, [])
  await publish(platform, receipt)
  const sendId = await sendOne(platform, 'receipt')
  t.match((await platform.admin('GET', `/sends/${sendId}`)).body.send, { status: 'sent' })
  t.same(
    (await platform.health()).map(({ state }) => state),
    ['ready', 'ready', 'ready']
  )
})

test('without contacts it starts, and the setup list says so', async (t) => {
  const platform = await platformMailer(t, { withContacts: false })
  const { status, body } = await platform.admin('GET', '/setup-status')
  t.equal(status, 200)
  t.match(
    body.checks.find(({ name }: { name: string }) => name === 'contacts'),
    { severity: 'warn', hint: /mailer\.contacts/ }
  )
})
