// Subscribing, unsubscribing and resubscribing: what is stored, and what stays.
import type { Teardown } from '@keelson/sdk/testing'
import { test } from 'tap'
import { findSubscriptions } from '../audience/contacts/find-subscriptions.ts'
import { type EndStatus, markSubscriptions } from '../audience/contacts/mark-subscriptions.ts'
import { suppress } from '../audience/contacts/record-suppressions.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { type TestContextOptions, testContext } from '../test/test-context.ts'
import { resubscribe, upsertSubscription } from './subscribe.ts'

const EMAIL = 'ann@example.test'
const contacts = [
  { externalId: 'ann', email: 'Ann@Example.test', tags: [], fields: {} },
  { externalId: 'bob', email: 'bob@example.test', tags: [], fields: {} },
  { externalId: 'odd', email: 'no address', tags: [], fields: {} }
]

async function open(t: Teardown, options: TestContextOptions = {}) {
  const tested = await testContext(t, { contacts, ...options })
  const { context } = tested
  const subscribe = (externalId: string) =>
    upsertSubscription(context, { externalId, source: 'form' })
  const row = async (externalId: string) =>
    (await findSubscriptions(context, [externalId])).get(externalId)
  const blocks = async () =>
    (await context.collections.suppressions.find().sort({ scope: 1 }).toArray()).map(
      ({ scope, reason }) => `${scope} ${reason}`
    )
  return { ...tested, subscribe, row, blocks }
}

test('a subscription keeps its consent, and a later one updates it', async (t) => {
  const { context, row } = await open(t)
  const consent = {
    consentTimestamp: new Date('2026-01-02T03:04:05Z'),
    consentIp: '127.0.0.9',
    consentUserAgent: 'check/1'
  }
  await upsertSubscription(context, { externalId: 'ann', source: 'form', ...consent })
  const stored = { status: 'subscribed', emailAtSubscribe: EMAIL, source: 'form', ...consent }
  t.match(await row('ann'), stored)
  const { subscribedAt } = (await row('ann')) ?? {}
  await upsertSubscription(context, { externalId: 'ann', source: 'import' })
  t.match(await row('ann'), { ...stored, source: 'import', subscribedAt })
  t.equal(await context.collections.subscriptions.countDocuments(), 1)
})

test('a contact without an address can subscribe, and no address is stored', async (t) => {
  const { subscribe, row } = await open(t)
  for (const id of ['odd', 'unknown']) {
    await subscribe(id)
    t.notOk('emailAtSubscribe' in ((await row(id)) ?? {}))
  }
})

test('subscribing twice at once leaves one row', async (t) => {
  const { context, subscribe } = await open(t)
  await Promise.all([subscribe('ann'), subscribe('ann'), subscribe('ann')])
  t.equal(await context.collections.subscriptions.countDocuments(), 1)
})

test('an unsubscribe by any case of the address suppresses and marks the subscription', async (t) => {
  const { context, subscribe, row, blocks } = await open(t)
  await subscribe('ann')
  await subscribe('bob')
  await unsubscribe(context, 'ANN@example.test', { scope: 'marketing', source: 'desk' })
  t.match(await row('ann'), { status: 'unsubscribed', unsubscribeReason: 'user_request' })
  t.same(await blocks(), ['marketing unsubscribed'])
  t.match(await row('bob'), { status: 'subscribed' })
})

test('an address that the contact no longer has still unsubscribes its subscription', async (t) => {
  const { context, subscribe, row } = await open(t)
  await subscribe('ann')
  const { byId } = context.adapter as unknown as { byId: Map<string, object> }
  byId.set('ann', { ...contacts[0], email: 'new@example.test' })
  await unsubscribe(context, EMAIL, { scope: 'all' })
  t.match(await row('ann'), { status: 'unsubscribed' })
})

test('an unsubscribe is recorded while the contact adapter fails', async (t) => {
  const { context, logged, subscribe, row, blocks } = await open(t)
  await subscribe('ann')
  const getByEmail = () => Promise.reject(new Error('the contacts are away'))
  const adapter = { ...context.adapter, getByEmail }
  await unsubscribe({ ...context, adapter }, EMAIL, { scope: 'marketing' })
  t.same(await blocks(), ['marketing unsubscribed'])
  t.match(await row('ann'), { status: 'unsubscribed' })
  t.match(logged, [{ level: 'warn', fields: { err: { message: 'the contacts are away' } } }])
})

test('scope transactional and a category leave the subscription as it is', async (t) => {
  const { context, subscribe, row, blocks } = await open(t)
  await subscribe('ann')
  await unsubscribe(context, EMAIL, { scope: 'transactional' })
  await unsubscribe(context, EMAIL, { scope: 'marketing', category: 'news' })
  t.same(await blocks(), ['category:news unsubscribed', 'transactional unsubscribed'])
  t.match(await row('ann'), { status: 'subscribed' })
})

test('when the subscription cannot be marked, nothing is suppressed', async (t) => {
  const { context, subscribe, blocks } = await open(t)
  await subscribe('ann')
  const { subscriptions } = context.collections
  const broken = new Proxy(subscriptions, {
    get: (target, key) =>
      key === 'bulkWrite'
        ? () => Promise.reject(new Error('the write failed'))
        : Reflect.get(target, key)
  })
  const collections = { ...context.collections, subscriptions: broken }
  const failed = unsubscribe({ ...context, collections }, EMAIL, { scope: 'all' })
  await t.rejects(failed, { message: 'the write failed' })
  t.same(await blocks(), [])
})

test('resubscribe takes back marketing and all, and is audited with its author', async (t) => {
  const { context, row, blocks } = await open(t)
  for (const scope of ['marketing', 'all', 'transactional'] as const)
    await unsubscribe(context, EMAIL, { scope })
  const author = { actor: 'human:desk', ip: '127.0.0.1', requestId: 'r1' }
  const input = { externalId: 'ann', source: 'desk' }
  t.same(await resubscribe(context, input, author), { removedSuppressions: 2 })
  t.same(await blocks(), ['transactional unsubscribed'])
  t.match(await row('ann'), { status: 'subscribed', source: 'desk' })
  t.match(await context.collections.auditLog.find().toArray(), [
    { ...author, action: 'contact.resubscribe', resource: { id: 'ann' } }
  ])
})

test('resubscribe with scope all takes back every unsubscribe, categories included', async (t) => {
  const { context, blocks } = await open(t)
  for (const scope of ['marketing', 'all', 'transactional'] as const)
    await unsubscribe(context, EMAIL, { scope })
  await unsubscribe(context, EMAIL, { scope: 'marketing', category: 'news' })
  const input = { externalId: 'ann', source: 'desk', scope: 'all' } as const
  t.same(await resubscribe(context, input), { removedSuppressions: 4 })
  t.same(await blocks(), [])
})

test('resubscribe leaves every other reason, and audits nothing', async (t) => {
  const { context, blocks } = await open(t)
  const rows = [
    ['marketing', 'complaint'],
    ['transactional', 'list_cleaning'],
    ['all', 'gdpr_forget']
  ] as const
  for (const [scope, reason] of rows) await suppress(context, EMAIL, { scope, reason })
  await suppress(context, 'bob@example.test', { scope: 'all', reason: 'unsubscribed' })
  const input = { externalId: 'ann', source: 'desk', scope: 'all' } as const
  t.same(await resubscribe(context, input), { removedSuppressions: 0 })
  t.equal((await blocks()).length, 4)
  t.equal(await context.collections.auditLog.countDocuments(), 0)
})

const marks: readonly EndStatus[] = ['unsubscribed', 'bounced', 'complained']
for (const order of [
  marks,
  marks.toReversed(),
  ['bounced', 'complained', 'unsubscribed'] as const
]) {
  test(`a subscription marked ${order.join(', ')} ends as complained`, async (t) => {
    const { context, subscribe, row } = await open(t)
    await subscribe('ann')
    for (const status of order)
      await markSubscriptions(context, { status, externalIds: [], emails: ['ANN@example.test'] })
    t.match(await row('ann'), { status: 'complained' })
  })
}

test('marking uses the indexes on contact and address', async (t) => {
  const { context } = await open(t)
  const selections = [
    ['status_contact', { externalId: { $in: ['ann', 'bob'] } }],
    ['email', { emailAtSubscribe: { $in: [EMAIL] } }]
  ] as const
  for (const [index, selection] of selections) {
    const { queryPlanner } = await context.collections.subscriptions
      .find({ ...selection, status: { $in: ['subscribed', 'pending_doi'] } })
      .explain('queryPlanner')
    t.match(JSON.stringify(queryPlanner.winningPlan), new RegExp(`"indexName":"${index}"`))
  }
})
