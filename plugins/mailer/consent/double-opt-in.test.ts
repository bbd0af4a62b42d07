// Double opt-in: asked by mail, confirmed by its token, once.
import { type Test, test } from 'tap'
import {
  AWAITS_CONFIRMATION,
  confirmSubscription,
  readConfirmationState
} from '../audience/contacts/confirm-subscription.ts'
import { recordSuppressions } from '../audience/contacts/record-suppressions.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { signConfirmation } from '../audience/contacts/unsubscribe-token.ts'
import { testContext } from '../test/test-context.ts'
import { upsertSubscription } from './subscribe.ts'

const DAY = 86_400_000
const SECRET = 'a secret of some length'
const contacts = ['ann', 'bob'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [],
  fields: {}
}))

async function open(t: Test) {
  const fired: string[] = []
  const tested = await testContext(t, {
    contacts,
    now: new Date('2026-03-01T12:00:00Z'),
    config: { requireDoubleOptIn: true },
    core: {
      fireFromSession: async (_session, name, externalId) => {
        fired.push(`${name} ${externalId}`)
      }
    }
  })
  const { context } = tested
  const { sends, subscriptions } = context.collections
  const subscribe = (externalId = 'ann') =>
    upsertSubscription(context, { externalId, source: 'form' })
  const status = async (externalId = 'ann') => (await subscriptions.findOne({ externalId }))?.status
  const mails = () => sends.find().sort({ queuedAt: 1 }).toArray()
  const token = async (at = -1) => {
    const url = String((await mails()).at(at)?.vars?.['confirmDoiUrl'])
    t.match(url, /^https:\/\/mail\.example\.test\/m\/confirm-doi\/[\w.-]+$/)
    return url.slice(url.lastIndexOf('/') + 1)
  }
  return { ...tested, fired, subscribe, status, mails, token }
}

test('a new subscription waits, and its contact gets one confirmation mail per day', async (t) => {
  const { subscribe, status, mails, pass } = await open(t)
  await subscribe()
  await subscribe()
  t.equal(await status(), 'pending_doi')
  t.match(await mails(), [
    {
      templateSlug: 'doi-confirmation',
      emailAtSend: 'ann@example.test',
      lane: 'urgent',
      dedupeKey: 'doi:ann:2026-03-01'
    }
  ])
  pass(DAY)
  await subscribe()
  t.equal((await mails()).length, 2)
})

test('the token confirms once, keeps the origin, and fires one event', async (t) => {
  const { context, subscribe, status, token, fired } = await open(t)
  await subscribe()
  const origin = { ip: '127.0.0.1', userAgent: 'x'.repeat(400) }
  t.equal(await readConfirmationState(context, await token()), 'open')
  t.equal(await status(), 'pending_doi')
  t.equal(await confirmSubscription(context, await token(), origin), 'confirmed')
  t.equal(await confirmSubscription(context, await token(), origin), 'already_confirmed')
  t.match(await context.collections.subscriptions.findOne({ externalId: 'ann' }), {
    status: 'subscribed',
    doiIp: '127.0.0.1',
    doiUserAgent: 'x'.repeat(256)
  })
  t.same(fired, ['subscription.confirmed ann'])
})

test('two confirmations at once fire one event', async (t) => {
  const { context, subscribe, token, fired } = await open(t)
  await subscribe()
  const text = await token()
  const states = await Promise.all([1, 2, 3].map(() => confirmSubscription(context, text)))
  t.same(states.sort(), ['already_confirmed', 'already_confirmed', 'confirmed'])
  t.equal(fired.length, 1)
})

test('who left, signs up again and confirms gets marketing mail again; a complaint stays', async (t) => {
  const { context, subscribe, status, token } = await open(t)
  const { suppressions } = context.collections
  await subscribe()
  await confirmSubscription(context, await token())
  await unsubscribe(context, 'ann@example.test', { scope: 'marketing', source: 'test' })
  await recordSuppressions(context, [
    { email: 'ann@example.test', scope: 'transactional', reason: 'complaint' }
  ])
  await subscribe()
  t.equal(await suppressions.countDocuments({ reason: 'unsubscribed' }), 1)
  t.equal(await confirmSubscription(context, await token()), 'confirmed')
  t.equal(await status(), 'subscribed')
  t.same(await suppressions.distinct('reason'), ['complaint'])
})

test('a confirmed contact is never asked again', async (t) => {
  const { context, subscribe, status, token, mails, pass } = await open(t)
  await subscribe()
  await confirmSubscription(context, await token())
  pass(2 * DAY)
  await subscribe()
  t.equal(await status(), 'subscribed')
  t.equal((await mails()).length, 1)
})

test('forged, foreign and expired tokens and those of unknown contacts confirm nothing', async (t) => {
  const { context, subscribe, status, token, pass } = await open(t)
  await subscribe()
  const soon = new Date(context.clock.now().getTime() + DAY)
  const forged = signConfirmation('ann', soon, 'another secret of length')
  t.equal(await confirmSubscription(context, forged), 'invalid')
  t.equal(await confirmSubscription(context, 'x.y'), 'invalid')
  t.equal(await confirmSubscription(context, signConfirmation('zoe', soon, SECRET)), 'invalid')
  const other = signConfirmation('ann', soon, SECRET)
  t.equal(await confirmSubscription(context, other), 'replaced')
  pass(8 * DAY)
  t.equal(await confirmSubscription(context, await token()), 'expired')
  t.equal(await status(), 'pending_doi')
})

test('a newer mail replaces the token of an older one', async (t) => {
  const { context, subscribe, token, pass } = await open(t)
  await subscribe()
  pass(DAY)
  await subscribe()
  t.equal(await confirmSubscription(context, await token(0)), 'replaced')
  t.equal(await confirmSubscription(context, await token(1)), 'confirmed')
})

test('a token does not subscribe a contact who left after it was sent', async (t) => {
  const { context, subscribe, status, token } = await open(t)
  await subscribe()
  await unsubscribe(context, 'ann@example.test', { scope: 'marketing' })
  t.equal(await confirmSubscription(context, await token()), 'replaced')
  t.equal(await status(), 'unsubscribed')
})

test('parked events of the contact become due when it confirms', async (t) => {
  const { context, subscribe, token } = await open(t)
  const now = context.clock.now()
  const event = (externalId: string, name: string) => ({
    _id: `${externalId} ${name}`,
    name,
    externalId,
    properties: {},
    dedupeKey: `${externalId} ${name}`,
    occurredAt: now,
    createdAt: now
  })
  const { events } = context.queues
  await events.add([event('ann', 'trial'), event('ann', 'broken'), event('bob', 'trial')])
  await events.withdraw({ name: 'trial' }, { state: 'parked', reason: AWAITS_CONFIRMATION })
  await events.withdraw({ name: 'broken' }, { state: 'parked', reason: 'the flow failed' })
  await subscribe()
  await confirmSubscription(context, await token())
  const rows = await context.collections.events.find().sort({ _id: 1 }).toArray()
  t.same(
    rows.map(({ _id, state }) => `${_id} ${state}`),
    ['ann broken parked', 'ann trial due', 'bob trial parked']
  )
})
