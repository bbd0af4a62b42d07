// Subscriptions in pages.
import { test } from 'tap'
import { upsertSubscription } from '../../consent/subscribe.ts'
import { testContext } from '../../test/test-context.ts'
import { subscribers } from './subscribers.ts'

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
