// Erasing and exporting a contact over every collection, on the real engine.
import { type Test, test } from 'tap'
import { exportContactData, outcomesOf, readContact } from '../audience/contacts/contact-records.ts'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { suppress } from '../audience/contacts/record-suppressions.ts'
import { tag } from '../audience/contacts/tags.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { signUnsubscribe } from '../audience/contacts/unsubscribe-token.ts'
import type { ContactData } from '../contracts/mailer-contact-data.ts'
import { queueSends } from '../delivery/sends/queue-sends.ts'
import { unreadableRow } from '../delivery/webhooks/read-events.ts'
import { addressHash } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import { dedupeKeys, sendIdOf } from '../ledger/send-id.ts'
import manifest from '../plugin.json' with { type: 'json' }
import { TEST_SECRET, type TestContext, testContext } from '../test/test-context.ts'
import { forget } from './forget.ts'
import { resubscribe, upsertSubscription } from './subscribe.ts'

/** Rows of the past would be removed by their lifetime. */
const NOW = new Date()
const OLD = (id: string) => `${id}.old@example.test`
const CURRENT = (id: string) => `${id}.new+x@example.test`
const NAME = (id: string) => `zebulon-${id}`

async function open(t: Test) {
  const contacts = ['ann', 'bob'].map((externalId) => ({
    externalId,
    email: OLD(externalId),
    tags: [],
    fields: { name: NAME(externalId) }
  }))
  const adapter = createMemoryAdapter(contacts, { writableTags: false })
  const tested = await testContext(t, { adapter })
  for (const { externalId } of contacts) await fill(tested, externalId)
  return { ...tested, adapter }
}

/** Everything that the mailer can hold of a contact, under two addresses. */
async function fill({ context }: TestContext, id: string) {
  const { adapter, collections, queues, config } = context
  const name = NAME(id)
  await upsertSubscription(context, { externalId: id, source: 'form', consentIp: '127.0.0.1' })
  await tag(context, id, 'vip')
  await queueMail(context, id, 'first', OLD(id))
  const { byId } = adapter as ReturnType<typeof createMemoryAdapter>
  const contact = byId.get(id)
  if (contact !== undefined) byId.set(id, { ...contact, email: CURRENT(id) })
  await queueMail(context, id, 'second', CURRENT(id))
  await collections.sends.updateMany(
    { externalId: id },
    {
      $set: {
        subject: `Hello ${name}`,
        opens: [{ id: 'o1', openedAt: NOW, userAgent: `Reader of ${name}` }]
      }
    }
  )
  const event = { name: 'signup', externalId: id, properties: { email: OLD(id), name } }
  const dedupeKey = `${id}:${OLD(id)}`
  const times = { occurredAt: NOW, createdAt: NOW }
  await queues.events.add([{ _id: `event-${id}`, ...event, dedupeKey, ...times }])
  const payload = { type: 'event', ...event, dedupeKey, occurredAt: NOW } as const
  await queues.outbox.add([{ _id: `outbox-${id}`, payload, enqueuedAt: NOW }])
  await queues.flowRuns.add([
    {
      _id: `run-${id}`,
      flowId: 'f1',
      flowSlug: 'welcome',
      flowVersion: 1,
      externalId: id,
      emailAtEntry: OLD(id),
      triggerEvent: event,
      triggerDedupeKey: dedupeKey,
      status: 'active',
      path: '0',
      history: [{ at: NOW, path: '0', action: 'entered', detail: { name } }],
      enteredAt: NOW
    }
  ])
  const webhook = {
    provider: 'recording',
    providerMessageId: null,
    receivedAt: NOW,
    occurredAt: NOW
  }
  for (const [at, more] of [
    { email: CURRENT(id) },
    { email: `forwarded.${name}@example.test`, sendId: sendOf(id, 'second') }
  ].entries()) {
    const providerEventId = `${id}-${at}`
    const details = { reason: `550 ${name} is unknown` }
    const row = { ...webhook, ...more, providerEventId, details, type: 'bounce', processed: false }
    await queues.webhookEvents.add([{ _id: `webhook-${providerEventId}`, ...row } as never])
  }
  const body = Buffer.from(`[{"email":"${CURRENT(id)}","name":"${name}"`)
  const source = { provider: 'recording', receivedAt: NOW }
  await queues.webhookEvents.add([unreadableRow(body, source)])
  const member = { flowId: 'flow', externalId: id, scan: 1 }
  await collections.notEntered.insertOne({
    _id: `not ${id}`,
    flowId: 'flow',
    externalId: id,
    reason: 'unsubscribed',
    at: new Date()
  })
  await collections.leftOut.insertOne({
    _id: `b1:${id}`,
    broadcastId: 'b1',
    externalId: id,
    reason: 'same_address',
    at: new Date()
  })
  await collections.flowMembers.insertOne({ ...member, _id: `member of ${id}` })
  await collections.outcomes.insertOne({
    _id: `${sendOf(id, 'first')}:delivered`,
    type: 'delivered',
    occurredAt: NOW,
    sendId: sendOf(id, 'first'),
    externalId: id,
    kind: 'marketing',
    senderDomain: null,
    recipientDomain: 'example.test',
    provider: 'recording',
    templateSlug: 'news',
    broadcastSlug: null,
    flowSlug: null,
    isMachine: false,
    recordedAt: NOW,
    unplaced: true
  })
  await unsubscribe(context, CURRENT(id), { scope: 'marketing', notes: `asked by ${name}` })
  await suppress(context, OLD(id), { scope: 'transactional', reason: 'manual', notes: OLD(id) })
  const link = signUnsubscribe({ email: OLD(id), scope: 'all' }, NOW, config.unsubscribeSecret)
  const resource = { collection: 'mailer_subscriptions', id }
  const entries = [
    { actor: 'human:desk', action: 'contact.note', resource, after: { name } },
    {
      actor: `human:${CURRENT(id)}`,
      action: 'contact.note',
      resource: { collection: 'mailer_flows' }
    },
    {
      actor: 'human:desk',
      action: 'suppression.add',
      resource: { collection: 'mailer_suppressions', id: OLD(id) },
      diffSummary: `used ${link} of ${name}`
    }
  ]
  for (const entry of entries) await audit(context, entry)
}

const sendOf = (id: string, name: string) =>
  sendIdOf(TEST_SECRET, dedupeKeys.oneOff(`${id} ${name}`))

function queueMail(context: TestContext['context'], id: string, name: string, email: string) {
  return queueSends(context, [
    {
      dedupeKey: dedupeKeys.oneOff(`${id} ${name}`),
      lane: 'bulk',
      externalId: id,
      emailAtSend: email,
      kind: 'marketing',
      templateSlug: 'news',
      vars: { name: NAME(id) }
    }
  ])
}

/** An address in clear, URL-encoded, and in base64url at each offset; and the name. */
const formsOf = (id: string) => [
  NAME(id),
  ...[OLD(id), CURRENT(id)].flatMap((email) => {
    const bytes = Buffer.from(email)
    const encoded = [0, 1, 2].map((skip) =>
      bytes.subarray(skip, skip + Math.floor((bytes.length - skip) / 3) * 3).toString('base64url')
    )
    return [email, encodeURIComponent(email), ...encoded]
  })
]

/** Everything in the database as one text per collection, lower case. */
async function textOf({ db }: TestContext): Promise<ReadonlyMap<string, string>> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name)
  const texts = names.map(
    async (name) =>
      [name, JSON.stringify(await db.collection(name).find().toArray()).toLowerCase()] as const
  )
  return new Map(await Promise.all(texts))
}

const without = (texts: ReadonlyMap<string, string>, id: string) => {
  const forms = formsOf(id).map((form) => form.toLowerCase())
  return [...texts].filter(([, text]) => forms.some((form) => text.includes(form))).map(([n]) => n)
}

test('after an erasure the database holds neither addresses nor name of the contact', async (t) => {
  const tested = await open(t)
  t.ok(without(await textOf(tested), 'ann').length >= 8, 'they were there')
  await forget(tested.context, 'ann')
  t.same(without(await textOf(tested), 'ann'), [])
})

test('every collection that declares personal data is emptied, or keeps rows without content', async (t) => {
  const { context, db } = await open(t)
  const declared = manifest.collections.filter((one) => 'personalData' in one)
  const filled = async () => {
    const counts = declared.map(
      async ({ name }) => [name, await db.collection(name).countDocuments()] as const
    )
    return (await Promise.all(counts)).flatMap(([name, count]) => (count > 0 ? [name] : []))
  }
  const names = declared.map(({ name }) => name)
  t.same(await filled(), names, 'this test fills them all')
  for (const id of ['ann', 'bob']) await forget(context, id)
  t.same(await filled(), ['mailer_suppressions', 'mailer_webhook_events', 'mailer_audit_log'])
})

test('a hash of each address stays and blocks it, and resubscribing does not remove it', async (t) => {
  const { context, adapter } = await open(t)
  await forget(context, 'ann')
  const { suppressions } = context.collections
  const hashes = [OLD('ann'), CURRENT('ann')].map(addressHash)
  const rows = () =>
    suppressions
      .find({ emailHash: { $in: hashes } }, { projection: { _id: 0, addedAt: 0 } })
      .sort({ emailHash: 1 })
      .toArray()
  const kept = { email: null, scope: 'all', reason: 'gdpr_forget', expiresAt: null }
  t.same(
    await rows(),
    hashes.sort().map((emailHash) => ({ ...kept, emailHash }))
  )
  t.ok(adapter.byId.has('ann'))
  const input = { externalId: 'ann', source: 'desk', scope: 'all' } as const
  t.same(await resubscribe(context, input), { removedSuppressions: 0 })
  t.equal((await rows()).length, 2)
})

test('another contact keeps everything', async (t) => {
  const tested = await open(t)
  const { context } = tested
  const before = await exportContactData(context, 'bob')
  await forget(context, 'ann')
  t.strictSame(await exportContactData(context, 'bob'), before)
  t.equal((before['sends'] as unknown[]).length, 2)
  t.ok(without(await textOf(tested), 'bob').length >= 8)
})

test('an earlier address that belongs to another contact now stays theirs', async (t) => {
  const { context, adapter } = await open(t)
  adapter.byId.set('zoe', { externalId: 'zoe', email: OLD('ann'), tags: [], fields: {} })
  await forget(context, 'ann')
  const rows = await context.collections.suppressions.find({ reason: 'gdpr_forget' }).toArray()
  t.same(
    rows.map(({ emailHash }) => emailHash),
    [addressHash(CURRENT('ann'))]
  )
})

test('a contact that the host deleted first is erased by its stored addresses', async (t) => {
  const tested = await open(t)
  tested.adapter.byId.delete('ann')
  await forget(tested.context, 'ann')
  t.same(without(await textOf(tested), 'ann'), [])
  const filter = { reason: 'gdpr_forget' } as const
  t.equal(await tested.context.collections.suppressions.countDocuments(filter), 2)
})

test('an erasure that was cut off anywhere is finished by the next one', async (t) => {
  const tested = await open(t)
  const { context } = tested
  let calls = 0
  let limit = 0
  const collections = Object.fromEntries(
    Object.entries(context.collections).map(([name, collection]) => [
      name,
      new Proxy(collection, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key)
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            const writes = /^(delete|update|replace|bulk|insert)/.test(String(key))
            if (writes && ++calls > limit) throw new Error('cut off')
            return value.apply(target, args)
          }
        }
      })
    ])
  ) as unknown as typeof context.collections
  for (let isDone = false; !isDone; limit++) {
    calls = 0
    isDone = await forget({ ...context, collections, queues: context.queues }, 'ann').then(
      () => true,
      (error: Error) => {
        t.equal(error.message, 'cut off')
        return false
      }
    )
  }
  t.ok(limit >= 10, `${limit} places to be cut off at`)
  t.same(without(await textOf(tested), 'ann'), [])
})

test('mails that wait are cancelled before their rows go', async (t) => {
  const { context, adapter } = await open(t)
  const { bulkSends, urgentSends } = context.queues
  const seen: string[] = []
  const watched = {
    ...urgentSends,
    withdraw: async (...args: Parameters<typeof urgentSends.withdraw>) => {
      const { withdrawn } = await urgentSends.withdraw(...args)
      const left = await context.collections.sends.countDocuments({ externalId: 'ann' })
      seen.push(`${withdrawn} of ${left}`)
      return { withdrawn }
    }
  }
  const queues = { ...context.queues, bulkSends, urgentSends: watched }
  await forget({ ...context, queues }, 'ann')
  t.same(seen, ['2 of 2'])
  t.ok(adapter.byId.has('ann'))
})

test('a contact with more rows than a batch is erased whole', async (t) => {
  const { context } = await open(t)
  const mails = Array.from({ length: 1200 }, (_, at) => ({
    dedupeKey: `many-${at}`,
    lane: 'bulk' as const,
    externalId: 'ann',
    emailAtSend: CURRENT('ann'),
    kind: 'marketing' as const,
    templateSlug: 'news'
  }))
  await queueSends(context, mails)
  await forget(context, 'ann')
  t.equal(await context.collections.sends.countDocuments({ externalId: 'ann' }), 0)
})

test('an export has every part of one contact, as plain JSON and without signs of the queue', async (t) => {
  const { context } = await open(t)
  const data = await exportContactData(context, 'ann')
  const counts = Object.entries(data).map(([part, rows]) => [
    part,
    Array.isArray(rows) ? rows.length : 1
  ])
  t.strictSame(Object.fromEntries(counts), {
    contact: 1,
    subscription: 1,
    suppressions: 2,
    tags: 1,
    events: 1,
    outbox: 1,
    flowRuns: 1,
    flowMembers: 1,
    sends: 2,
    leftOut: 1,
    notEntered: 1,
    outcomes: 1,
    webhookEvents: 2,
    audit: 3
  })
  const text = JSON.stringify(data)
  t.strictSame(JSON.parse(text), data)
  t.notMatch(text, /"(lease|attempts|state|doiTokenHash)"/)
  t.notMatch(text, /bob/)
})

test('what other plugins keep of a contact is exported, and erased before the addresses are', async (t) => {
  const { context } = await open(t)
  const kept = new Map([['ann', [{ at: NOW }]]])
  const asked: unknown[] = []
  let isAway = true
  const data: ContactData = {
    name: 'programs',
    export: async ({ externalId }) => kept.get(externalId) ?? [],
    async forget(contact) {
      asked.push(contact)
      if (isAway) throw new Error('the plugin is away')
      kept.delete(contact.externalId)
    }
  }
  const extended = { ...context, extensions: { ...context.extensions, contactData: () => [data] } }
  t.match(await exportContactData(extended, 'ann'), { programs: [{ at: NOW.toISOString() }] })
  await t.rejects(forget(extended, 'ann'), { message: 'the plugin is away' })
  isAway = false
  await forget(extended, 'ann')
  const addresses = [CURRENT('ann'), OLD('ann')]
  t.same(asked, [
    { externalId: 'ann', addresses },
    { externalId: 'ann', addresses }
  ])
  t.equal(kept.size, 0)
  t.equal(await context.collections.subscriptions.countDocuments({ externalId: 'ann' }), 0)
})

test('an export has the tags of the host beside those that the mailer keeps', async (t) => {
  const { context, adapter } = await open(t)
  const ann = adapter.byId.get('ann')
  if (ann !== undefined) adapter.byId.set('ann', { ...ann, tags: ['host', 'vip'] })
  const { tags } = await exportContactData(context, 'ann')
  t.same([...(tags as string[])].sort(), ['host', 'vip'])
})

test('one contact is read with its tags and what happened lately', async (t) => {
  const { context } = await open(t)
  const details = await readContact(context, 'ann')
  t.match(details, {
    contact: { externalId: 'ann', tags: ['vip'] },
    subscription: { externalId: 'ann' },
    recentEvents: [{ name: 'signup' }],
    activeRuns: [{ flowSlug: 'welcome' }]
  })
  t.equal(details?.recentSends.length, 2)
  t.equal(await readContact(context, 'unknown'), null)
})

test('every read of an erasure and of a contact has its index', async (t) => {
  const { context } = await open(t)
  const { collections } = context
  const externalId = 'ann'
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    ['contact_time', collections.sends.find({ externalId }).sort({ queuedAt: -1 })],
    ['contact_time', collections.events.find({ externalId }).sort({ occurredAt: -1 })],
    ['contact', collections.outbox.find({ 'payload.externalId': externalId })],
    ['contact_flow', collections.flowRuns.find({ externalId })],
    ['contact', collections.flowMembers.find({ externalId })],
    ['contact_tag', collections.contactTags.find({ externalId })],
    ['external_id', collections.subscriptions.find({ externalId })],
    ['email', collections.webhookEvents.find({ email: { $in: [OLD('ann')] } })],
    ['mentions', collections.webhookEvents.find({ mentions: { $in: ['a'] } })],
    ['send', collections.webhookEvents.find({ sendId: { $in: ['a', 'b'] } })],
    ['_id_', collections.outcomes.find(outcomesOf(['a', 'b']))],
    ['resource_id', collections.auditLog.find({ 'resource.id': externalId })],
    ['mentions', collections.auditLog.find({ mentions: { $in: ['a'] } })],
    ['email_hash', collections.suppressions.find({ emailHash: { $in: ['a'] } })]
  ]
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
  }
})
