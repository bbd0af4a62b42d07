// Flows that start by a segment or by the time, exactly once per entry.
import { test } from 'tap'
import { readContact } from '../../audience/contacts/contact-records.ts'
import { suppress } from '../../audience/contacts/record-suppressions.ts'
import { tag, untag } from '../../audience/contacts/tags.ts'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { MOST_NOTED, noteNotEntered, type RefusedContact } from '../../ledger/not-entered.ts'
import { testContact, testFlows } from '../../test/test-flows.ts'
import { countFlow } from './count-steps.ts'
import { pauseFlow, resumeFlow } from './flow-operations.ts'
import { listNotEntered } from './not-entered.ts'
import { planScan } from './plan-scan.ts'
import { runCronTriggers, runSegmentTriggers } from './triggers.ts'

const HOUR = 3_600_000
const segmentDefinition = { filters: [{ kind: 'hasTag', tag: 'vip' }] }
const entering: FlowTrigger = { type: 'segment_enter', segmentDefinition, once: false }
const hourly: FlowTrigger = {
  type: 'cron',
  cronExpression: '0 * * * *',
  segmentDefinition,
  once: false
}
const by = { actor: 'human:ann' }

async function open(t: Parameters<typeof testFlows>[0], trigger: FlowTrigger) {
  const ids = ['c1', 'c2', 'c3']
  const parts = await testFlows(t, { ids, now: new Date('2026-03-04T10:30:00Z') })
  const { context } = parts
  await tag(context, 'c1', 'vip')
  await parts.addFlow('flow', [], { trigger })
  const runs = async () => {
    const rows = await context.collections.flowRuns.find().sort({ externalId: 1 }).toArray()
    return rows.map(({ externalId }) => externalId).join(' ')
  }
  const scan = async () => {
    await runSegmentTriggers(context)
    await runCronTriggers(context)
    return runs()
  }
  return { ...parts, scan, runs }
}

test('contacts who are in the segment when the flow is enabled do not enter, newcomers do, once', async (t) => {
  const { context, scan } = await open(t, entering)
  t.equal(await scan(), '')
  await tag(context, 'c2', 'vip')
  t.equal(await scan(), 'c2')
  t.equal(await scan(), 'c2')
  t.match(await context.collections.flowRuns.findOne(), {
    triggerEvent: null,
    emailAtEntry: 'c2@example.test'
  })
})

test('a contact who leaves the segment and comes back enters again, unless the flow is once', async (t) => {
  for (const once of [false, true]) {
    const { context, scan } = await open(t, { ...entering, once })
    await scan()
    for (let round = 0; round < 2; round++) {
      await tag(context, 'c2', 'vip')
      await scan()
      await untag(context, 'c2', 'vip')
      await scan()
    }
    t.equal(await scan(), once ? 'c2' : 'c2 c2')
  }
})

test('contacts who enter while the flow is paused do not enter it when it is resumed', async (t) => {
  const { context, scan, pass } = await open(t, entering)
  await scan()
  await pauseFlow(context, 'flow', by)
  await tag(context, 'c2', 'vip')
  t.equal(await scan(), '')
  pass(1000)
  await resumeFlow(context, 'flow', by)
  t.equal(await scan(), '')
  await tag(context, 'c3', 'vip')
  t.equal(await scan(), 'c3')
})

test('a contact who subscribes later enters then', async (t) => {
  const { context, scan } = await open(t, entering)
  const { subscriptions } = context.collections
  await scan()
  await tag(context, 'c2', 'vip')
  await subscriptions.updateOne({ externalId: 'c2' }, { $set: { status: 'pending_doi' } })
  t.equal(await scan(), '')
  await subscriptions.updateOne({ externalId: 'c2' }, { $set: { status: 'subscribed' } })
  t.equal(await scan(), 'c2')
})

test('contacts whom a trigger does not take leave a reason, for their page and in the counts', async (t) => {
  for (const trigger of [entering, hourly]) {
    const { context, scan, pass, addFlow } = await open(t, trigger)
    const { subscriptions, suppressions, notEntered } = context.collections
    await addFlow('receipts', [{ type: 'send', templateSlug: 'notice' }], { trigger })
    await scan()
    for (const id of ['c2', 'c3']) await tag(context, id, 'vip')
    await subscriptions.updateOne({ externalId: 'c2' }, { $set: { status: 'unsubscribed' } })
    await suppress(context, 'c3@example.test', { scope: 'marketing', reason: 'manual' })
    t.equal(await suppressions.countDocuments(), 1)
    pass(HOUR)
    await scan()
    const { recentNotEntered } = (await readContact(context, 'c2')) ?? {}
    t.match(recentNotEntered, [{ flow: 'flow', reason: 'unsubscribed', at: Date }])
    t.match((await countFlow(context, 'flow'))?.notEntered, [
      { reason: 'unsubscribed', count: 1 },
      { reason: 'suppressed', count: 1 }
    ])
    t.same((await countFlow(context, 'receipts'))?.notEntered, [], 'it takes every contact')
    const before = await notEntered.find().sort({ externalId: 1 }).toArray()
    t.match(before, [{ externalId: 'c2' }, { externalId: 'c3' }])
    pass(HOUR)
    await scan()
    const after = await notEntered.find().sort({ externalId: 1 }).toArray()
    t.equal(after.length, 2)
    const isRenewed = Number(after[0]?.at) > Number(before[0]?.at)
    t.equal(isRenewed, trigger.type === 'cron')
  }
})

test('a contact whom a flow takes once is noted when its time comes again', async (t) => {
  const { context, scan, pass } = await open(t, { ...hourly, once: true })
  await scan()
  for (let hour = 0; hour < 2; hour++) {
    pass(HOUR)
    await scan()
  }
  t.match((await readContact(context, 'c1'))?.recentNotEntered, [{ reason: 'was_in_it' }])
})

test('of many contacts the first of each reason are noted, and all are counted', async (t) => {
  const { context } = await open(t, hourly)
  const { notEntered } = context.collections
  const many = (from: number, count: number): RefusedContact[] =>
    Array.from({ length: count }, (_, at) => {
      const externalId = `n${String(from + at).padStart(5, '0')}`
      return { externalId, reason: 'not_subscribed' }
    })
  const note = { flowId: 'flow', at: context.clock.now(), isRenewed: false } as const
  let counts = await noteNotEntered(context, many(0, 600), { ...note, counts: {} })
  counts = await noteNotEntered(context, many(600, 600), { ...note, counts })
  counts = await noteNotEntered(context, [{ externalId: 'n0', reason: 'bounced' }], {
    ...note,
    counts
  })
  t.same(counts, { not_subscribed: 1200, bounced: 1 })
  t.equal(await notEntered.countDocuments(), MOST_NOTED + 1)
  const first = await listNotEntered(context, 'flow', { reason: 'not_subscribed', limit: 600 })
  const { nextCursor: after = '' } = first
  const rest = await listNotEntered(context, 'flow', { reason: 'not_subscribed', after })
  t.equal(first.rows.length, 600)
  t.equal(rest.rows.length, 200)
})

test('a scan goes on where the last tick or a dead process left it', async (t) => {
  const { context, adapter, addFlow, runs, scan } = await open(t, hourly)
  const { flows, subscriptions } = context.collections
  await flows.deleteMany({})
  const now = new Date()
  const more = Array.from({ length: 1200 }, (_, at) =>
    testContact(`n${String(at).padStart(4, '0')}`)
  )
  for (const one of more) adapter.byId.set(one.externalId, one)
  const row = { status: 'subscribed', source: 'test', createdAt: now, updatedAt: now } as const
  await subscriptions.insertMany(
    more.map(({ externalId }) => ({ ...row, _id: externalId, externalId }))
  )
  await addFlow('all', [], { trigger: { ...entering, segmentDefinition: { filters: [] } } })
  const count = () => context.collections.flowMembers.countDocuments()
  await runSegmentTriggers(context, { maxPages: 1 })
  t.equal(await count(), 500)
  await flows.updateOne({ _id: 'all' }, { $set: { 'triggerScan.isBaseline': false } })
  await runSegmentTriggers(context, { maxPages: 1 })
  const between = await flows.findOne({ _id: 'all' })
  await scan()
  const first = (await runs()).split(' ').length
  t.equal(await count(), 1203)
  if (between?.triggerScan === undefined) throw new Error('it was scanned')
  await flows.updateOne({ _id: 'all' }, { $set: { triggerScan: between.triggerScan } })
  await scan()
  t.equal((await runs()).split(' ').length, first)
})

test('two processes that scan at once start each run once', async (t) => {
  const { context, scan } = await open(t, entering)
  await scan()
  await tag(context, 'c2', 'vip')
  await Promise.all([scan(), scan(), scan()])
  t.equal(await scan(), 'c2')
})

test('at each time of its expression a flow starts for all in the segment, once', async (t) => {
  const { scan, pass } = await open(t, hourly)
  t.equal(await scan(), '')
  pass(HOUR / 2 + 1000)
  t.equal(await scan(), 'c1')
  t.equal(await scan(), 'c1')
  pass(HOUR)
  t.equal(await scan(), 'c1 c1')
})

test('times that passed while no worker looked count as one', async (t) => {
  const { scan, pass } = await open(t, hourly)
  pass(7 * HOUR)
  t.equal(await scan(), 'c1')
  t.equal(await scan(), 'c1')
})

test('a segment that cannot be read does not hold up other flows', async (t) => {
  const { context, addFlow, scan, logged } = await open(t, entering)
  await context.collections.flows.updateOne(
    {},
    { $set: { 'trigger.segmentDefinition': { filters: [{ kind: 'gone' }] } } }
  )
  await addFlow('good', [], { trigger: entering })
  await scan()
  await tag(context, 'c2', 'vip')
  t.equal(await scan(), 'c2')
  t.match(logged, [{ level: 'error' }])
})

test('an hour of a year ago is not looked for minute by minute', async (t) => {
  const now = new Date('2026-03-04T10:30:00Z')
  const trigger = { ...hourly, cronExpression: '* * * * *' } as FlowTrigger
  const enabledAt = new Date('2025-03-04T10:30:00Z')
  t.same(planScan({ trigger, enabledAt, createdAt: enabledAt }, now)?.at, now)
})
