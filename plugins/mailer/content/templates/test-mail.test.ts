// The mail that a content scorer gets: as a recipient would get it.
import { simpleParser } from 'mailparser'
import { test } from 'tap'
import { isPreview } from '../../audience/contacts/unsubscribe-token.ts'
import { testContext } from '../../test/test-context.ts'
import { changeDraft, createTemplate } from './edit-template.ts'
import { sampleMessage } from './test-mail.ts'

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
