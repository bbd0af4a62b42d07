// The mail that a content scorer gets: as a recipient would get it.
import { simpleParser } from 'mailparser'
import { test } from 'tap'
import { isPreview } from '../../audience/contacts/unsubscribe-token.ts'
import { createRecordingProvider } from '../../providers/recording/recording-provider.ts'
import { publicApp } from '../../test/public-app.ts'
import { testContext } from '../../test/test-context.ts'
import { changeDraft, createTemplate } from './edit-template.ts'
import { sampleMessage, sendTestMail } from './test-mail.ts'

const acting = { actor: 'human:ann@example.test' }
const html =
  '<p>50 % off</p><a href="https://acme.test/a?b=1">Shop</a> <a href="{{unsubscribeUrl}}">Leave</a>'

test('a sample has the links, headers and parts of a real mail, and unsubscribes no person', async (t) => {
  const fromDefaults = { name: 'Acme', email: 'hello@acme.test' }
  const { context } = await testContext(t, { config: { fromDefaults } })
  await createTemplate(context, { slug: 'news', name: 'News', kind: 'marketing' }, acting)
  await changeDraft(context, 'news', { subject: '50 % off', html }, acting)
  const mail = await simpleParser(Buffer.from(await sampleMessage(context, 'news', 'draft')))
  t.match(mail, {
    subject: '50 % off',
    from: { text: '"Acme" <hello@acme.test>' },
    to: { value: [{ address: 'sample@example.test' }] },
    html: /href="https:\/\/acme\.test\/a\?b=1"/,
    text: /50 % off/
  })
  const line = (name: string) => mail.headerLines.find(({ key }) => key === name)?.line ?? ''
  t.match(line('list-unsubscribe-post'), /List-Unsubscribe=One-Click/)
  const [, address = ''] = /<([^>]+)>/.exec(line('list-unsubscribe')) ?? []
  t.match(mail.html, `href="${address}"`, 'the link of the header is that of the mail')
  const token = address.slice(address.lastIndexOf('/') + 1)
  t.ok(isPreview(token, context.config.unsubscribeSecret))
})

const person = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }
const links =
  '<a href="{{unsubscribeUrl}}">a</a> <a href="{{preferencesUrl}}">b</a> <a href="{{viewInBrowserUrl}}">c</a>'

test('no address in a test mail changes anything for the contact whose data it has', async (t) => {
  const provider = createRecordingProvider()
  const { context } = await testContext(t, {
    providers: { recording: provider },
    contacts: [person],
    config: { fromDefaults: { name: 'Acme', email: 'hello@acme.test' } }
  })
  const app = await publicApp(t, context)
  await createTemplate(context, { slug: 'news', name: 'News', kind: 'marketing' }, acting)
  await changeDraft(context, 'news', { subject: 'News', html: links, trackOpens: true }, acting)
  const mail = { templateSlug: 'news', to: 'me@acme.test', contactId: 'c1', isMarked: true }
  t.match(await sendTestMail(context, mail), { ok: true })
  const [sent] = provider.sent
  t.equal(sent?.subject, '[Test] News')
  const whole = `${sent?.html} ${sent?.text} ${Object.values(sent?.headers ?? {}).join(' ')}`
  const found = new Set(whole.match(/https?:\/\/[^\s"<>)\]]+\/m\/[^\s"<>)\]]+/g))
  t.ok(found.size >= 2, 'the links of the mailer')
  for (const address of found) {
    const { pathname: url } = new URL(address)
    for (const method of ['GET', 'POST'] as const)
      for (const path of [url, `${url}/preferences`])
        await app.inject({ method, url: path, payload: 'List-Unsubscribe=One-Click&choice=all' })
  }
  const { suppressions, subscriptions, sends, auditLog } = context.collections
  for (const rows of [suppressions, subscriptions, sends]) t.equal(await rows.countDocuments(), 0)
  t.equal(await auditLog.countDocuments({ action: /contact|suppression/ }), 0)
})
