// The hand-off of mails on the real engine: who gets one, who does not, and what the ledger says.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { MailProvider, ProviderMessage } from '@keelson/sdk/contracts/mailer-provider'
import type { SendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import { type Test, test } from 'tap'
import { readOutcomes } from '../outcomes/read-outcomes.ts'
import type { PreparedTemplate } from '../templates/prepared-template.ts'
import { type TestContext, type TestContextOptions, testContext } from '../test/test-context.ts'
import { createSendHandler } from './hand-off.ts'
import { parseMessageId } from './message-id.ts'
import { type NewSend, queueSends } from './queue-sends.ts'
import { sendIdOf } from './send-id.ts'
import type { SendRow } from './send-row.ts'

const contacts: MailContact[] = Array.from({ length: 20 }, (_, at) => ({
  externalId: `c${at}`,
  email: `C${at}@Example.test`,
  tags: [],
  fields: {}
}))

const prepared = (slug: string, more: Partial<PreparedTemplate> = {}): PreparedTemplate => ({
  slug,
  version: 3,
  kind: 'transactional',
  bodyFormat: 'multipart',
  trackOpens: false,
  trackClicks: false,
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  replyTo: null,
  bodyHash: 'hash',
  render: ({ contact, addresses }) => ({
    ok: true,
    mail: {
      subject: `For ${contact.externalId}`,
      preheader: '',
      html: `<p>${addresses.unsubscribeUrl}</p>`,
      text: 'text',
      links: []
    }
  }),
  ...more
})
const templates = {
  load: async () =>
    new Map([
      ['notice', prepared('notice')],
      ['news', prepared('news', { kind: 'marketing' })],
      [
        'broken',
        prepared('broken', {
          render: () => ({ ok: false, code: 'template_failed', message: 'no' })
        })
      ]
    ])
}

type Answer = (message: ProviderMessage, tries: number) => unknown
function recording(answer: Answer = () => undefined, more: Partial<MailProvider> = {}) {
  const sent: ProviderMessage[] = []
  const messageIds: string[] = []
  const provider: MailProvider = {
    name: 'recording',
    sendRatePerSecond: 100_000,
    async send(message, { messageId }) {
      sent.push(message)
      messageIds.push(messageId)
      const answered = answer(message, sent.length)
      return (answered ?? { status: 'accepted', providerId: `p${sent.length}` }) as never
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => [],
    ...more
  }
  return { provider, sent, messageIds }
}

async function open(
  t: Test,
  answer?: Answer,
  options: TestContextOptions & { more?: Partial<MailProvider> } = {}
) {
  const outside = recording(answer, options.more)
  const opened = await testContext(t, {
    contacts,
    templates,
    providers: { recording: outside.provider },
    handlers: (context) => {
      const handler = createSendHandler(context)
      return { urgentSends: handler, bulkSends: handler }
    },
    ...options
  })
  return { ...opened, ...outside }
}

const mail = (externalId: string, more: Partial<NewSend> = {}): NewSend => ({
  dedupeKey: `oneoff:${externalId}`,
  lane: 'urgent',
  externalId,
  kind: 'transactional',
  templateSlug: 'notice',
  ...more
})
const run = ({ queues }: TestContext) =>
  Promise.all([queues.urgentSends.runDue(), queues.bulkSends.runDue()])
const rowOf = async ({ context }: TestContext, externalId: string) =>
  (await context.collections.sends.findOne({ externalId })) as SendRow

test('a mail goes to its contact once, and the ledger says what was sent', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [mail('c1')])
  await run(opened)
  await run(opened)
  t.match(opened.sent, [{ to: 'c1@example.test', fromEmail: 'hello@acme.test', subject: 'For c1' }])
  t.equal(opened.sent.length, 1)
  const row = await rowOf(opened, 'c1')
  t.match(row, {
    status: 'sent',
    state: 'done',
    provider: 'recording',
    providerMessageId: 'p1',
    templateVersion: 3,
    emailAtSend: 'c1@example.test',
    attempt: { number: 1, provider: 'recording', messageId: opened.messageIds[0] ?? '' }
  })
  t.same(parseMessageId(opened.messageIds[0] ?? ''), { sendId: row._id, attempt: 1 })
  t.match((await readOutcomes(opened.context)).items, [{ type: 'accepted', sendId: row._id }])
})

test('marketing mail carries the headers of one-click unsubscribing, other mail does not', async (t) => {
  const opened = await open(t)
  const news = { kind: 'marketing', templateSlug: 'news', category: 'product' } as const
  await queueSends(opened.context, [mail('c1', news), mail('c2')])
  await run(opened)
  const of = (to: string) => opened.sent.find((message) => message.to === to)?.headers
  t.match(of('c1@example.test'), {
    'List-Unsubscribe': /^<https:\/\/mail\.example\.test\/m\/unsub\/[\w-]+\.[\w-]+>$/,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-ID': '<product.acme.test>'
  })
  t.same(of('c2@example.test'), {})
})

test('a suppression is looked up at hand-off', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [mail('c1'), mail('c2')])
  const { createHash } = await import('node:crypto')
  const emailHash = createHash('sha256').update('c1@example.test').digest('hex')
  const row = { _id: '1', email: null, emailHash, scope: 'all', reason: 'hard_bounce' } as const
  await opened.context.collections.suppressions.insertOne({
    ...row,
    addedAt: new Date(),
    expiresAt: null
  })
  await run(opened)
  t.same(
    opened.sent.map(({ to }) => to),
    ['c2@example.test']
  )
  t.match(await rowOf(opened, 'c1'), { status: 'suppressed', exitReason: 'hard_bounce' })
})

test('a mail that the provider does not have is tried again, and sent once', async (t) => {
  const opened = await open(t, (_message, tries) => {
    if (tries === 1) throw new Error('421 try later')
  })
  await queueSends(opened.context, [mail('c1')])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'failed', errorMessage: '421 try later' })
  t.notOk((await rowOf(opened, 'c1')).handedAt)
  opened.pass(61_000)
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'sent', attempt: { number: 2 } })
  t.equal(opened.sent.length, 2)
})

test('a mail whose hand-over died with its process is unknown, and not sent again', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [mail('c1')])
  const attempt = { number: 1, at: new Date(), provider: 'recording', messageId: '<m>' }
  const gone = { handoff: 'sending', status: 'sending', attempt, attempts: 1 } as const
  const until = new Date(Date.now() + 1_000)
  await opened.context.collections.sends.updateOne(
    { externalId: 'c1' },
    { $set: { ...gone, state: 'leased', lease: 'dead', leaseUntil: until, dueAt: until } }
  )
  opened.pass(2_000)
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'unknown', state: 'done' })
  t.equal(opened.sent.length, 0)
})

test('a provider that drops second mails gets a lost mail again, with the same key', async (t) => {
  const opened = await open(t, undefined, { more: { capabilities: { idempotencyKeys: true } } })
  await queueSends(opened.context, [mail('c1')])
  const at = opened.context.clock.now()
  await opened.context.collections.sends.updateOne(
    { externalId: 'c1' },
    {
      $set: {
        handoff: 'sending',
        status: 'sending',
        firstAttemptAt: at,
        attempt: { number: 1, at, provider: 'recording', messageId: '<m>' }
      }
    }
  )
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'sent', attempt: { number: 2 } })
})

test('a provider that gives no valid answer leaves the outcome unknown', async (t) => {
  const opened = await open(t, () => ({ status: 'fine' }))
  await queueSends(opened.context, [mail('c1')])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'unknown' })
})

test('a mail that cannot be rendered fails alone', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [mail('c1', { templateSlug: 'broken' }), mail('c2')])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'failed', exitReason: 'template_failed' })
  t.match(await rowOf(opened, 'c2'), { status: 'sent' })
})

test('mail waits while contacts or variables cannot be read, and leaves afterwards', async (t) => {
  let isAway = true
  const varsAdapter = {
    schema: {},
    resolve: () => {
      if (isAway) throw new Error('host is away')
      return {}
    }
  }
  const opened = await open(t, undefined, { config: { varsAdapter } })
  const getBatch = opened.context.adapter.getBatch
  await queueSends(opened.context, [mail('c1')])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'failed', errorMessage: 'host is away' })
  isAway = false
  Object.assign(opened.context.adapter, { getBatch: () => Promise.reject(new Error('gone')) })
  opened.pass(61_000)
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'failed', errorMessage: 'gone' })
  Object.assign(opened.context.adapter, { getBatch })
  opened.pass(121_000)
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'sent' })
})

const gate = (more: Partial<SendGate>): TestContextOptions => ({
  extensions: { sendGates: () => [{ name: 'gate', checkBatch: () => null, ...more } as SendGate] }
})
const tripped = { error: 'tripped', message: 'Too many bounces.' }
const marketing = { kind: 'marketing', templateSlug: 'news' } as const

test('a gate holds marketing mail and lets it go later; other mail it does not see', async (t) => {
  let isTripped = true
  const opened = await open(t, undefined, gate({ checkBatch: () => (isTripped ? tripped : null) }))
  await queueSends(opened.context, [mail('c1', marketing), mail('c2')])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'held', hold: { cause: 'tripped' } })
  t.match(await rowOf(opened, 'c2'), { status: 'sent' })
  isTripped = false
  opened.pass(61_000)
  await run(opened)
  t.match(await rowOf(opened, 'c1'), { status: 'sent' })
})

test('a gate that fails holds the mail and names itself', async (t) => {
  const failing = () => {
    throw new Error('no data')
  }
  const opened = await open(t, undefined, gate({ check: failing }))
  await queueSends(opened.context, [mail('c1', marketing)])
  await run(opened)
  t.match(await rowOf(opened, 'c1'), {
    status: 'held',
    hold: { cause: 'gate_failed', message: /gate/ }
  })
})

test('the contact policy lets one of two mails go, that of the flow', async (t) => {
  const opened = await open(t, undefined, { config: { contactPolicy: { minGapHours: 24 } } })
  const flow = { dedupeKey: 'flow', flowRunId: 'r', ...marketing }
  await queueSends(opened.context, [mail('c1', marketing), mail('c1', flow)])
  await run(opened)
  const rows = await opened.context.collections.sends.find().sort({ status: 1 }).toArray()
  t.match(rows, [
    { status: 'deferred', hold: { cause: 'min_gap' } },
    { status: 'sent', _id: sendIdOf('flow') }
  ])
  opened.pass(24 * 3_600_000 + 1_000)
  await run(opened)
  t.equal(opened.sent.length, 2)
})

test('mails over the rate of the provider wait, and all leave in the end', async (t) => {
  const opened = await open(t, undefined, { more: { sendRatePerSecond: 8 } })
  await queueSends(
    opened.context,
    contacts.map(({ externalId }) => mail(externalId))
  )
  await run(opened)
  t.equal(new Set(opened.sent.map(({ to }) => to)).size, 20)
  t.equal(opened.sent.length, 20)
})

test('a batch of 100 mails takes at most twelve commands', async (t) => {
  const opened = await open(t)
  const many = Array.from({ length: 100 }, (_, at) => mail(`c${at % 20}`, { dedupeKey: `m${at}` }))
  await queueSends(opened.context, many)
  opened.commands()
  await opened.queues.urgentSends.runDue()
  t.equal(opened.sent.length, 100)
  const commands = opened.commands()
  t.ok(commands.length <= 12, commands.join(' '))
})
