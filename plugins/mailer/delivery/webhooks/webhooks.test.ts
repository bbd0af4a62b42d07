// Webhooks from the request to their effects, on the real engine.

import { type Test, test } from 'tap'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import { forget } from '../../consent/forget.ts'
import type { MailProvider, ProviderEvent } from '../../contracts/mailer-provider.ts'
import { readOutcomes } from '../../ledger/outcomes/read-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { publicApp } from '../../test/public-app.ts'
import { sentMail } from '../../test/sent-mail.ts'
import { testContext } from '../../test/test-context.ts'
import { readSend } from '../sends/read-sends.ts'
import { promoteSoftBounces } from './promote-soft-bounces.ts'
import { recordFeedback } from './record-feedback.ts'
import { createWebhookHandler } from './webhook-handler.ts'

const MINUTE = 60_000
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const provider: MailProvider = {
  name: 'vendor',
  send: async () => ({ status: 'accepted', providerId: 'x' }),
  verifyWebhook: (_body, headers) => {
    if (headers['x-check'] === 'throw') throw new Error('no key')
    return headers['x-check'] === 'genuine'
  },
  parseWebhookEvents(payload) {
    if (!Array.isArray(payload)) throw new Error('not a list')
    return payload.map((event) => ({ ...event, occurredAt: new Date(event.occurredAt) }))
  },
  webhookToken: (_body, headers) => {
    const token = headers['x-token']
    return typeof token === 'string' ? { token, until: new Date(Date.now() + MINUTE) } : undefined
  },
  confirmWebhook: async (payload) => (payload as { ask?: unknown }).ask === true
}

async function open(t: Test, config: object = {}) {
  const kit = await testContext(t, {
    config,
    providers: { vendor: provider },
    handlers: (context) => ({ webhookEvents: createWebhookHandler(context) })
  })
  const { context, queues } = kit
  const { collections } = context
  const app = await publicApp(t, context)
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, name = 'vendor') =>
    app.inject({
      method: 'POST',
      url: `/m/webhooks/${name}`,
      headers: { 'content-type': 'application/json', 'x-check': 'genuine', ...headers },
      payload
    })
  const deliver = async (events: readonly unknown[]) => {
    const answer = await post(JSON.stringify(events))
    t.equal(answer.statusCode, 200)
    await queues.webhookEvents.runDue()
  }
  const mail = async (key: string, more: Partial<SendRow> = {}) => {
    const row = sentMail(key, more)
    await collections.sends.insertOne(row)
    const now = new Date(0)
    await collections.subscriptions.insertOne({
      _id: key,
      externalId: row.externalId,
      status: 'subscribed',
      source: 'test',
      createdAt: now,
      updatedAt: now
    })
    return row
  }
  const row = (key: string) => collections.sends.findOne({ dedupeKey: key })
  const subscription = async (key: string) =>
    (await collections.subscriptions.findOne({ _id: key }))?.status
  const stored = async () => {
    const rows = await collections.suppressions.find().sort({ email: 1, scope: 1 }).toArray()
    return rows.map(({ email, scope, reason }) => `${email} ${scope} ${reason}`)
  }
  return { ...kit, post, deliver, mail, row, subscription, stored }
}

let serial = 0
const event = (
  { _id, emailAtSend }: Pick<SendRow, '_id' | 'emailAtSend'>,
  type: string,
  details: object = {},
  more: object = {}
) => ({
  type,
  providerEventId: `event-${serial++}`,
  providerMessageId: null,
  email: emailAtSend,
  occurredAt: new Date(Date.now() - MINUTE).toISOString(),
  details: { sendId: _id, ...details } as ProviderEvent['details'],
  ...more
})

const bounceOf = (email: string, id = `bounce ${email}`) => ({
  type: 'bounce',
  providerEventId: id,
  providerMessageId: null,
  email,
  occurredAt: Date.now(),
  details: { bounceType: 'hard' }
})

test('a token whose signature does not cover the body is bound to the first one', async (t) => {
  const { post, context } = await open(t)
  const first = JSON.stringify([bounceOf('ada@recipient.test')])
  const forged = JSON.stringify([bounceOf('victim@recipient.test')])
  const token = { 'x-token': 'one' }
  const codes: number[] = []
  for (const payload of [first, forged, first, forged])
    codes.push((await post(payload, token)).statusCode)
  t.same(codes, [200, 401, 200, 401], 'the vendor may repeat what it sent')
  t.equal((await post(forged, { 'x-token': 'two' })).statusCode, 200)
  const { webhookEvents, webhookTokens } = context.collections
  t.equal(await webhookEvents.countDocuments({ email: 'ada@recipient.test' }), 1)
  t.same(
    (await webhookTokens.find().toArray()).map(({ expiresAt }) => expiresAt > new Date()),
    [true, true]
  )
})

test('of many bodies with one token at the same time one is taken', async (t) => {
  const { post } = await open(t)
  const bodies = Array.from({ length: 12 }, (_, at) => JSON.stringify([bounceOf(`v${at}@a.test`)]))
  const answers = await Promise.all(bodies.map((body) => post(body, { 'x-token': 'same' })))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
})

test('a genuine batch is stored before its empty 200, and each event once', async (t) => {
  const { context, post, mail, queues } = await open(t)
  const ada = await mail('ada')
  const events = Array.from({ length: 30 }, () => event(ada, 'open', { userAgent: AGENT }))
  const answer = await post(JSON.stringify([...events, ...events]))
  t.equal(answer.statusCode, 200)
  t.equal(answer.payload, '')
  const { webhookEvents, sends } = context.collections
  t.equal(await webhookEvents.countDocuments({ processed: false }), 30)
  await queues.webhookEvents.runDue()
  await post(JSON.stringify(events))
  await queues.webhookEvents.runDue()
  t.equal(await webhookEvents.countDocuments({ processed: true, sendId: ada._id }), 30)
  t.match(await sends.findOne({}), { openCount: 30, status: 'opened' })
})

test('a late event of an erased address is stored without it, and suppresses nothing', async (t) => {
  const { context, deliver, mail, stored } = await open(t)
  const late = event(await mail('ann'), 'bounce', { bounceType: 'hard', reason: 'of ann' })
  const kept = event(await mail('bob'), 'delivered')
  await forget(context, 'contact-ann')
  const before = await stored()
  await deliver([late, kept])
  const rows = await context.collections.webhookEvents.find().sort({ email: 1 }).toArray()
  t.same(
    rows.map(({ email, details, processed }) => [email, details, processed]),
    [
      ['', {}, true],
      [kept.email, kept.details, true]
    ]
  )
  t.same(await stored(), before)
})

test('requests that are not genuine answer 401 and store nothing', async (t) => {
  const { context, post, mail } = await open(t)
  const payload = JSON.stringify([event(await mail('ada'), 'bounce', { bounceType: 'hard' })])
  for (const check of ['forged', '', 'throw']) {
    t.equal((await post(payload, { 'x-check': check })).statusCode, 401, check)
  }
  t.equal(await context.collections.webhookEvents.countDocuments(), 0)
})

test('unknown providers answer 404, names that every object has among them', async (t) => {
  const { post } = await open(t)
  for (const name of [
    'nobody',
    '__proto__',
    'constructor',
    'toString',
    '',
    'vendor/x',
    'vendor%00'
  ])
    t.equal((await post('[]', {}, name)).statusCode, 404, name)
})

test('a body of 5 MB is taken whatever its type, a larger one answers 413', async (t) => {
  const { post } = await open(t)
  const body = (size: number) => `[${' '.repeat(size - 2)}]`
  const limit = 5 * 1024 * 1024
  t.equal((await post(body(limit), { 'content-type': 'text/plain' })).statusCode, 200)
  t.equal((await post(body(limit + 1))).statusCode, 413)
})

test('the question of a vendor is answered, and nothing is stored', async (t) => {
  const { context, post } = await open(t)
  t.equal((await post('{"ask":true}')).statusCode, 200)
  t.equal(await context.collections.webhookEvents.countDocuments(), 0)
})

test('a genuine request that cannot be read is kept and parked alone', async (t) => {
  const { context, post, queues } = await open(t)
  for (const body of ['{', '', '{"a":1}']) t.equal((await post(body)).statusCode, 200)
  await queues.webhookEvents.runDue()
  const rows = await context.collections.webhookEvents.find().toArray()
  t.same(
    rows.map(({ state, type }) => `${type} ${state}`),
    Array(3).fill('unreadable parked')
  )
})

test('an open that the mail service calls a machine is one, whatever its user agent', async (t) => {
  const { deliver, mail, row } = await open(t)
  const later = { occurredAt: new Date() }
  const opened = event(await mail('ada'), 'open', { userAgent: AGENT, machineOpen: true }, later)
  await deliver([opened])
  const { humanOpenedAt, opens } = (await row('ada')) ?? {}
  t.match([humanOpenedAt, opens], [undefined, [{ machine: ['vendor'] }]])
})

test('what happens to a mail is recorded about it', async (t) => {
  const { deliver, mail, row, stored, subscription } = await open(t)
  const ada = await mail('ada')
  await deliver([event(ada, 'delivered')])
  t.match(await row('ada'), { status: 'delivered', deliveredAt: Date })
  const later = { occurredAt: new Date() }
  await deliver([event(ada, 'open', { userAgent: AGENT }, later)])
  t.match(await row('ada'), { status: 'opened', humanOpenedAt: Date })
  await deliver([event(ada, 'click', { url: 'https://example.test/two', userAgent: AGENT })])
  t.match(await row('ada'), { status: 'clicked', clickedLinks: [{ linkId: '000000000002' }] })
  await deliver([event(ada, 'bounce', { bounceType: 'soft', reason: 'mailbox full' })])
  t.match(await row('ada'), { status: 'bounced', bounceType: 'soft', bounceReason: 'mailbox full' })
  t.same(await stored(), [])
  t.equal(await subscription('ada'), 'subscribed')
})

const ends: readonly (readonly [string, object, string, string])[] = [
  ['bounce', { bounceType: 'hard' }, 'all hard_bounce', 'bounced'],
  ['bounce', { enhancedCode: '5.1.1' }, 'all hard_bounce', 'bounced'],
  ['spam_report', {}, 'all complaint', 'complained'],
  ['unsubscribe', {}, 'marketing unsubscribed', 'unsubscribed'],
  ['dropped', { reason: 'Unsubscribed Address' }, 'marketing unsubscribed', 'unsubscribed'],
  ['dropped', { reason: 'Spam Reporting Address' }, 'all complaint', 'complained'],
  ['dropped', { reason: 'Bounced Address' }, 'all hard_bounce', 'bounced'],
  ['dropped', { reason: 'OnAccountSuppressionList' }, 'all hard_bounce', 'bounced'],
  ['dropped', { reason: 'Suppressed' }, 'all hard_bounce', 'bounced'],
  [
    'dropped',
    { reason: 'The address is on the account-level suppression list.' },
    'all hard_bounce',
    'bounced'
  ],
  [
    'dropped',
    { reason: 'It is on the suppression list for your account, for a complaint.' },
    'all complaint',
    'complained'
  ]
]
for (const [type, details, suppression, status] of ends) {
  test(`${type} ${JSON.stringify(details)} suppresses: ${suppression}`, async (t) => {
    const { deliver, mail, stored, subscription } = await open(t)
    const ada = await mail('ada')
    await deliver([event(ada, type, details)])
    t.same(await stored(), [`${ada.emailAtSend} ${suppression}`])
    t.equal(await subscription('ada'), status)
  })
}

test('a mail that was dropped for its content failed, and its address stays', async (t) => {
  const { deliver, mail, row, stored, subscription, context } = await open(t)
  await deliver([event(await mail('ada'), 'dropped', { reason: 'Spam Content' })])
  t.match(await row('ada'), { status: 'failed', handoff: 'sent', errorMessage: 'Spam Content' })
  t.same(await stored(), [])
  t.equal(await subscription('ada'), 'subscribed')
  t.match((await readOutcomes(context)).items, [{ type: 'send_failed' }])
})

test('a mail is found by its id, by the vendor, by our Message-ID, and as the newest to its address', async (t) => {
  const { context, deliver, mail, row } = await open(t)
  const handedAt = new Date(Date.now() - 7_200_000)
  const one = await mail('one')
  const two = await mail('two')
  const three = await mail('three')
  const older = await mail('older', { emailAtSend: 'same@recipient.test', handedAt })
  const newer = await mail('newer', { emailAtSend: 'same@recipient.test' })
  const later = new Date(Date.now() + MINUTE)
  await mail('later', { emailAtSend: 'same@recipient.test', handedAt: later })
  const anonymous = { sendId: undefined }
  await deliver([
    event(one, 'delivered', { sendId: one._id }),
    event(two, 'delivered', anonymous, { providerMessageId: two.providerMessageId }),
    event(three, 'delivered', anonymous, { providerMessageId: `<${three._id}.1@mail.test>` }),
    event(newer, 'delivered', anonymous),
    event({ _id: '', emailAtSend: 'stranger@recipient.test' }, 'delivered', anonymous)
  ])
  for (const key of ['one', 'two', 'three', 'newer']) t.ok((await row(key))?.deliveredAt, key)
  for (const key of ['older', 'later']) t.notOk((await row(key))?.deliveredAt, key)
  t.ok(older)
  t.equal(await context.collections.webhookEvents.countDocuments({ processed: true }), 5)
})

const ABOUT_ADDRESSES: readonly (readonly [string, object])[] = [
  ['bounce', { bounceType: 'hard', enhancedCode: '5.1.1' }],
  ['spam_report', {}],
  ['unsubscribe', {}],
  ['dropped', { reason: 'Bounced Address' }]
]
for (const [type, details] of ABOUT_ADDRESSES) {
  test(`${type} of an address that was never mailed is kept, and suppresses nothing`, async (t) => {
    const { context, deliver, stored } = await open(t)
    const stranger = { _id: 'f'.repeat(24), emailAtSend: 'Stranger@Recipient.test' }
    await deliver([event(stranger, type, details)])
    t.same(await stored(), [])
    const kept = { email: 'stranger@recipient.test', processed: true }
    t.match(await context.collections.webhookEvents.findOne({}), kept)
  })

  test(`${type} that names another address acts on the one that was mailed`, async (t) => {
    const { context, deliver, mail, stored, subscription } = await open(t)
    const ada = await mail('ada')
    const other = await mail('other')
    const email = other.emailAtSend ?? ''
    await deliver([event(ada, type, details, { email })])
    t.match(await stored(), [new RegExp(`^${ada.emailAtSend} `)])
    t.equal(await subscription('other'), 'subscribed')
    t.match((await readSend(context, ada._id))?.webhookEvents, [{ otherAddress: email }])
  })
}

test('of a vendor id with several addresses, none of which is named, no mail is meant', async (t) => {
  const { deliver, mail, stored } = await open(t)
  for (const key of ['one', 'two']) await mail(key, { providerMessageId: 'shared' })
  const strange = { providerMessageId: 'shared', email: 'stranger@recipient.test' }
  const anonymous = { _id: undefined, emailAtSend: '' } as never
  await deliver([event(anonymous, 'bounce', { bounceType: 'hard' }, strange)])
  t.same(await stored(), [])
})

for (const type of ['delivered', 'deferred', 'open', 'bounce']) {
  test(`a mail of unknown outcome was sent when "${type}" is heard of it`, async (t) => {
    const { deliver, mail, row } = await open(t)
    const { sentAt, ...unsent } = sentMail('ada')
    const attempt = { number: 1, at: sentAt as Date, provider: 'vendor', messageId: '<x@y>' }
    const dueAt = new Date(Date.now() + MINUTE)
    const unknown = { ...unsent, handoff: 'unknown', status: 'unknown', attempt } as const
    const ada = await mail('ada', { ...unknown, state: 'due', dueAt })
    await deliver([event(ada, type)])
    t.match(await row('ada'), { handoff: 'sent', sentAt, state: 'done' })
  })
}

test('one event that fails does not hold up its neighbours', async (t) => {
  const { context, deliver, mail, row } = await open(t)
  const ada = await mail('ada')
  const bob = await mail('bob')
  const { webhookEvents, sends } = context.collections
  await sends.updateOne({ _id: bob._id }, { $set: { opens: 'broken' as never } })
  await deliver([
    event(ada, 'delivered'),
    event(bob, 'open', { userAgent: AGENT }),
    event(ada, 'open', { userAgent: AGENT })
  ])
  t.match(await row('ada'), { status: 'opened', openCount: 1, deliveredAt: Date })
  const states = await webhookEvents.find().sort({ providerEventId: 1 }).toArray()
  t.same(states.map(({ state }) => state).sort(), ['done', 'done', 'due'])
})

test('the order of events never matters', async (t) => {
  const { context, deliver, mail } = await open(t)
  const { collections } = context
  const at = (minutes: number) => ({ occurredAt: new Date(Date.now() - minutes * MINUTE) })
  const ada = sentMail('ada')
  const events = [
    event(ada, 'delivered', {}, at(50)),
    event(ada, 'open', { userAgent: AGENT }, at(40)),
    event(ada, 'bounce', { bounceType: 'soft', reason: 'full' }, at(30)),
    event(ada, 'bounce', { bounceType: 'hard', reason: 'gone' }, at(20)),
    event(ada, 'spam_report', {}, at(10)),
    event(ada, 'unsubscribe', {}, at(5))
  ]
  const results = new Set<string>()
  for (const order of permutations(events)) {
    for (const name of ['sends', 'subscriptions', 'suppressions', 'webhookEvents'] as const)
      await collections[name].deleteMany({})
    await mail('ada', ada)
    const half = Math.floor(order.length / 2)
    await deliver(order.slice(0, half))
    await deliver(order.slice(half))
    const [send, subscription] = await Promise.all([
      collections.sends.findOne({}),
      collections.subscriptions.findOne({})
    ])
    const rows = await collections.suppressions.find().sort({ scope: 1 }).toArray()
    const suppressed = rows.map(({ scope, reason }) => [scope, reason])
    results.add(JSON.stringify([sorted(send ?? {}), subscription?.status, suppressed]))
  }
  t.equal(results.size, 1)
  t.match([...results][0], /\["status","complained"\]/)
})

const sorted = (row: object) => Object.entries(row).sort(([a], [b]) => a.localeCompare(b))

/** Orders of the items, spread evenly over all of them; 36 at most. */
function permutations<T>(items: readonly T[]): T[][] {
  const all = (rest: readonly T[]): T[][] =>
    rest.length < 2
      ? [[...rest]]
      : rest.flatMap((one, at) => all(rest.toSpliced(at, 1)).map((more) => [one, ...more]))
  const orders = all(items)
  const step = Math.ceil(orders.length / 36)
  return orders.filter((_order, at) => at % step === 0)
}

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY)
const full = { bounceType: 'soft', bounceClass: 'mailbox_full', status: 'bounced' } as const

/** Mails to one address that bounced so many days ago. */
async function bouncing(
  { mail }: Awaited<ReturnType<typeof open>>,
  name: string,
  days: readonly number[],
  more: Partial<SendRow> = {}
) {
  const emailAtSend = `${name}@recipient.test`
  for (const [n, ago] of days.entries()) {
    await mail(`${name}${n}`, { ...full, bouncedAt: daysAgo(ago), emailAtSend, ...more })
  }
  return emailAtSend
}

test('a mailbox that keeps bouncing gets no marketing mail for a while, and the row says why', async (t) => {
  const kit = await open(t)
  const { context, subscription } = kit
  const email = await bouncing(kit, 'often', [20, 10, 1])
  await bouncing(kit, 'unsure', [20, 10, 1], { bounceClass: 'unknown' })
  await bouncing(kit, 'twice', [20, 1])
  await bouncing(kit, 'old', [40, 35, 1])
  await bouncing(kit, 'burst', [3, 2, 1])
  for (const bounceClass of ['block', 'policy', 'content', 'routing'] as const)
    await bouncing(kit, bounceClass, [20, 10, 1], { bounceClass })
  await bouncing(kit, 'answered', [20, 10, 1], { deliveredAt: daysAgo(20) })
  t.same(await promoteSoftBounces(context), { promoted: 2 })
  t.same(await promoteSoftBounces(context), { promoted: 0 })
  t.same(await kit.stored(), [
    'often@recipient.test marketing hard_bounce',
    'unsure@recipient.test marketing hard_bounce'
  ])
  const row = await context.collections.suppressions.findOne({ email })
  t.match(row, { source: 'soft_promotion', notes: /^3 mails bounced from .* to .* until / })
  const ends = (row?.expiresAt?.getTime() ?? 0) - context.clock.now().getTime()
  t.equal(Math.round(ends / DAY), 90)
  t.equal(await subscription('often0'), 'subscribed', 'the subscription outlives the suppression')
  const plan = context.collections.sends.find({
    bounceType: 'soft',
    bouncedAt: { $gte: daysAgo(30) }
  })
  t.match(JSON.stringify(await plan.explain()), /"indexName":"soft_bounce"/)
})

test('a delivery, an open or a click ends the count', async (t) => {
  const kit = await open(t)
  const arrived = ['deliveredAt', 'humanOpenedAt', 'humanClickedAt'] as const
  for (const field of arrived) {
    const emailAtSend = await bouncing(kit, field, [20, 10, 1])
    await kit.mail(`${field}ok`, { emailAtSend, handedAt: daysAgo(6), [field]: daysAgo(5) })
  }
  const before = await bouncing(kit, 'before', [20, 10, 1])
  await kit.mail('beforeok', {
    emailAtSend: before,
    handedAt: daysAgo(26),
    deliveredAt: daysAgo(25)
  })
  t.same(await promoteSoftBounces(kit.context), { promoted: 1 })
  t.same(await kit.stored(), ['before@recipient.test marketing hard_bounce'])
})

test('bounces that led to a suppression do not lead to the next one, and who opted out keeps that reason', async (t) => {
  const kit = await open(t, { softBounceSuppressionDays: 8, softBouncePromotionWindowDays: 60 })
  await bouncing(kit, 'often', [7.9, 4, 0.5])
  const gone = await bouncing(kit, 'gone', [7.9, 4, 0.5])
  await recordSuppressions(kit.context, [
    { email: gone, scope: 'marketing', reason: 'unsubscribed' }
  ])
  t.same(await promoteSoftBounces(kit.context), { promoted: 1 })
  kit.pass(9 * DAY)
  t.same(await promoteSoftBounces(kit.context), { promoted: 0 })
  t.match(await kit.stored(), ['gone@recipient.test marketing unsubscribed', /often/])
})

for (const order of ['delivered first', 'reply first']) {
  test(`an automatic reply never counts, and its mail stays delivered: ${order}`, async (t) => {
    const { context, deliver, mail, row, stored } = await open(t)
    for (const key of ['one', 'two', 'three']) {
      const sent = await mail(key, { emailAtSend: 'away@recipient.test' })
      const events = [
        event(sent, 'delivered'),
        event(sent, 'bounce', { bounceType: 'soft', class: 'auto_reply' })
      ]
      for (const one of order === 'delivered first' ? events : events.toReversed())
        await deliver([one])
      t.match(await row(key), { status: 'delivered', bouncedAt: undefined })
    }
    t.same(await promoteSoftBounces(context), { promoted: 0 })
    t.same(await stored(), [])
    const { items } = await readOutcomes(context, {})
    t.same(new Set(items.map(({ type }) => type)), new Set(['delivered']))
  })
}

test('a threshold of 0 promotes no address', async (t) => {
  const { context, mail } = await open(t, { softBouncePromotionThreshold: 0 })
  await mail('a', { bounceType: 'soft', bouncedAt: new Date() })
  t.same(await promoteSoftBounces(context), { promoted: 0 })
})

test('feedback of a receiver about a mail of ours acts on its address, once', async (t) => {
  const { context, queues, mail, row, stored } = await open(t)
  const ada = await mail('ada')
  const bob = await mail('bob')
  const eve = await mail('eve')
  const occurredAt = new Date(Date.now() - MINUTE)
  const complaint = {
    type: 'complaint',
    source: 'feedback-loop',
    feedbackId: 'a',
    occurredAt,
    // The receiver hides the address; the Message-ID names the send.
    messageId: `<${ada._id}.1@acme.test>`,
    // A report may name anybody.
    email: eve.emailAtSend ?? ''
  } as const
  t.same(await recordFeedback(context, complaint), { sendId: ada._id })
  t.same(await recordFeedback(context, complaint), { sendId: ada._id })
  const optOut = { source: 'feedback-loop', feedbackId: 'b', occurredAt, sendId: bob._id } as const
  await recordFeedback(context, { ...optOut, type: 'unsubscribe' })
  await queues.webhookEvents.runDue()
  t.same(await stored(), [
    `${ada.emailAtSend} all complaint`,
    `${bob.emailAtSend} marketing unsubscribed`
  ])
  t.match(await row('ada'), { complainedAt: occurredAt })
  const { items } = await readOutcomes(context, {})
  t.same(items.map(({ type }) => type).sort(), ['complaint', 'unsubscribe'])
  await t.rejects(recordFeedback(context, { ...complaint, feedbackId: '' }), {
    code: 'MLR_INPUT_INVALID'
  })
})

test('feedback that names no mail of ours changes and keeps nothing, whatever address is in it', async (t) => {
  const { context, queues, mail, stored, subscription } = await open(t)
  const ada = await mail('ada')
  const report = { source: 'feedback-loop', occurredAt: new Date(), email: ada.emailAtSend ?? '' }
  const foreign = 'f'.repeat(24)
  const names = [
    {},
    { sendId: foreign },
    { sendId: 'x' },
    { messageId: `<${foreign}.1@acme.test>` }
  ]
  for (const [n, name] of names.entries()) {
    for (const type of ['complaint', 'unsubscribe'] as const) {
      const feedback = { ...report, ...name, type, feedbackId: `${n}${type}` }
      t.same(await recordFeedback(context, feedback), { sendId: null })
    }
  }
  await queues.webhookEvents.runDue()
  t.same(await stored(), [])
  t.equal(await subscription('ada'), 'subscribed')
  t.equal(await context.collections.webhookEvents.countDocuments(), 0)
})
