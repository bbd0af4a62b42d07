// Leads, and subscriptions in pages.
import { test } from 'tap'
import { upsertSubscription } from '../../consent/subscribe.ts'
import { testContext } from '../../test/test-context.ts'
import { captureLead, promoteLead, rejectLead } from './leads.ts'
import { subscribers } from './subscribers.ts'

test('a lead is kept once per address, with what was captured last', async (t) => {
  const { context } = await testContext(t)
  await captureLead(context, { email: 'Ann@example.test', source: 'form', consentIp: '127.0.0.1' })
  const capturedFields = { plan: 'pro', '$set.x': 1 }
  await captureLead(context, { email: 'ann@example.test', source: 'shop', capturedFields })
  const [lead] = await context.collections.leads.find().toArray()
  const stored = { email: 'ann@example.test', source: 'shop', consentIp: '127.0.0.1' }
  t.match(lead, { ...stored, status: 'lead', capturedFields })
  t.equal(await context.collections.leads.countDocuments(), 1)
})

test('a lead is promoted to a contact or rejected, and an unknown one is an error', async (t) => {
  const { context } = await testContext(t)
  await captureLead(context, { email: 'ann@example.test', source: 'form' })
  await rejectLead(context, 'ANN@example.test')
  t.match(await context.collections.leads.findOne(), { status: 'rejected' })
  await promoteLead(context, 'ann@example.test', 'u1')
  const promoted = { status: 'promoted', promotedToExternalId: 'u1' }
  t.match(await context.collections.leads.findOne(), promoted)
  await t.rejects(rejectLead(context, 'bob@example.test'), { code: 'MLR_LEAD_UNKNOWN' })
})

test('captured fields over their limits are refused', async (t) => {
  const { context } = await testContext(t)
  const lead = { email: 'ann@example.test', source: 'form' }
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, at]))
  for (const capturedFields of [many, { note: 'x'.repeat(16_384) }])
    await t.rejects(captureLead(context, { ...lead, capturedFields }), {
      code: 'MLR_INPUT_INVALID'
    })
})

test('subscribers come in pages by id, of one status if wanted, each by an index', async (t) => {
  const { context } = await testContext(t)
  for (const externalId of ['c', 'a', 'd', 'b'])
    await upsertSubscription(context, { externalId, source: 'form' })
  const { subscriptions } = context.collections
  await subscriptions.updateOne({ externalId: 'b' }, { $set: { status: 'unsubscribed' } })
  const idsOf = async (options: Parameters<typeof subscribers>[1]) =>
    (await subscribers(context, options)).map(({ externalId }) => externalId)
  t.same(await idsOf({ limit: 3 }), ['a', 'b', 'c'])
  t.same(await idsOf({ limit: 3, after: 'c' }), ['d'])
  t.same(await idsOf({ status: 'subscribed', after: 'a' }), ['c', 'd'])
  t.match((await subscribers(context))[0], { firstSentAt: null, lastEngagedAt: null })
  const plans = [
    ['external_id', {}],
    ['status_contact', { status: 'subscribed' }]
  ] as const
  for (const [index, filter] of plans) {
    const cursor = subscriptions
      .find({ ...filter, externalId: { $gt: 'a' } })
      .sort({ externalId: 1 })
    const plan = JSON.stringify(await cursor.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /"stage":"SORT"/)
  }
})
