// Every provider judges the same answers of servers alike: by its webhook, or by its SMTP dialogue.

import { test } from 'tap'
import type { BounceClass, ProviderEvent } from '../../contracts/mailer-provider.ts'
import { planEffects } from '../../delivery/webhooks/plan-effects.ts'
import { readEvents } from '../../delivery/webhooks/read-events.ts'
import { readMailgunEvents } from '../mailgun/mailgun-webhook.ts'
import { readPostmarkEvents } from '../postmark/postmark-events.ts'
import { readResendEvents } from '../resend/resend-events.ts'
import { readSendGridEvents } from '../sendgrid/sendgrid-webhook.ts'
import { readSesEvents } from '../ses/ses-events.ts'
import { judgeFailure } from '../smtp/judge-failure.ts'
import { ANSWER_CASES } from '../test/server-answers.ts'

type Events = readonly ProviderEvent[]
const at = '2026-03-01T10:00:00.000Z'
const email = 'ann@example.test'

const ses = (bounce: object, recipient: object = {}): Events =>
  readSesEvents({
    Type: 'Notification',
    MessageId: 'e',
    TopicArn: 't',
    Timestamp: at,
    Signature: 's',
    SignatureVersion: '2',
    SigningCertURL: 'u',
    Message: JSON.stringify({
      eventType: 'Bounce',
      mail: { messageId: 'm', timestamp: at, tags: {} },
      bounce: {
        timestamp: at,
        ...bounce,
        bouncedRecipients: [{ emailAddress: email, ...recipient }]
      }
    })
  })
const sendgrid = (more: object): Events =>
  readSendGridEvents([
    { event: 'bounce', email, timestamp: 1.7e9, sg_event_id: 'e', sg_message_id: 'm', ...more }
  ])
const mailgun = (more: object, status: object): Events =>
  readMailgunEvents({
    'event-data': {
      event: 'failed',
      severity: 'permanent',
      id: 'e',
      timestamp: 1.7e9,
      recipient: email,
      'delivery-status': status,
      ...more
    }
  })
const postmark = (more: object): Events =>
  readPostmarkEvents({
    RecordType: 'Bounce',
    ID: 1,
    MessageID: 'm',
    Email: email,
    BouncedAt: at,
    ...more
  })
const resend = (bounce: object): Events =>
  readResendEvents(
    { type: 'email.bounced', created_at: at, data: { email_id: 'm', to: [email], bounce } },
    { 'svix-id': 'msg_1' }
  )
const own = (details: ProviderEvent['details']): Events => [
  {
    type: 'bounce',
    providerEventId: 'e',
    providerMessageId: 'm',
    email,
    occurredAt: new Date(at),
    details
  }
]

/** How each vendor reports a server's words. It calls everything soft, so that the words alone can decide. */
const VENDORS: Readonly<Record<string, (words: string) => Events>> = {
  ses: (diagnosticCode) =>
    ses({ bounceType: 'Undetermined', bounceSubType: 'Undetermined' }, { diagnosticCode }),
  'ses with the words of a DSN': (words) =>
    ses(
      { bounceType: 'Transient', bounceSubType: 'General' },
      { diagnosticCode: `smtp; ${words}` }
    ),
  sendgrid: (reason) => sendgrid({ type: 'bounce', bounce_classification: 'Unclassified', reason }),
  mailgun: (message) => mailgun({ reason: 'generic' }, { message }),
  postmark: (Details) => postmark({ Type: 'SoftBounce', Details }),
  'postmark with the words of a DSN': (words) =>
    postmark({ Type: 'Unknown', Details: `smtp;${words}` }),
  resend: (diagnosticCode) => resend({ type: 'Undetermined', diagnosticCode: [diagnosticCode] }),
  'a provider of another plugin': (reason) => own({ bounceType: 'soft', reason })
}

const effectsOf = (events: Events) => {
  const [row] = readEvents(events, { provider: 'vendor', receivedAt: new Date() })
  return row === undefined ? undefined : { class: row.details.class, ...planEffects(row) }
}

for (const [name, report] of Object.entries(VENDORS)) {
  test(`${name}: ${ANSWER_CASES.length} answers mean the same, and only a gone mailbox suppresses`, async (t) => {
    for (const { words, expected } of ANSWER_CASES) {
      // SendGrid's word is "bounce", which is what remains of an answer that says nothing.
      const wanted = name === 'sendgrid' && expected === 'unknown' ? undefined : expected
      const effects = effectsOf(report(words))
      if (wanted !== undefined) t.equal(effects?.class, wanted, words)
      t.equal(
        effects?.address?.reason,
        effects?.class === 'mailbox' ? 'hard_bounce' : undefined,
        words
      )
    }
  })
}

test('smtp: the same answers to RCPT TO; a refused sender suppresses no address', async (t) => {
  for (const { words, expected } of ANSWER_CASES) {
    const responseCode = Number(/^5\d\d/.exec(words)?.[0] ?? 0)
    if (responseCode === 0) continue
    const failure = { code: 'EENVELOPE', responseCode, response: words, message: words }
    const verdict = judgeFailure({ ...failure, command: 'RCPT TO' }, false)
    t.match(verdict, { status: 'rejected', bounceClass: expected }, words)
    t.equal(verdict.bounce === 'hard', expected === 'mailbox', words)
    const ofSender = judgeFailure({ ...failure, command: 'MAIL FROM' }, false)
    t.equal(ofSender.bounce, undefined, words)
  }
})

test('smtp: words behind the data do not name a gone mailbox, a code does', async (t) => {
  const bounceOf = (response: string) => {
    const failure = { code: 'EMESSAGE', command: 'DATA', responseCode: 550, response, message: 'x' }
    return judgeFailure(failure, true).bounce
  }
  t.equal(bounceOf('550 5.1.1 no such user'), 'hard')
  t.equal(bounceOf('550 message refused: unknown user in header'), undefined)
})

const VERDICTS: readonly (readonly [name: string, events: Events, expected: BounceClass])[] = [
  [
    'SES: an automatic reply',
    ses({ bounceType: 'Transient', bounceSubType: 'General' }),
    'auto_reply'
  ],
  [
    'SES: a code that contradicts its verdict',
    ses(
      { bounceType: 'Transient', bounceSubType: 'General' },
      { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }
    ),
    'mailbox'
  ],
  ['SES: permanent', ses({ bounceType: 'Permanent', bounceSubType: 'General' }), 'mailbox'],
  ['SES: full', ses({ bounceType: 'Transient', bounceSubType: 'MailboxFull' }), 'mailbox_full'],
  ['SES: content', ses({ bounceType: 'Transient', bounceSubType: 'ContentRejected' }), 'content'],
  [
    'SES: permanent by its word, a block by the server',
    ses(
      { bounceType: 'Permanent', bounceSubType: 'General' },
      { diagnosticCode: 'smtp; 550 5.7.1 blocked using zen.spamhaus.org' }
    ),
    'block'
  ],
  ['SendGrid: bounce', sendgrid({ type: 'bounce' }), 'mailbox'],
  ['SendGrid: blocked', sendgrid({ type: 'blocked' }), 'block'],
  [
    'SendGrid: blocked, and called an invalid address',
    sendgrid({ type: 'blocked', bounce_classification: 'Invalid Address' }),
    'block'
  ],
  [
    'SendGrid: blocked by a list',
    sendgrid({ type: 'blocked', reason: '554 5.7.1 Client host blocked using zen.spamhaus.org' }),
    'block'
  ],
  ['Mailgun: given up', mailgun({ reason: 'old' }, { code: 550 }), 'routing'],
  ['Mailgun: blocked', mailgun({ reason: 'espblock' }, { code: 550 }), 'block'],
  ['Mailgun: permanent', mailgun({ reason: 'bounce' }, { code: 550 }), 'mailbox'],
  ['Postmark: hard', postmark({ Type: 'HardBounce' }), 'mailbox'],
  [
    'Postmark: soft, with its own examples of reasons',
    postmark({
      Type: 'SoftBounce',
      Description: 'Unable to deliver (ex: unknown user, mailbox not found).'
    }),
    'unknown'
  ],
  ['Postmark: DMARC', postmark({ Type: 'DMARCPolicy' }), 'policy'],
  [
    'Resend: an automatic reply',
    resend({
      type: 'Transient',
      subType: 'General',
      message: "The recipient's email provider sent a general bounce message."
    }),
    'auto_reply'
  ],
  ['another plugin: hard', own({ bounceType: 'hard' }), 'mailbox'],
  ['another plugin: a class of its own', own({ class: 'content', bounceType: 'soft' }), 'content'],
  ['another plugin: nothing', own({}), 'unknown']
]
for (const [name, events, expected] of VERDICTS) {
  test(`${name} is ${expected}`, async (t) => {
    const effects = effectsOf(events)
    t.equal(effects?.class, expected)
    t.equal(effects?.address !== undefined, expected === 'mailbox')
    if (expected === 'auto_reply') t.match(effects, { facts: [], outcome: undefined })
  })
}

test('an answer that is not text is kept whole, and suppresses no address', async (t) => {
  const answer = { status: ['no', { such: 'user' }], lines: [1, 2] }
  const reports: readonly Events[] = [
    ses({ bounceType: 'Permanent', bounceSubType: 'General' }, { diagnosticCode: answer }),
    sendgrid({ type: 'bounce', reason: answer }),
    mailgun({ reason: 'bounce' }, { code: 550, message: answer }),
    postmark({ Type: 'HardBounce', Details: answer }),
    resend({ type: 'Permanent', subType: 'General', message: answer })
  ]
  for (const events of reports) {
    const [row] = readEvents(events, { provider: 'vendor', receivedAt: new Date() })
    t.match(row?.details, { class: 'unknown', bounceType: 'soft', reason: JSON.stringify(answer) })
    t.equal(row && planEffects(row).address, undefined)
  }
  const [long] = sendgrid({ type: 'bounce', reason: { x: 'y'.repeat(9_000) } })
  t.equal(long?.details.reason?.length, 2_000)
})
