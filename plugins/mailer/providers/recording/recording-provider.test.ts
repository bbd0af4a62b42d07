// Providers without a vendor: one keeps mails, one drops them, and both refuse what no vendor may see.
import { test } from 'tap'
import { createNullProvider, createRecordingProvider } from './recording-provider.ts'

const message = {
  to: 'ann@example.test',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  subject: 'Welcome',
  text: 'Hello'
}
const send = {
  messageId: '<id.1@acme.test>',
  idempotencyKey: 'id',
  signal: new AbortController().signal
}

test('the recording provider keeps mails until it is reset', async (t) => {
  const provider = createRecordingProvider()
  t.equal(provider.name, 'recording')
  t.match(await provider.send(message, send), { status: 'accepted', providerId: /./ })
  t.same(provider.sent, [message])
  t.same(provider.records, [{ message, messageId: send.messageId, idempotencyKey: 'id' }])
  provider.reset()
  t.same([provider.sent, provider.records], [[], []])
})

test('the null provider accepts mail under the name it was given', async (t) => {
  const provider = createNullProvider({ name: 'sandbox', sendRatePerSecond: 3 })
  t.match(provider, { name: 'sandbox', sendRatePerSecond: 3 })
  t.match(await provider.send(message, send), { status: 'accepted' })
})

test('no webhook of theirs is genuine', async (t) => {
  for (const provider of [createNullProvider(), createRecordingProvider()]) {
    t.equal(provider.verifyWebhook(Buffer.from('[]'), {}), false)
    t.same(provider.parseWebhookEvents([], {}), [])
  }
})

const attachment = { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('x') }
const hostile: readonly (readonly [string, object])[] = [
  ['a header value with a line break', { headers: { 'X-A': 'a\r\nBcc: b@b.test' } }],
  ['a header value with a lone line feed', { headers: { 'X-A': 'a\nb' } }],
  ['a header name with a colon', { headers: { 'X-A: b\r\nY': 'a' } }],
  ['a subject with a line break', { subject: 'a\r\nBcc: b@b.test' }],
  ['a sender name with a line break', { fromName: 'a\nb' }],
  ['two recipients', { to: 'a@a.test, b@b.test' }],
  ['a recipient without @', { to: 'ann' }],
  ['a recipient with a line break', { to: 'a@a.test\r\nDATA' }],
  ['a reply address with angle brackets', { replyTo: 'A <a@a.test>' }],
  ['a file name with a line break', { attachments: [{ ...attachment, filename: 'a\r\nb' }] }],
  ['a media type with a line break', { attachments: [{ ...attachment, contentType: 'a/b\r\nc' }] }],
  ['a content id with a bracket', { attachments: [{ ...attachment, contentId: 'a>b' }] }],
  ['metadata with a line break', { messageMeta: { sendId: 'a\nb' } }]
]
for (const [name, more] of hostile) {
  test(`${name} is refused`, async (t) => {
    const provider = createRecordingProvider()
    const result = await provider.send({ ...message, ...more }, send)
    t.match(result, { status: 'rejected', reason: /\w/ })
    t.notMatch(JSON.stringify(result), /b\.test|DATA/)
    t.same(provider.sent, [])
  })
}

test('a mail with names in any language and attachments is taken', async (t) => {
  const provider = createRecordingProvider()
  const rich = {
    ...message,
    to: 'jörg@bücher.test',
    fromName: 'Ümit "Ü" O’Neill, Co.',
    subject: 'Grüße 🎉',
    headers: { 'List-Unsubscribe': '<https://a.test/u>' },
    attachments: [{ ...attachment, contentType: 'text/plain; charset=utf-8', contentId: 'logo' }]
  }
  t.match(await provider.send(rich, send), { status: 'accepted' })
})
