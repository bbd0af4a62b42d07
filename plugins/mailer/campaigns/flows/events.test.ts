// Events of contacts: recorded once by key, and starting each flow exactly once.

import { type Test, test } from 'tap'
import type { DedupePolicy, SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { testContext } from '../../test/test-context.ts'
import { createEventHandler } from './event-handler.ts'
import { createEventRegistry, dedupeKeyOf } from './event-registry.ts'
import { createOutboxHandler, fire, fireFromSession } from './fire.ts'

const DAY = 86_400_000

async function openEvents(t: Test) {
  const parts = await testContext(t, {
    handlers: (context) => ({
      events: createEventHandler(context),
      outbox: createOutboxHandler(context)
    })
  })
  const { context, queues } = parts
  const registry = createEventRegistry()
  const policies: DedupePolicy[] = ['once-per-contact', 'once-per-day', 'every-time']
  for (const dedupePolicy of policies) registry.register({ name: dedupePolicy, dedupePolicy })
  const { events, flowRuns, outbox } = context.collections
  return {
    ...parts,
    registry,
    fire: (name: string, externalId = 'c1', key?: string) =>
      fire(context, registry, { name, externalId, properties: { plan: 'pro' }, dedupeKey: key }),
    count: (name: string) => events.countDocuments({ name }),
    runs: (flowId: string) => flowRuns.find({ flowId }).sort({ _id: 1 }).toArray(),
    drain: async () => {
      await queues.outbox.runDue()
      await queues.events.runDue()
    },
    outbox
  }
}

async function addFlow(
  { collections, clock }: MailerContext,
  id: string,
  more: Partial<FlowRow> = {}
) {
  const now = clock.now()
  await collections.flows.insertOne({
    _id: id,
    slug: id,
    name: id,
    enabled: true,
    enabledAt: now,
    trigger: { type: 'event', eventName: 'every-time', once: false },
    steps: [],
    draft: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...more
  })
}

async function subscribe(
  { collections }: MailerContext,
  externalIds: readonly string[],
  status: SubscriptionStatus = 'subscribed'
) {
  const now = new Date()
  const row = { status, source: 'test', createdAt: now, updatedAt: now }
  await collections.subscriptions.insertMany(
    externalIds.map((externalId) => ({ ...row, _id: externalId, externalId }))
  )
}

test('the policy decides how often an event of a contact is recorded', async (t) => {
  const { fire, count, pass } = await openEvents(t)
  const names = ['once-per-contact', 'once-per-day', 'every-time']
  const twice = async () => {
    for (const name of names) await Promise.all([fire(name), fire(name)])
    return Promise.all(names.map(count))
  }
  t.same(await twice(), [1, 1, 2])
  pass(DAY)
  t.same(await twice(), [1, 2, 4])
})

test('keys of different contacts and names never meet', async (t) => {
  const key = (externalId: string, name: string) =>
    dedupeKeyOf('once-per-contact', { externalId, name }, new Date())
  t.not(key('a:b', 'c'), key('a', 'b:c'))
  t.not(key('a%3Ab', 'c'), key('a:b', 'c'))
})

test('an event with a key needs no registration; one with neither is refused by name', async (t) => {
  const { fire, count } = await openEvents(t)
  await Promise.all([fire('odd', 'c1', 'key'), fire('odd', 'c1', 'key')])
  t.equal(await count('odd'), 1)
  await t.rejects(fire('odd'), { code: 'MLR_EVENT_UNREGISTERED', message: /odd/ })
})

test('an event outside the limits of inputs is refused', async (t) => {
  const { fire } = await openEvents(t)
  const refused = { code: 'MLR_INPUT_INVALID' }
  await t.rejects(fire('x'.repeat(129), 'c1', 'key'), refused)
  await t.rejects(fire('every-time', ''), refused)
  await t.rejects(fire('every-time', 5 as unknown as string), refused)
  await t.rejects(fire('every-time', 'c1', 'x'.repeat(513)), refused)
})

test('an event of a transaction is recorded after the commit, once', async (t) => {
  const { context, registry, count, drain, client } = await openEvents(t)
  const event = { name: 'every-time', externalId: 'c1' }
  await context.withTransaction((session) => fireFromSession(context, registry, event, session))
  t.equal(await count('every-time'), 0)
  await drain()
  await context.collections.outbox.updateMany(
    {},
    { $set: { state: 'due', dueAt: new Date(0) }, $unset: { doneAt: 1 } }
  )
  await drain()
  t.equal(await count('every-time'), 1)
  const session = client.startSession()
  session.startTransaction()
  await fireFromSession(context, registry, event, session)
  await session.abortTransaction()
  await session.endSession()
  await drain()
  t.equal(await count('every-time'), 1)
})

test('1,500 events in a burst all enter the flow once, however often they are handled', async (t) => {
  const { context, fire, runs, drain, commands } = await openEvents(t)
  const ids = Array.from({ length: 1500 }, (_, at) => `c${at}`)
  await subscribe(context, ids)
  await addFlow(context, 'burst')
  await Promise.all(ids.map((id) => fire('every-time', id)))
  commands()
  await drain()
  const sent = commands().length
  t.ok(sent <= 8 * 15, `${sent} commands for 8 batches`)
  t.equal((await runs('burst')).length, 1500)
  await context.queues.events.reschedule({})
  await context.collections.events.updateMany({}, { $set: { state: 'due', dueAt: new Date(0) } })
  await drain()
  t.equal((await runs('burst')).length, 1500)
})

test('a flow with once lets a contact in once; runs that were aborted count', async (t) => {
  const { context, fire, runs, drain } = await openEvents(t)
  await subscribe(context, ['c1', 'c2'])
  const trigger = { type: 'event', eventName: 'every-time', once: true } as const
  await addFlow(context, 'once', { trigger })
  await addFlow(context, 'often')
  await Promise.all([fire('every-time'), fire('every-time'), fire('every-time', 'c2')])
  await drain()
  await context.collections.flowRuns.updateMany({}, { $set: { status: 'exited' } })
  await fire('every-time')
  await drain()
  t.equal((await runs('once')).length, 2)
  t.equal((await runs('often')).length, 4)
})

test('a flow that became once counts the runs of before', async (t) => {
  const { context, fire, runs, drain } = await openEvents(t)
  await subscribe(context, ['c1'])
  await addFlow(context, 'flow')
  await fire('every-time')
  await drain()
  await context.collections.flows.updateOne({ _id: 'flow' }, { $set: { 'trigger.once': true } })
  await fire('every-time')
  await drain()
  t.equal((await runs('flow')).length, 1)
})

test('only subscribed contacts enter; a run tells who, by what and which version', async (t) => {
  const { context, fire, runs, drain } = await openEvents(t)
  await subscribe(context, ['c1'])
  await subscribe(context, ['c2'], 'unsubscribed')
  await addFlow(context, 'flow', { version: 3 })
  for (const id of ['c1', 'c2', 'stranger']) await fire('every-time', id)
  await drain()
  const [run, ...others] = await runs('flow')
  t.same(others, [])
  t.match(run, {
    externalId: 'c1',
    flowVersion: 3,
    status: 'active',
    path: '0',
    triggerEvent: { name: 'every-time', properties: { plan: 'pro' } },
    history: [{ action: 'entered' }]
  })
})

test('an event keeps which flows its contact did not enter, and why', async (t) => {
  const { context, fire, drain, pass } = await openEvents(t)
  await subscribe(context, ['c1'])
  await subscribe(context, ['c2'], 'unsubscribed')
  await subscribe(context, ['c3'], 'pending_doi')
  const once = { type: 'event', eventName: 'every-time', once: true } as const
  await addFlow(context, 'flow', { trigger: once })
  for (const id of ['c1', 'c1', 'c2', 'c3', 'stranger']) {
    await fire('every-time', id)
    await drain()
    pass(1000)
  }
  const sort = { externalId: 1, occurredAt: 1 } as const
  const events = await context.collections.events.find().sort(sort).toArray()
  t.same(
    events.map(({ externalId, notEntered }) => [externalId, notEntered?.[0]?.reason]),
    [
      ['c1', undefined],
      ['c1', 'was_in_it'],
      ['c2', 'unsubscribed'],
      ['c3', 'pending_doi'],
      ['stranger', 'not_subscribed']
    ]
  )
  t.same(events[2]?.notEntered, [{ flow: 'flow', reason: 'unsubscribed' }])
})

test('a paused or unpublished flow starts nothing, nor by events from before it was enabled', async (t) => {
  const { context, fire, runs, drain, pass } = await openEvents(t)
  await subscribe(context, ['c1'])
  await addFlow(context, 'paused', { enabled: false })
  await addFlow(context, 'unpublished', { version: 0 })
  await fire('every-time')
  pass(1000)
  await addFlow(context, 'later')
  await drain()
  t.same([...(await runs('paused')), ...(await runs('unpublished')), ...(await runs('later'))], [])
  await fire('every-time')
  await drain()
  t.equal((await runs('later')).length, 1)
})

test('an event of a contact that must confirm waits, and starts its flow with the confirmation', async (t) => {
  const { context, fire, runs, drain, pass } = await openEvents(t)
  await subscribe(context, ['c1'], 'pending_doi')
  await addFlow(context, 'flow')
  await fire('every-time')
  await drain()
  t.same(await runs('flow'), [])
  const [waiting] = await context.collections.events.find().toArray()
  t.match(waiting, { state: 'due', reason: 'awaits_confirmation' })
  await context.collections.subscriptions.updateOne({}, { $set: { status: 'subscribed' } })
  pass(3_600_000)
  await drain()
  t.equal((await runs('flow')).length, 1)
  t.equal((await context.collections.events.findOne())?.notEntered, undefined)
})

test('an event of an unconfirmed contact is given up after 90 days', async (t) => {
  const { context, fire, drain, pass } = await openEvents(t)
  await subscribe(context, ['c1'], 'pending_doi')
  await addFlow(context, 'flow')
  await fire('every-time')
  for (let week = 0; week < 14; week++) {
    await drain()
    pass(7 * DAY)
  }
  t.match(await context.collections.events.findOne(), { state: 'done' })
})

test('an event comes again while a worker holds a run of its contact, and wakes the run that waits then', async (t) => {
  const { context, fire, drain, pass } = await openEvents(t)
  const { events, flowRuns } = context.collections
  const far = new Date(Date.now() + 30 * DAY)
  const run = {
    flowId: 'flow',
    flowSlug: 'flow',
    flowVersion: 1,
    externalId: 'c1',
    emailAtEntry: null,
    triggerEvent: null,
    triggerDedupeKey: 'key',
    status: 'active',
    path: '0',
    history: [],
    enteredAt: new Date()
  } as const
  await flowRuns.insertOne({ ...run, _id: 'run', state: 'leased', dueAt: far, attempts: 1 })
  await fire('every-time')
  await drain()
  t.match(await events.findOne(), { state: 'due' })
  await flowRuns.updateOne({}, { $set: { state: 'due', waitingFor: 'every-time' } })
  pass(1000)
  await drain()
  t.match(await events.findOne(), { state: 'done' })
  const woken = await flowRuns.findOne()
  t.ok(woken?.dueAt !== undefined && woken.dueAt < far)
})
