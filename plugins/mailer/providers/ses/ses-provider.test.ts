// Amazon SES: the call that is made, and notifications of SNS: whose they are, and what they say.
import { generateKeyPairSync, sign } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { type Test, test } from 'tap'
import { MockAgent, fetch as undiciFetch } from 'undici'
import { CERTIFICATE, PRIVATE_KEY } from '../test/certificate.ts'
import { SEND_ID, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { vendorCases } from '../test/vendor-cases.ts'
import { answers, vendorServer } from '../test/vendor-server.ts'
import { createSesProvider, type SesProviderOptions } from './ses-provider.ts'

const account = {
  region: 'eu-central-1',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'very/secret',
  sessionToken: 'secret-token'
}
const rawMail = (body: string) =>
  Buffer.from(JSON.parse(body).Content.Raw.Data, 'base64').toString('latin1')

vendorCases({
  name: 'SES',
  secrets: ['very/secret', 'secret-token'],
  create: ({ baseUrl }) => createSesProvider({ ...account, baseUrl }),
  accepts: answers(200, { MessageId: 'ses-1' }),
  errorBody: (message) => ({ message }),
  mailIn: rawMail
})

test('SES: the call holds the whole mail, its tags and its configuration set', async (t) => {
  const { url, requests } = await vendorServer(t, answers(200, { MessageId: 'ses-1' }))
  const provider = createSesProvider({ ...account, baseUrl: url, configurationSet: 'mail' })
  t.match(await provider.send(sampleMail, sampleSend()), {
    status: 'accepted',
    providerId: 'ses-1'
  })
  const [request] = requests
  t.equal(request?.path, '/v2/email/outbound-emails')
  t.match(request?.headers, {
    authorization:
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/ses\/aws4_request, /,
    'x-amz-security-token': 'secret-token'
  })
  t.match(JSON.parse(String(request?.body)), {
    FromEmailAddress: 'hello@acme.test',
    Destination: { ToAddresses: ['ann@example.test'] },
    EmailTags: [{ Name: 'sendId', Value: SEND_ID }],
    ConfigurationSetName: 'mail'
  })
  const mail = await simpleParser(rawMail(String(request?.body)))
  t.match(mail, { subject: sampleMail.subject, html: sampleMail.html })
})

test('SES: an account that may not send is tried again', async (t) => {
  const paused = answers(
    400,
    { message: 'paused' },
    { 'x-amzn-errortype': 'SendingPausedException' }
  )
  const { url } = await vendorServer(t, paused)
  const provider = createSesProvider({ ...account, baseUrl: url })
  await t.rejects(provider.send(sampleMail, sampleSend()), { code: 'MLR_MAIL_NOT_TAKEN' })
})

const topicArn = 'arn:aws:sns:eu-central-1:123456789012:mail'
const certificateUrl = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem'
const now = new Date('2026-12-01T10:00:00Z')

function message(more: Readonly<Record<string, string>> = {}, key: string = PRIVATE_KEY) {
  const said: Record<string, string> = {
    Type: 'Notification',
    MessageId: 'sns-1',
    TopicArn: topicArn,
    Message: '{}',
    Timestamp: now.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...more
  }
  const names = [
    'Message',
    'MessageId',
    'Subject',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type'
  ]
  const covered = names
    .map((name) => (said[name] === undefined ? '' : `${name}\n${said[name]}\n`))
    .join('')
  const algorithm = said['SignatureVersion'] === '1' ? 'sha1' : 'sha256'
  return { ...said, Signature: sign(algorithm, Buffer.from(covered), key).toString('base64') }
}

function sns(t: Test, options: Partial<SesProviderOptions> = {}) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  t.teardown(() => agent.close())
  const pool = agent.get('https://sns.eu-central-1.amazonaws.com')
  const fetched: string[] = []
  const fetch: typeof undiciFetch = (input, init) => {
    fetched.push(String(input))
    return undiciFetch(input, { ...init, dispatcher: agent })
  }
  const clock = { now: () => now }
  const provider = createSesProvider({
    ...account,
    topicArns: [topicArn],
    clock,
    fetch,
    ...options
  })
  const verify = (said: object) => provider.verifyWebhook(Buffer.from(JSON.stringify(said)), {})
  const serve = (path: string, status = 200, body = CERTIFICATE) =>
    pool.intercept({ path }).reply(status, body)
  return { provider, verify, serve, fetched }
}
const CERTIFICATE_PATH = '/SimpleNotificationService-1.pem'

test('SNS: a signed notification of our topic is genuine, and its certificate is fetched once', async (t) => {
  const { verify, serve, fetched } = sns(t)
  serve(CERTIFICATE_PATH)
  t.equal(await verify(message()), true)
  t.equal(await verify(message({ SignatureVersion: '1', Subject: 'Mail' })), true)
  t.equal(
    await verify(
      message({ Type: 'SubscriptionConfirmation', Token: 'x', SubscribeURL: 'https://y' })
    ),
    true
  )
  t.same(fetched, [certificateUrl])
})

test('SNS: a notification that was changed, or signed by another key, is refused', async (t) => {
  const { verify, serve } = sns(t)
  serve(CERTIFICATE_PATH)
  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' }
  }).privateKey
  t.equal(await verify({ ...message(), Message: '{"x":1}' }), false)
  t.equal(await verify({ ...message(), Subject: 'more' }), false)
  t.equal(await verify({ ...message(), SignatureVersion: '1' }), false)
  t.equal(await verify({ ...message(), SignatureVersion: '3' }), false)
  t.equal(await verify(message({}, stranger)), false)
})

test('SNS: neither a foreign topic nor a foreign certificate makes us fetch anything', async (t) => {
  const { verify, fetched } = sns(t)
  const addresses = [
    'http://sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com.evil.test/a.pem',
    'https://evil.test/sns.eu-central-1.amazonaws.com',
    'https://sns.eu-central-1.amazonaws.com@evil.test/a.pem',
    'https://x.sns.eu-central-1.amazonaws.com/a.pem',
    'https://s3.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/a.pem',
    'no address'
  ]
  for (const SigningCertURL of addresses) t.equal(await verify(message({ SigningCertURL })), false)
  t.equal(await verify(message({ TopicArn: 'arn:aws:sns:eu-central-1:666:evil' })), false)
  t.equal(await sns(t, { topicArns: [] }).verify(message()), false, 'no topic, no trust')
  for (const said of [null, 7, {}, [], { ...message(), Type: 'Other' }])
    t.equal(await verify(said as object), false)
  t.same(fetched, [])
})

test('SNS: a certificate is asked for twice, and again with the next notification', async (t) => {
  const { verify, serve, fetched } = sns(t)
  serve(CERTIFICATE_PATH, 503, '')
  serve(CERTIFICATE_PATH, 200, 'x'.repeat(100_000))
  await t.rejects(Promise.resolve(verify(message())))
  serve(CERTIFICATE_PATH, 503, '')
  serve(CERTIFICATE_PATH)
  t.equal(await verify(message()), true)
  t.equal(fetched.length, 4)
})

test('SNS: an expired certificate and an old notification are refused', async (t) => {
  const later = new Date('2127-01-01T00:00:00Z')
  const expired = sns(t, { clock: { now: () => later } })
  expired.serve(CERTIFICATE_PATH)
  t.equal(await expired.verify(message({ Timestamp: later.toISOString() })), false)
  const { verify, serve } = sns(t)
  serve(CERTIFICATE_PATH)
  const at = (minutes: number) =>
    verify(message({ Timestamp: new Date(now.getTime() + minutes * 60_000).toISOString() }))
  t.same(await Promise.all([-121, -119, 119, 121].map(at)), [false, true, true, false])
})

test('SNS: a subscription is confirmed at SNS alone', async (t) => {
  const { provider, serve, fetched } = sns(t)
  const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=x'
  const ask = (more: Readonly<Record<string, string>>) =>
    provider.confirmWebhook?.(message({ Token: 'x', ...more }), {})
  serve('/?Action=ConfirmSubscription&Token=x')
  t.equal(await ask({ Type: 'SubscriptionConfirmation', SubscribeURL }), true)
  t.same(fetched, [SubscribeURL])
  await t.rejects(
    Promise.resolve(ask({ Type: 'SubscriptionConfirmation', SubscribeURL: 'https://evil.test/' }))
  )
  serve('/?Action=ConfirmSubscription&Token=x', 500, '')
  await t.rejects(Promise.resolve(ask({ Type: 'SubscriptionConfirmation', SubscribeURL })), /500/)
  t.equal(await ask({ Type: 'UnsubscribeConfirmation', SubscribeURL }), true)
  t.equal(await ask({}), false, 'a notification asks nothing')
  t.equal(fetched.length, 2)
})

const read = (event: unknown) =>
  createSesProvider(account).parseWebhookEvents(message({ Message: JSON.stringify(event) }), {})
const mail = {
  messageId: 'ses-1',
  timestamp: '2026-03-01T09:59:00.000Z',
  destination: ['Ann@Example.test'],
  tags: { sendId: [SEND_ID] }
}
const timestamp = '2026-03-01T10:00:00.000Z'

const topic = (topicName: string, subscriptionStatus: string) => ({ topicName, subscriptionStatus })
const preferences = (unsubscribeAll: boolean, ...topicSubscriptionStatus: readonly object[]) => ({
  unsubscribeAll,
  topicSubscriptionStatus
})
const CHANGES: readonly (readonly [string, object, object, boolean])[] = [
  ['leaves all', preferences(false), preferences(true), true],
  [
    'leaves a topic',
    preferences(false, topic('a', 'OptIn')),
    preferences(false, topic('a', 'OptOut')),
    true
  ],
  [
    'joins a topic',
    preferences(false, topic('a', 'OptOut')),
    preferences(false, topic('a', 'OptIn')),
    false
  ],
  [
    'joins one and had left another',
    preferences(false, topic('a', 'OptOut'), topic('b', 'OptOut')),
    preferences(false, topic('a', 'OptIn'), topic('b', 'OptOut')),
    false
  ],
  ['comes back', preferences(true), preferences(false, topic('a', 'OptIn')), false]
]
for (const [what, oldTopicPreferences, newTopicPreferences, isLeaving] of CHANGES) {
  test(`SES: a person who ${what} is ${isLeaving ? '' : 'not '}unsubscribed`, async (t) => {
    const subscription = { timestamp, oldTopicPreferences, newTopicPreferences }
    const events = await read({ mail, eventType: 'Subscription', subscription })
    t.same(
      events.map(({ type }) => type),
      isLeaving ? ['unsubscribe'] : []
    )
  })
}

test('SES: events have our types', async (t) => {
  const events: readonly (readonly [object, object])[] = [
    [
      { eventType: 'Delivery', delivery: { timestamp, recipients: ['ann@example.test'] } },
      { type: 'delivered' }
    ],
    [
      { eventType: 'Open', open: { timestamp, userAgent: 'Reader', ipAddress: '192.0.2.1' } },
      { type: 'open', details: { userAgent: 'Reader', ip: '192.0.2.1' } }
    ],
    [
      { eventType: 'Click', click: { timestamp, link: 'https://a.test/' } },
      { type: 'click', details: { url: 'https://a.test/' } }
    ],
    [
      { eventType: 'Reject', reject: { reason: 'Bad content' } },
      { type: 'dropped', details: { reason: 'Bad content' } }
    ],
    [{ eventType: 'Subscription', subscription: { timestamp } }, { type: 'unsubscribe' }],
    [
      {
        eventType: 'DeliveryDelay',
        deliveryDelay: {
          timestamp,
          delayedRecipients: [
            { emailAddress: 'ann@example.test', diagnosticCode: 'smtp; 451 4.7.1 later' }
          ]
        }
      },
      { type: 'deferred', details: { code: 451 } }
    ],
    [
      {
        notificationType: 'Complaint',
        complaint: { timestamp, complainedRecipients: [{ emailAddress: 'ann@example.test' }] }
      },
      { type: 'spam_report' }
    ]
  ]
  for (const [event, expected] of events)
    t.match(await read({ mail, ...event }), [
      {
        providerEventId: 'sns-1',
        providerMessageId: 'ses-1',
        email: 'ann@example.test',
        ...expected
      }
    ])
  t.match(await read({ mail, eventType: 'Open', open: {} }), [{ details: { sendId: SEND_ID } }])
})

test('SES: a bounce is hard, soft, or a mail that was never tried; each recipient has an event', async (t) => {
  const bounced = (bounceType: string, bounceSubType: string, addresses = ['ann@example.test']) =>
    read({
      mail,
      eventType: 'Bounce',
      bounce: {
        bounceType,
        bounceSubType,
        timestamp,
        bouncedRecipients: addresses.map((emailAddress) => ({
          emailAddress,
          ...(bounceType === 'Permanent' && {
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 no such user'
          })
        }))
      }
    })
  t.match(await bounced('Permanent', 'General'), [
    {
      type: 'bounce',
      occurredAt: new Date(timestamp),
      details: { bounceType: 'hard', code: 550, enhancedCode: '5.1.1' }
    }
  ])
  t.match(await bounced('Transient', 'MailboxFull'), [{ details: { bounceType: 'soft' } }])
  t.match(await bounced('Undetermined', 'Undetermined'), [{ details: { bounceType: 'soft' } }])
  t.match(await bounced('Permanent', 'OnAccountSuppressionList'), [
    { type: 'dropped', details: { bounceType: undefined } }
  ])
  t.match(await bounced('Permanent', 'General', ['a@a.test', 'b@b.test']), [
    { email: 'a@a.test', providerEventId: 'sns-1' },
    { email: 'b@b.test', providerEventId: 'sns-1:2' }
  ])
})

test('SES: what cannot be read is left out', async (t) => {
  const odd = [
    null,
    7,
    'x',
    {},
    { eventType: 'Send', mail },
    { eventType: 'Bounce', bounce: { bouncedRecipients: [null, 7, {}] } },
    { eventType: 'Open' }
  ]
  for (const event of odd) t.same(await read(event), [])
  const provider = createSesProvider(account)
  for (const payload of [
    null,
    {},
    message({ Message: 'no JSON' }),
    message({ Type: 'SubscriptionConfirmation' })
  ])
    t.same(await provider.parseWebhookEvents(payload, {}), [])
})
