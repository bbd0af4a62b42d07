// The checks of a rendered mail: what passes, warns and fails.
import { test } from 'tap'
import { type JudgedMail, judgeMail } from './judge-mail.ts'
import { isOpenable, linksIn } from './links-in.ts'

const words = 'Hello, these are words enough for the text part of a mail.'
const UNSUBSCRIBE = 'https://mail.example.test/m/unsub/abc'

function judged(mail: object = {}, more: Partial<JudgedMail> = {}) {
  const rendered = {
    subject: 'News',
    preheader: '',
    fromName: 'Acme',
    fromEmail: 'hello@acme.test',
    replyTo: null,
    html: `<p>${words}</p><p>1 Road</p><a href="${UNSUBSCRIBE}">Leave</a>`,
    text: words,
    unsubscribeUrl: UNSUBSCRIBE,
    ...mail
  }
  const results = judgeMail({
    kind: 'marketing',
    mail: rendered,
    values: new Map(),
    senderAddress: '1 Road',
    senderProblem: undefined,
    ...more
  })
  return Object.fromEntries(results.map((one) => [one.id, one]))
}

test('a good mail passes every check', async (t) => {
  const results = Object.values(judged())
  t.equal(results.length, 10)
  t.ok(results.every(({ status }) => status === 'pass'))
})

const faults = [
  ['unresolved_placeholders', 'fail', { html: '{{oops}}' }, { placeholders: ['{{oops}}'] }],
  ['links_absolute', 'fail', { html: '<a href="/x">go</a>' }, { invalid: ['/x'] }],
  ['unsubscribe_link', 'fail', { html: '<p></p>' }, undefined],
  ['sender_address', 'fail', { html: '<p></p>' }, undefined],
  ['plain_text', 'fail', { text: ' ' }, undefined],
  ['plain_text', 'warn', { text: 'Short.' }, { length: 6 }],
  ['subject', 'fail', { subject: ' ' }, undefined],
  ['subject', 'warn', { subject: 's'.repeat(79) }, { length: 79 }],
  ['html_size', 'warn', { html: 'x'.repeat(104_449) }, { bytes: 104_449 }]
] as const
for (const [id, status, mail, detail] of faults) {
  test(`${id} comes out as ${status}, with a sentence and a fix`, async (t) => {
    t.match(judged(mail)[id], { status, message: /./, fix: /./, ...(detail && { detail }) })
  })
}

test('values that are missing fail, values that are empty warn', async (t) => {
  const values = new Map([
    ['vars.gone', undefined],
    ['vars.empty', ''],
    ['vars.there', 'x']
  ])
  const results = judged({}, { values })
  t.match(results['unknown_variables'], { status: 'fail', detail: { missing: ['vars.gone'] } })
  t.match(results['empty_variables'], { status: 'warn', detail: { empty: ['vars.empty'] } })
})

test('a From domain that must not send fails with its reason', async (t) => {
  const result = judged({}, { senderProblem: 'x.test is not a sender domain' })['from_domain']
  t.match(result, { status: 'fail', message: /sender domain/ })
})

test('transactional mail is not asked for an exit or a postal address', async (t) => {
  const ids = Object.keys(judged({ unsubscribeUrl: null }, { kind: 'transactional' }))
  t.notOk(ids.includes('unsubscribe_link') || ids.includes('sender_address'))
})

test('links are read with their entities, each once', async (t) => {
  const html =
    '<a href="https://a.test/?x=1&amp;y=2">a</a><a href="https://a.test/?x=1&amp;y=2">b</a>'
  t.same(linksIn(html), ['https://a.test/?x=1&y=2'])
  for (const link of ['mailto:a@b.test', 'tel:+1', 'HTTPS://a.test']) t.ok(isOpenable(link), link)
  for (const link of ['', '/x', '//a.test', 'javascript:x', 'https://'])
    t.notOk(isOpenable(link), link)
})
