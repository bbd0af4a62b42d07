// The history of a contact's consent: what happened is appended, and nothing is overwritten.
import type { Teardown } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { test } from 'tap'
import { consentSteps, MOST_STEPS } from '../audience/contacts/consent-steps.ts'
import { markSubscriptions } from '../audience/contacts/mark-subscriptions.ts'
import {
  pauseMarketing,
  resumeMarketing,
  setPreferences
} from '../audience/contacts/preferences.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { testContext } from '../test/test-context.ts'
import { resubscribe, upsertSubscription } from './subscribe.ts'

const email = 'ann@example.test'
const contacts = [{ externalId: 'ann', email, tags: [], fields: {} }]
const categories = [
  { id: 'news', label: 'Newsletter' },
  { id: 'offers', label: 'Offers' }
]

async function open(t: Teardown) {
  const { context, pass } = await testContext(t, { contacts, config: { categories } })
  const row = () => context.collections.subscriptions.findOne({ externalId: 'ann' })
  return { context, pass, steps: async () => consentSteps(await row()) }
}

test('a sign-up, its end and a resubscribe stay in the history, each with its source', async (t) => {
  const { context, pass, steps } = await open(t)
  const consentTimestamp = new Date('2026-01-02T03:04:05Z')
  const signUp = { externalId: 'ann', source: 'sign-up', consentTimestamp, consentIp: '127.0.0.9' }
  await upsertSubscription(context, signUp)
  pass(60_000)
  await unsubscribe(context, email, { scope: 'marketing', source: 'unsubscribe_link' })
  pass(60_000)
  await resubscribe(context, { externalId: 'ann', source: 'admin' })
  t.match(await steps(), [
    { what: 'subscribed', source: 'sign-up', consentTimestamp, ip: '127.0.0.9' },
    { what: 'unsubscribed', source: 'unsubscribe_link', reason: 'user_request' },
    { what: 'subscribed', source: 'admin' }
  ])
  const [entry] = await context.collections.auditLog
    .find({ action: 'contact.resubscribe' })
    .toArray()
  t.match(entry?.before, { status: 'unsubscribed', source: 'sign-up' })
})

test('the same consent again adds nothing; other words of consent are added', async (t) => {
  const { context, steps } = await open(t)
  for (const source of ['form', 'form', 'import'])
    await upsertSubscription(context, { externalId: 'ann', source })
  t.same(
    (await steps()).map(({ what, source }) => `${what} ${source}`),
    ['subscribed form', 'renewed import']
  )
})

test('categories and pauses are steps, and a choice that changes nothing is none', async (t) => {
  const { context, pass, steps } = await open(t)
  await upsertSubscription(context, { externalId: 'ann', source: 'form' })
  const choose = (...chosen: string[]) => setPreferences(context, email, { categories: chosen })
  const left = { scope: 'marketing', category: 'offers' } as const
  for (const act of [
    () => choose('news'),
    () => choose('news'),
    () => unsubscribe(context, email, left),
    () => choose('news', 'offers'),
    () => unsubscribe(context, email, left),
    () => pauseMarketing(context, email, { days: 3 }),
    () => resumeMarketing(context, email),
    () => resumeMarketing(context, email),
    () => resubscribe(context, { externalId: 'ann', source: 'form', scope: 'all' })
  ]) {
    await act()
    pass(1000)
  }
  t.same(
    (await steps()).map(({ what, category = '' }) => `${what} ${category}`.trim()),
    [
      'subscribed',
      'categoryOff offers',
      'categoryOn offers',
      'categoryOff offers',
      'paused',
      'resumed',
      'categoryOn offers'
    ]
  )
})

test('steps that only the fields of an older row say are kept when it changes', async (t) => {
  const { context, steps } = await open(t)
  const { subscriptions } = context.collections
  const subscribedAt = new Date('2025-03-01T00:00:00Z')
  const unsubscribedAt = new Date('2025-04-01T00:00:00Z')
  await subscriptions.insertOne({
    _id: 'old',
    externalId: 'ann',
    status: 'unsubscribed',
    source: 'sign-up',
    subscribedAt,
    unsubscribedAt,
    unsubscribeReason: 'user_request',
    createdAt: subscribedAt,
    updatedAt: unsubscribedAt
  })
  await resubscribe(context, { externalId: 'ann', source: 'admin' })
  t.match(await steps(), [
    { at: subscribedAt, what: 'subscribed', source: 'sign-up' },
    { at: unsubscribedAt, what: 'unsubscribed', reason: 'user_request' },
    { what: 'subscribed', source: 'admin' }
  ])
})

test('whatever happens, earlier steps stay, and there are at most 200', async (t) => {
  const { context, pass, steps } = await open(t)
  const acts = {
    sign: () => upsertSubscription(context, { externalId: 'ann', source: 'form' }),
    leave: () => unsubscribe(context, email, { scope: 'all' }),
    again: () => resubscribe(context, { externalId: 'ann', source: 'admin' }),
    bounce: () =>
      markSubscriptions(context, { status: 'bounced', externalIds: ['ann'], emails: [email] })
  }
  const names = fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]))
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 6 }), async (list) => {
      for (const name of list) {
        const before = await steps()
        pass(1000)
        await acts[name]()
        const after = await steps()
        t.same(after.slice(0, before.length), before)
      }
    }),
    { numRuns: 12 }
  )
  const at = context.clock.now()
  const history = Array.from({ length: MOST_STEPS }, () => ({ at, what: 'renewed' as const }))
  await context.collections.subscriptions.updateOne({ externalId: 'ann' }, { $set: { history } })
  await upsertSubscription(context, { externalId: 'ann', source: 'another' })
  const row = await context.collections.subscriptions.findOne({ externalId: 'ann' })
  t.equal(row?.history?.length, MOST_STEPS)
})
