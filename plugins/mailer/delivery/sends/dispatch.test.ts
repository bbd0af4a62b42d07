// The hand-off of mails on the real engine: who gets one, who does not, and what the ledger says.
import { createHash } from 'node:crypto'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError } from 'mongodb'
import { type Test, test } from 'tap'
import type { ProviderMessage, ProviderResult } from '../../contracts/mailer-provider.ts'
import type { SendGate } from '../../contracts/mailer-send-gate.ts'
import { parseMessageId } from '../../ledger/message-id.ts'
import { readOutcomes } from '../../ledger/outcomes/read-outcomes.ts'
import { sendIdOf } from '../../ledger/send-id.ts'
import { contacts, newSend, recordingSends } from '../../test/recording-sends.ts'
import { TEST_SECRET, type TestContextOptions } from '../../test/test-context.ts'
import { queueSends } from './queue-sends.ts'

const contactIds = contacts.map(({ externalId }) => externalId)

test('a mail goes to its contact once, and the ledger says what was sent', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  await opened.run()
  t.match(opened.sent, [{ to: 'c1@example.test', fromEmail: 'hello@acme.test', subject: 'For c1' }])
  t.equal(opened.sent.length, 1)
  const row = await opened.rowOf('c1')
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
  const opened = await recordingSends(t)
  const news = { kind: 'marketing', templateSlug: 'news', category: 'product' } as const
  await queueSends(opened.context, [newSend('c1', news), newSend('c2')])
  await opened.run()
  const of = (to: string) => opened.sent.find((message) => message.to === to)?.headers
  t.match(of('c1@example.test'), {
    'List-Unsubscribe': /^<https:\/\/mail\.example\.test\/m\/unsub\/[\w-]+\.[\w-]+>$/,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Feedback-ID': /^single:[a-z-]+:single:[0-9a-f]{12}$/,
    'List-ID': '<product.acme.test>'
  })
  t.same(of('c2@example.test'), {})
})

test('a suppression is looked up at dispatch', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1'), newSend('c2')])
  const emailHash = createHash('sha256').update('c1@example.test').digest('hex')
  const row = { _id: '1', email: null, emailHash, scope: 'all', reason: 'hard_bounce' } as const
  await opened.context.collections.suppressions.insertOne({
    ...row,
    addedAt: new Date(),
    expiresAt: null
  })
  await opened.run()
  t.same(
    opened.sent.map(({ to }) => to),
    ['c2@example.test']
  )
  t.match(await opened.rowOf('c1'), { status: 'suppressed', exitReason: 'hard_bounce' })
})

test('a mail that the provider does not have is tried again, and sent once', async (t) => {
  const opened = await recordingSends(t, {
    answer: (_message, tries) => {
      if (tries === 1) throw new Error('421 try later')
    }
  })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'failed', errorMessage: '421 try later' })
  t.notOk((await opened.rowOf('c1')).handedAt)
  opened.pass(61_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent', attempt: { number: 2 } })
  t.equal(opened.sent.length, 2)
})

test('a mail whose delivery died with its process is unknown, and not sent again', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1')])
  const attempt = { number: 1, at: new Date(), provider: 'recording', messageId: '<m>' }
  const gone = { handoff: 'sending', status: 'sending', attempt, attempts: 1 } as const
  const until = new Date(Date.now() + 1_000)
  await opened.context.collections.sends.updateOne(
    { externalId: 'c1' },
    { $set: { ...gone, state: 'leased', lease: 'dead', leaseUntil: until, dueAt: until } }
  )
  opened.pass(2_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'unknown', state: 'done' })
  t.equal(opened.sent.length, 0)
})

test('a mail that was sent when its process died ends as sent, and the feed has its outcome', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1')])
  const at = opened.context.clock.now()
  const attempt = { number: 1, at, provider: 'recording', messageId: '<m>' }
  await opened.context.collections.sends.updateOne(
    { externalId: 'c1' },
    { $set: { handoff: 'sent', status: 'sent', sentAt: at, provider: 'recording', attempt } }
  )
  await opened.run()
  const row = await opened.rowOf('c1')
  t.match(row, { status: 'sent', state: 'done', sentAt: at })
  t.equal(opened.sent.length, 0)
  const { items } = await readOutcomes(opened.context)
  t.match(items, [{ type: 'accepted', sendId: row._id, occurredAt: at }])
})

test('mails whose outcome cannot be recorded are sent once, and the feed has them later', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1'), newSend('c2')])
  const { outcomes } = opened.context.collections
  const { insertMany } = outcomes
  outcomes.insertMany = () => Promise.reject(new Error('the disk is full'))
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent', state: 'due' })
  outcomes.insertMany = insertMany
  opened.pass(31_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent', state: 'done' })
  t.equal(opened.sent.length, 2)
  t.equal((await readOutcomes(opened.context)).items.length, 2)
})

test('mails whose attempts were lost with a connection leave seconds later, however old they are', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1'), newSend('c2')])
  opened.pass(3_600_000)
  const { sends } = opened.context.collections
  const { bulkWrite } = sends
  // It is done, and its answer is lost.
  sends.bulkWrite = async (...args) => {
    sends.bulkWrite = bulkWrite
    await sends.bulkWrite(...args)
    throw new MongoBulkWriteError(
      new MongoNetworkError('connection 1 closed') as never,
      {} as BulkWriteResult
    )
  }
  await opened.run()
  t.equal(opened.sent.length, 0)
  const row = await opened.rowOf('c1')
  t.match(row, { status: 'failed', errorMessage: 'connection 1 closed' })
  t.notOk(row.handedAt)
  opened.pass(5_000)
  await opened.run()
  t.equal(opened.sent.length, 2)
  t.match(await opened.rowOf('c1'), { status: 'sent', attempt: { number: 2 } })
})

test('no more mails are open at a time than a chunk and those that are on their way', async (t) => {
  const open = { most: 0 }
  const opened = await recordingSends(t, {
    answer: async () => {
      const { sends } = opened.context.collections
      open.most = Math.max(open.most, await sends.countDocuments({ handoff: 'sending' }))
    }
  })
  const many = Array.from({ length: 400 }, (_, at) =>
    newSend(`c${at % 20}`, { dedupeKey: `m${at}`, lane: 'bulk' })
  )
  await queueSends(opened.context, many)
  await opened.run()
  t.equal(opened.sent.length, 400)
  t.ok(open.most > 0 && open.most <= 80 + 64 + 5, `${open.most} at a time`)
})

test('a provider that drops second mails gets a lost mail again, with the same key', async (t) => {
  const opened = await recordingSends(t, { provider: { capabilities: { idempotencyKeys: true } } })
  await queueSends(opened.context, [newSend('c1')])
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
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent', attempt: { number: 2 } })
})

test('a mailbox that the provider refuses bounces, and gets no more mail', async (t) => {
  const refusal = { status: 'rejected', reason: '550 5.1.1 no such user', bounce: 'hard' }
  const opened = await recordingSends(t, { answer: () => refusal })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  const row = await opened.rowOf('c1')
  t.match(row, { status: 'bounced', bounceType: 'hard', bounceReason: refusal.reason })
  t.match((await readOutcomes(opened.context)).items, [{ type: 'hard_bounce', sendId: row._id }])
  await queueSends(opened.context, [newSend('c1', { dedupeKey: 'second' })])
  await opened.run()
  t.equal(opened.sent.length, 1)
  t.ok(await opened.context.collections.sends.findOne({ exitReason: 'hard_bounce' }))
})

test('a refusal that is not about the mailbox fails the mail and suppresses nothing', async (t) => {
  const refusal = { status: 'rejected', reason: '550 5.7.515 authentication' }
  const opened = await recordingSends(t, { answer: () => refusal })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'failed', exitReason: 'rejected' })
  t.match((await readOutcomes(opened.context)).items, [{ type: 'send_failed' }])
  t.equal(await opened.context.collections.suppressions.countDocuments(), 0)
})

test('a provider that gives no valid answer leaves the outcome unknown', async (t) => {
  const opened = await recordingSends(t, { answer: () => ({ status: 'fine' }) })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'unknown' })
})

const second = {
  name: 'second',
  sendRatePerSecond: 100_000,
  verifyWebhook: () => false,
  parseWebhookEvents: () => []
}

/** A first provider that answers as it is asked to, and a second that takes over from it. */
async function withFallback(t: Test, answer: () => unknown) {
  const taken: string[] = []
  const send = async ({ to }: ProviderMessage) => {
    taken.push(to)
    return { status: 'accepted', providerId: 'second-1' } as const
  }
  const first = { ...second, name: 'first', send: async () => answer() as ProviderResult }
  const opened = await recordingSends(t, {
    providers: { first, second: { ...second, send } },
    config: { providerFallbacks: { first: 'second' } }
  })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  return { ...opened, taken }
}

test('a mail that the first provider does not have goes to the second at once, and once', async (t) => {
  const opened = await withFallback(t, () => {
    throw new Error('connection refused')
  })
  t.same(opened.taken, ['c1@example.test'])
  t.match(await opened.rowOf('c1'), {
    status: 'sent',
    provider: 'second',
    attempt: { number: 2, provider: 'second' }
  })
  opened.pass(24 * 3_600_000)
  await opened.run()
  t.equal(opened.taken.length, 1)
})

for (const status of ['unknown', 'rejected'] as const) {
  test(`a mail whose first delivery is ${status} does not go to the second provider`, async (t) => {
    const opened = await withFallback(t, () => ({ status, reason: 'lost' }))
    opened.pass(24 * 3_600_000)
    await opened.run()
    t.same(opened.taken, [])
  })
}

test('a mail that cannot be rendered fails alone', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1', { templateSlug: 'broken' }), newSend('c2')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'failed', exitReason: 'template_failed' })
  t.match(await opened.rowOf('c2'), { status: 'sent' })
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
  const opened = await recordingSends(t, { config: { varsAdapter } })
  const getBatch = opened.context.adapter.getBatch
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'failed', errorMessage: /host is away/ })
  isAway = false
  Object.assign(opened.context.adapter, { getBatch: () => Promise.reject(new Error('gone')) })
  opened.pass(61_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'failed', errorMessage: 'gone' })
  Object.assign(opened.context.adapter, { getBatch })
  opened.pass(121_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent' })
})

const gate = (more: Partial<SendGate>): TestContextOptions => ({
  extensions: { sendGates: () => [{ name: 'gate', checkBatch: () => null, ...more } as SendGate] }
})
const tripped = { error: 'tripped', message: 'Too many bounces.' }
const marketing = { kind: 'marketing', templateSlug: 'news' } as const

test('a gate holds marketing mail and lets it go later; other mail it does not see', async (t) => {
  let isTripped = true
  const opened = await recordingSends(t, gate({ checkBatch: () => (isTripped ? tripped : null) }))
  await queueSends(opened.context, [newSend('c1', marketing), newSend('c2')])
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'held', hold: { cause: 'tripped' } })
  t.match(await opened.rowOf('c2'), { status: 'sent' })
  isTripped = false
  opened.pass(61_000)
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent' })
})

test('a gate that fails holds the mail and names itself', async (t) => {
  const failing = () => {
    throw new Error('no data')
  }
  const opened = await recordingSends(t, gate({ check: failing }))
  await queueSends(opened.context, [newSend('c1', marketing)])
  await opened.run()
  t.match(await opened.rowOf('c1'), {
    status: 'held',
    hold: { cause: 'gate_failed', message: /gate/ }
  })
})

test('the contact policy lets one of two mails go, that of the flow', async (t) => {
  const opened = await recordingSends(t, { config: { contactPolicy: { minGapHours: 24 } } })
  const flow = { dedupeKey: 'flow', flowRunId: 'r', ...marketing }
  const row = { _id: 'c1', externalId: 'c1', status: 'subscribed' }
  await opened.context.collections.subscriptions.insertOne(row as never)
  await queueSends(opened.context, [newSend('c1', marketing), newSend('c1', flow)])
  await opened.run()
  const rows = await opened.context.collections.sends.find().sort({ status: 1 }).toArray()
  t.match(rows, [
    { status: 'deferred', hold: { cause: 'min_gap' } },
    { status: 'sent', _id: sendIdOf(TEST_SECRET, 'flow') }
  ])
  opened.pass(24 * 3_600_000 + 1_000)
  await opened.run()
  t.equal(opened.sent.length, 2)
})

test('of two mails of one category one waits for the policy of the category, another category goes', async (t) => {
  const news = { id: 'news', label: 'News', policy: { minGapHours: 24 } }
  const tips = { id: 'tips', label: 'Tips' }
  const opened = await recordingSends(t, { config: { categories: [news, tips] } })
  const mail = (key: string, category: string) =>
    newSend('c1', { ...marketing, dedupeKey: key, category })
  await queueSends(opened.context, [mail('1', 'news'), mail('2', 'news'), mail('3', 'tips')])
  await opened.run()
  const rows = await opened.context.collections.sends.find().sort({ status: 1 }).toArray()
  t.match(rows, [
    { status: 'deferred', category: 'news', hold: { cause: 'category_min_gap' } },
    { status: 'sent' },
    { status: 'sent' }
  ])
  opened.pass(24 * 3_600_000 + 1_000)
  await opened.run()
  t.equal(opened.sent.length, 3)
})

test('mails over the rate of the provider wait, and all leave in the end', async (t) => {
  const opened = await recordingSends(t, { provider: { sendRatePerSecond: 8 } })
  await queueSends(
    opened.context,
    contactIds.map((id) => newSend(id))
  )
  await opened.run()
  t.equal(new Set(opened.sent.map(({ to }) => to)).size, 20)
  t.equal(opened.sent.length, 20)
})

test('a batch of 100 mails takes at most twelve commands', async (t) => {
  const opened = await recordingSends(t)
  const many = Array.from({ length: 100 }, (_, at) =>
    newSend(`c${at % 20}`, { dedupeKey: `m${at}` })
  )
  await queueSends(opened.context, many)
  opened.commands()
  await opened.queues.urgentSends.runDue()
  t.equal(opened.sent.length, 100)
  const commands = opened.commands()
  t.ok(commands.length <= 12, commands.join(' '))
})
