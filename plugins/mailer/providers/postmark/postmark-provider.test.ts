// Postmark: the call that is made, its webhooks, and its search for mail.
import { test } from 'tap'
import { SEND_ID, sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { vendorCases } from '../test/vendor-cases.ts'
import { answers, vendorServer } from '../test/vendor-server.ts'
import { createPostmarkProvider } from './postmark-provider.ts'

const serverToken = 'very-secret-token'
const accepted = { To: 'ann@example.test', MessageID: 'pm-1', ErrorCode: 0, Message: 'OK' }

vendorCases({
  name: 'Postmark',
  secrets: [serverToken],
  create: ({ baseUrl }) => createPostmarkProvider({ serverToken, baseUrl }),
  accepts: answers(200, accepted),
  errorBody: (message) => ({ ErrorCode: 406, Message: message })
})

test('Postmark: the call keeps our Message-ID and metadata, and has no tracking', async (t) => {
  const { url, requests } = await vendorServer(t, answers(200, accepted))
  const provider = createPostmarkProvider({ serverToken, baseUrl: url, messageStream: 'broadcast' })
  const mail = { ...sampleMail, attachments: sampleFiles }
  t.match(await provider.send(mail, sampleSend()), { status: 'accepted', providerId: 'pm-1' })
  t.match(requests[0], { path: '/email', headers: { 'x-postmark-server-token': serverToken } })
  t.match(JSON.parse(String(requests[0]?.body)), {
    From: '"Acme, Inc." <hello@acme.test>',
    To: 'ann@example.test',
    TrackOpens: false,
    TrackLinks: 'None',
    MessageStream: 'broadcast',
    Metadata: { sendId: SEND_ID },
    Headers: [
      { Name: 'List-Unsubscribe' },
      { Name: 'List-Unsubscribe-Post' },
      { Name: 'Message-ID', Value: sampleSend().messageId },
      { Name: 'X-PM-KeepID', Value: 'true' }
    ],
    Attachments: [{ Name: 'invoice.pdf' }, { ContentID: 'cid:logo' }]
  })
})

test('Postmark: a sender that is not confirmed is the fault of the account', async (t) => {
  const { url } = await vendorServer(
    t,
    answers(422, { ErrorCode: 400, Message: 'Sender signature' })
  )
  const provider = createPostmarkProvider({ serverToken, baseUrl: url })
  await t.rejects(provider.send(sampleMail, sampleSend()), { code: 'MLR_MAIL_NOT_TAKEN' })
})

test('Postmark: a webhook is known by its password or its header', async (t) => {
  const basic = createPostmarkProvider({
    serverToken,
    webhookAuth: { user: 'pm', password: 'pä:ss' }
  })
  const header = createPostmarkProvider({
    serverToken,
    webhookAuth: { header: 'X-Token', token: 'abc' }
  })
  const authorization = `Basic ${Buffer.from('pm:pä:ss').toString('base64')}`
  const body = Buffer.from('{}')
  t.equal(basic.verifyWebhook(body, { authorization }), true)
  t.equal(header.verifyWebhook(body, { 'x-token': 'abc' }), true)
  for (const headers of [
    {},
    { authorization: 'Basic x' },
    { authorization: [authorization, authorization] }
  ])
    t.equal(basic.verifyWebhook(body, headers), false)
  for (const headers of [{}, { 'x-token': 'abd' }, { 'x-token': '' }, { authorization }])
    t.equal(header.verifyWebhook(body, headers), false)
  t.equal(createPostmarkProvider({ serverToken }).verifyWebhook(body, { authorization }), false)
})

test('Postmark: a wrong form of webhook authentication is refused, and its password not shown', async (t) => {
  const make = () =>
    createPostmarkProvider({ serverToken, webhookAuth: { password: 'hunter2' } as never })
  t.throws(make, { code: 'MLR_PROVIDER_INVALID', message: /^(?!.*hunter2).*webhookAuth/s })
})

const read = (event: unknown) =>
  createPostmarkProvider({ serverToken }).parseWebhookEvents(event, {})
const base = { MessageID: 'pm-1', Recipient: 'Ann@Example.test', Metadata: { sendId: SEND_ID } }
const at = '2026-03-01T10:00:00.0000000-05:00'

test('Postmark: events have our types, and ids that repeat with the event', async (t) => {
  const delivery = { ...base, RecordType: 'Delivery', DeliveredAt: at, Details: '250 ok' }
  t.match(await read(delivery), [
    {
      type: 'delivered',
      providerMessageId: 'pm-1',
      email: 'ann@example.test',
      occurredAt: new Date('2026-03-01T15:00:00Z'),
      details: { sendId: SEND_ID }
    }
  ])
  t.same(await read(delivery), await read(delivery))
  const click = { ...base, RecordType: 'Click', ReceivedAt: at, OriginalLink: 'https://a.test/' }
  t.match(await read(click), [{ type: 'click', details: { url: 'https://a.test/' } }])
  t.match(await read({ ...base, RecordType: 'Open', ReceivedAt: at, UserAgent: 'Reader' }), [
    { type: 'open', details: { userAgent: 'Reader' } }
  ])
  const optOut = { ...base, RecordType: 'SubscriptionChange', ChangedAt: at, SuppressSending: true }
  t.match(await read({ ...optOut, SuppressionReason: 'ManualSuppression' }), [
    { type: 'unsubscribe' }
  ])
  t.same(
    await read({ ...optOut, SuppressionReason: 'HardBounce' }),
    [],
    'a bounce is an event already'
  )
})

test('Postmark: bounces differ by their kind', async (t) => {
  const kinds: Readonly<Record<string, object | null>> = {
    HardBounce: {
      type: 'bounce',
      details: { bounceType: 'hard', code: 550, enhancedCode: '5.1.1' }
    },
    SoftBounce: { type: 'bounce', details: { bounceType: 'soft' } },
    Blocked: { type: 'bounce', details: { bounceType: 'soft' } },
    Transient: { type: 'deferred' },
    SpamComplaint: { type: 'spam_report' },
    Unsubscribe: { type: 'unsubscribe' },
    ManuallyDeactivated: { type: 'dropped', details: { bounceType: undefined } },
    AutoResponder: null,
    constructor: { type: 'bounce', details: { bounceType: 'soft' } }
  }
  for (const [Type, expected] of Object.entries(kinds)) {
    const bounce = { RecordType: 'Bounce', Type, ID: 42, MessageID: 'pm-1', Email: 'a@a.test' }
    // The server's words would decide for the kinds that may pass.
    const Details = Type === 'HardBounce' ? 'smtp;550 5.1.1 no such user' : 'smtp;550 refused'
    const events = await read({ ...bounce, BouncedAt: at, Details })
    if (expected === null) t.same(events, [], Type)
    else t.match(events, [{ ...expected, providerEventId: 'Bounce:42' }], Type)
  }
})

test('Postmark: what cannot be read is left out', async (t) => {
  const delivery = { ...base, RecordType: 'Delivery', DeliveredAt: at }
  const odd = [
    null,
    7,
    'x',
    {},
    { RecordType: 'Delivery' },
    { ...delivery, Recipient: 7 },
    { ...delivery, DeliveredAt: 1 }
  ]
  for (const event of odd) t.same(await read(event), [])
  t.equal((await read([null, delivery, 7])).length, 1)
})

const attemptedAt = new Date('2026-03-01T10:00:00Z')
const lookUp = async (baseUrl: string, minutes: number) =>
  createPostmarkProvider({
    serverToken,
    baseUrl,
    clock: { now: () => new Date(attemptedAt.getTime() + minutes * 60_000) }
  }).lookUp?.({ ...sampleSend(), to: 'ann@example.test', attemptedAt })

test('Postmark: a mail that is found was accepted', async (t) => {
  const { url, requests } = await vendorServer(
    t,
    answers(200, { TotalCount: 1, Messages: [{ MessageID: 'pm-1' }] })
  )
  t.match(await lookUp(url, 1), { status: 'accepted', providerId: 'pm-1' })
  t.match(requests[0], {
    method: 'GET',
    path: `/messages/outbound?count=1&offset=0&metadata_sendId=${SEND_ID}`
  })
})

test('Postmark: a missing mail is absent only while it would be in the list', async (t) => {
  const { url } = await vendorServer(t, answers(200, { TotalCount: 0, Messages: [] }))
  t.match(await lookUp(url, 1), { status: 'unknown' })
  t.match(await lookUp(url, 20), { status: 'absent' })
  t.match(await lookUp(url, 60 * 24 * 41), { status: 'unknown' })
})

test('Postmark: an answer that is not a list is asked for again', async (t) => {
  for (const behave of [answers(200, { Messages: {} }), answers(500, {}), answers(200, '<html>')]) {
    const { url } = await vendorServer(t, behave)
    await t.rejects(lookUp(url, 20), { code: 'MLR_LOOK_UP_FAILED' })
  }
  await t.rejects(lookUp('http://127.0.0.1:9', 20), { code: 'MLR_LOOK_UP_FAILED' })
})
