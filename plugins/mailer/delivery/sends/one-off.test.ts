// One-off mails and mails to operators.
import { test } from 'tap'
import { recordingSends } from '../../test/recording-sends.ts'
import { notify, sendOneOff } from './one-off.ts'

const mail = { templateSlug: 'notice', externalId: 'c1', dedupeKey: 'k' }

test('the same key answers the same id and mails once, also in parallel', async (t) => {
  const opened = await recordingSends(t)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sendOneOff(opened.context, mail))
  )
  await opened.run()
  t.equal(new Set(answers.map(({ sendId }) => sendId)).size, 1)
  t.equal(opened.sent.length, 1)
})

test('a mail keeps kind and variables, and the address of its contact', async (t) => {
  const opened = await recordingSends(t)
  await sendOneOff(opened.context, { ...mail, templateSlug: 'news', vars: { code: 7 } })
  const row = { kind: 'marketing', vars: { code: 7 }, emailAtSend: 'c1@example.test' }
  t.match(await opened.rowOf('c1'), row)
})

const refused: readonly (readonly [string, object, string])[] = [
  ['no dedupeKey', { dedupeKey: undefined }, 'MLR_INPUT_INVALID'],
  ['a key over 512 characters', { dedupeKey: 'k'.repeat(513) }, 'MLR_INPUT_INVALID'],
  ['an id that is not text', { externalId: 7 }, 'MLR_INPUT_INVALID'],
  ['variables over 64 kB', { vars: { a: 'x'.repeat(70_000) } }, 'MLR_INPUT_INVALID'],
  ['an unpublished template', { templateSlug: 'none' }, 'MLR_TEMPLATE_UNPUBLISHED'],
  ['an unknown contact', { externalId: 'stranger' }, 'MLR_CONTACT_UNKNOWN'],
  ['an unknown provider', { providerOverride: 'other' }, 'MLR_PROVIDER_UNKNOWN']
]
for (const [name, more, code] of refused) {
  test(`${name} is refused, and nothing is queued`, async (t) => {
    const { context } = await recordingSends(t)
    await t.rejects(sendOneOff(context, { ...mail, ...more }), { code })
    t.equal(await context.collections.sends.countDocuments(), 0)
  })
}

const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('hello') }

test('attachments travel with the mail, and the ledger forgets them afterwards', async (t) => {
  const opened = await recordingSends(t)
  await sendOneOff(opened.context, { ...mail, attachments: [{ ...file, contentId: 'logo' }] })
  await opened.run()
  t.match(opened.sent[0]?.attachments, [{ filename: 'a.txt', contentId: 'logo' }])
  t.equal(opened.sent[0]?.attachments?.[0]?.content.toString(), 'hello')
  t.notOk((await opened.rowOf('c1')).attachments)
})

test('attachments over the limit, or with a name that breaks a header, are refused', async (t) => {
  const { context } = await recordingSends(t)
  const large = { ...file, content: Buffer.alloc(8 * 1024 * 1024) }
  for (const attachments of [[large], [{ ...file, filename: 'a\r\nBcc: x' }]]) {
    await t.rejects(sendOneOff(context, { ...mail, attachments }), { code: 'MLR_INPUT_INVALID' })
  }
})

const toOperators = { to: 'Ops@example.test', subject: 'Alert', text: 'Disk full', dedupeKey: 'd' }

test('a mail to operators needs no contact and no template, and goes once per key', async (t) => {
  const from = { name: 'Acme', email: 'ops@acme.test' }
  const opened = await recordingSends(t, { config: { fromDefaults: from } })
  t.same(await notify(opened.context, toOperators), { isNew: true })
  t.same(await notify(opened.context, toOperators), { isNew: false })
  await opened.run()
  t.match(opened.sent, [{ to: 'ops@example.test', subject: 'Alert', text: 'Disk full' }])
})

test('a mail to operators cannot bring another header', async (t) => {
  const { context } = await recordingSends(t)
  const subject = 'Alert\r\nBcc: thief@example.test'
  await t.rejects(notify(context, { ...toOperators, subject }), { code: 'MLR_INPUT_INVALID' })
})
