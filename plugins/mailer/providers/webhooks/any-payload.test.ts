// Webhooks that hold anything: no provider throws, and what it answers is complete.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import type { MailProvider, ProviderEvent } from '../../contracts/mailer-provider.ts'
import { createMailgunProvider } from '../mailgun/mailgun-provider.ts'
import { createPostmarkProvider } from '../postmark/postmark-provider.ts'
import { createResendProvider } from '../resend/resend-provider.ts'
import { createSendGridProvider } from '../sendgrid/sendgrid-provider.ts'
import { createSesProvider } from '../ses/ses-provider.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const webhookVerificationKey = publicKey.export({ type: 'spki', format: 'pem' }) as string
const seconds = String(Math.floor(Date.now() / 1000))
const headers = {
  'svix-id': 'msg_1',
  'svix-timestamp': seconds,
  'svix-signature': 'v1,AAAA',
  'x-token': 'y',
  'x-twilio-email-event-webhook-timestamp': seconds,
  'x-twilio-email-event-webhook-signature': 'AAAA'
}
const time = '2026-03-01T10:00:00.000Z'

/** A provider, one genuine payload, and how an event becomes a payload. */
const vendors: readonly (readonly [MailProvider, object, (event: unknown) => unknown])[] = [
  [
    createSendGridProvider({ apiKey: 'x', webhookVerificationKey }),
    {
      event: 'bounce',
      type: 'bounce',
      email: 'a@a.test',
      timestamp: 1.7e9,
      sg_event_id: 'e',
      sg_message_id: 'm.f',
      reason: '550 5.1.1 no',
      status: '5.1.1'
    },
    (event) => [event]
  ],
  [
    createMailgunProvider({ apiKey: 'x', domain: 'a.test', webhookSigningKey: 'x' }),
    {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      id: 'e',
      timestamp: 1.7e9,
      recipient: 'a@a.test',
      'delivery-status': { code: 550 },
      message: { headers: { 'message-id': 'm' } }
    },
    (event) => ({ 'event-data': event })
  ],
  [
    createPostmarkProvider({ serverToken: 'x', webhookAuth: { header: 'x-token', token: 'x' } }),
    {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      ID: 1,
      MessageID: 'm',
      Email: 'a@a.test',
      BouncedAt: time,
      Details: 'smtp;550 5.1.1 no',
      Metadata: {}
    },
    (event) => event
  ],
  [
    createResendProvider({ apiKey: 'x', webhookSecret: `whsec_${'A'.repeat(32)}` }),
    {
      type: 'email.bounced',
      created_at: time,
      data: { email_id: 'm', to: ['a@a.test'], bounce: { type: 'Permanent' }, tags: {} }
    },
    (event) => event
  ],
  [
    createSesProvider({ region: 'x', accessKeyId: 'x', secretAccessKey: 'x', topicArns: ['x'] }),
    {
      eventType: 'Bounce',
      mail: { messageId: 'm', timestamp: time, tags: {} },
      bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'a@a.test' }] }
    },
    (event) => ({
      Type: 'Notification',
      MessageId: 'e',
      TopicArn: 't',
      Message: JSON.stringify(event),
      Timestamp: time,
      Signature: 's',
      SignatureVersion: '2',
      SigningCertURL: 'u'
    })
  ]
]

/** The event with some members replaced, at any depth. */
function spoiled(event: object): fc.Arbitrary<unknown> {
  const any = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(Number.NaN, 1e300, -1, '\u0000', '__proto__', 'x'.repeat(9000))
  )
  const members = Object.entries(event).map(([name, value]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const arbitraries = [
      { weight: 3, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: any },
      ...(isObject ? [{ weight: 1, arbitrary: spoiled(value) }] : [])
    ]
    return [name, fc.oneof(...arbitraries)] as const
  })
  return fc.record(Object.fromEntries(members))
}

const isComplete = (event: ProviderEvent) =>
  typeof event.type === 'string' &&
  event.providerEventId.length > 0 &&
  event.providerEventId.length <= 600 &&
  (event.providerMessageId === null || event.providerMessageId.length <= 500) &&
  /^[^@\s]+@[^@\s]+$/.test(event.email) &&
  !Number.isNaN(event.occurredAt.getTime()) &&
  (event.type !== 'bounce' || ['hard', 'soft'].includes(event.details.bounceType ?? ''))

for (const [provider, genuine, wrap] of vendors) {
  test(`${provider.name}: a genuine event is read, and a spoiled one never throws`, async (t) => {
    const read = (payload: unknown) =>
      provider.parseWebhookEvents(payload, headers) as readonly ProviderEvent[]
    t.match(read(wrap(genuine)), [{ type: 'bounce', email: 'a@a.test', providerMessageId: 'm' }])
    fc.assert(fc.property(spoiled(genuine), (event) => read(wrap(event)).every(isComplete)))
    fc.assert(fc.property(fc.jsonValue(), (payload) => read(payload).every(isComplete)))
  })

  test(`${provider.name}: a request of anything is not genuine`, async (t) => {
    const bodies = fc.oneof(fc.json(), fc.string()).map((body) => Buffer.from(body))
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => !(await provider.verifyWebhook(body, headers)))
    )
    t.pass()
  })
}
