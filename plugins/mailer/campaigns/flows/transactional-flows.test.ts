// Flows with transactional mail: they reach contacts who left marketing, whatever starts them.
import { test } from 'tap'
import { tag } from '../../audience/contacts/tags.ts'
import type { SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { testFlows } from '../../test/test-flows.ts'
import { simulateFlow } from './simulate-flow.ts'
import { runSegmentTriggers } from './triggers.ts'

const DAY = 86_400_000
const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const day: FlowStep = { type: 'wait', value: 1, unit: 'days' }

async function open(t: Parameters<typeof testFlows>[0]) {
  const parts = await testFlows(t, { ids: ['c1', 'c2', 'c3', 'c4', 'c5'] })
  const { subscriptions } = parts.context.collections
  const statuses: readonly SubscriptionStatus[] = ['unsubscribed', 'pending_doi', 'bounced']
  for (const [at, status] of statuses.entries())
    await subscriptions.updateOne({ externalId: `c${at + 1}` }, { $set: { status } })
  await subscriptions.deleteOne({ externalId: 'c4' })
  return parts
}

const EVERYONE = ['c1', 'c2', 'c3', 'c4', 'c5']

test('an event starts a flow of transactional mail for every contact, a flow of marketing mail for subscribers', async (t) => {
  const { addFlow, start, mails } = await open(t)
  await addFlow('receipts', [send('notice')])
  await addFlow('news', [send('a')])
  await start('go', EVERYONE)
  const sent = await Promise.all(EVERYONE.map(mails))
  t.same(
    sent.map((slugs) => [...slugs].sort().join(' ')),
    ['notice', 'notice', 'notice', 'notice', 'a notice']
  )
})

test('a contact who leaves marketing gets the transactional mail ahead, then leaves the flow', async (t) => {
  const { addFlow, start, mails, run, passAndDrain, context } = await open(t)
  await addFlow('flow', [send('a'), day, send('notice'), day, send('b')])
  await start('go', ['c5'])
  await context.collections.subscriptions.updateOne(
    { externalId: 'c5' },
    { $set: { status: 'unsubscribed' } }
  )
  await passAndDrain(DAY + 1000)
  await passAndDrain(DAY + 1000)
  t.same(await mails('c5'), ['a', 'notice'])
  t.match(await run('c5'), { status: 'exited', exitReason: 'unsubscribed' })
})

test('a segment starts a flow of transactional mail for every contact in it with an address', async (t) => {
  const { addFlow, context, adapter } = await open(t)
  const trigger = {
    type: 'segment_enter',
    segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'vip' }] },
    once: false
  } as const
  await addFlow('receipts', [send('notice')], { trigger })
  await addFlow('news', [send('a')], { trigger })
  await runSegmentTriggers(context)
  const nowhere = { externalId: 'c6', email: '', tags: ['vip'], fields: {} }
  adapter.byId.set('c6', nowhere)
  for (const id of EVERYONE) await tag(context, id, 'vip')
  await runSegmentTriggers(context)
  const entered = async (flowSlug: string) => {
    const runs = await context.collections.flowRuns.find({ flowSlug }).toArray()
    return runs.map(({ externalId }) => externalId).sort()
  }
  t.same(await entered('receipts'), EVERYONE)
  t.same(await entered('news'), ['c5'])
})

test('a simulation lets a contact who left marketing into a flow of transactional mail alone', async (t) => {
  const { addFlow, context } = await open(t)
  await addFlow('receipts', [send('notice')])
  await addFlow('news', [send('a')])
  const contact = await context.adapter.getById('c1')
  if (contact === null) throw new Error('c1 exists')
  const receipts = await simulateFlow(context, 'receipts', { contact })
  t.match(receipts, { reasons: [], sends: [{ templateSlug: 'notice' }] })
  const news = await simulateFlow(context, 'news', { contact })
  t.match(news, { reasons: ['The contact is not subscribed: unsubscribed.'], sends: [] })
})
