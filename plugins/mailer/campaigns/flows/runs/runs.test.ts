// Runs of flows: advanced in batches, each effect once, whatever dies in between.

import { type Test, test } from 'tap'
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import type { FlowStep } from '../../../ledger/flow-steps.ts'
import { testFlows } from '../../../test/test-flows.ts'
import { countFlow } from '../count-steps.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const day: FlowStep = { type: 'wait', value: 1, unit: 'days' }

test('a run sends, waits for a day, goes on and completes', async (t) => {
  const { addFlow, start, mails, run, passAndDrain } = await testFlows(t)
  await addFlow('flow', [send('notice'), day, send('a')])
  await start('go')
  t.same(await mails(), ['notice'])
  t.match(await run(), { status: 'active', path: '1', emailAtEntry: 'c1@example.test' })
  await passAndDrain(DAY - HOUR)
  t.same(await mails(), ['notice'])
  await passAndDrain(HOUR + 1000)
  t.same(await mails(), ['notice', 'a'])
  const { status, exitedAt, nextActionAt, history } = await run()
  t.equal(status, 'completed')
  t.ok(exitedAt)
  t.notOk(nextActionAt)
  t.same(
    history.map(({ path, action }) => `${path} ${action}`),
    ['0 entered', '0 sent', '1 wait_started', '1 wait_completed', '2 sent']
  )
})

test('runs are counted at the step that they ended at', async (t) => {
  const { addFlow, start, passAndDrain, context } = await testFlows(t)
  const one = { fieldEquals: { field: 'firstName', value: 'c1' } }
  const isOne: FlowStep = { type: 'condition', test: one, ifFalse: 'exit' }
  await addFlow('flow', [send('a'), day, isOne, send('a'), { type: 'tag', addTags: ['done'] }])
  await start('go', ['c1', 'c2'])
  await passAndDrain(DAY + 1000)
  const counts = await countFlow(context, 'flow')
  t.match(counts?.steps, [
    { path: '2', exited: 1, completed: 0 },
    { path: '4', exited: 0, completed: 1 }
  ])
})

test('mail of a flow carries its run, its event and the lane of its kind', async (t) => {
  const { addFlow, start, run, context } = await testFlows(t)
  await addFlow('flow', [send('notice'), { ...send('a'), vars: { x: 1 } } as FlowStep])
  await start('go', ['c1'], { plan: 'pro' })
  const sends = await context.collections.sends.find().sort({ lane: -1 }).toArray()
  const { _id: flowRunId } = await run()
  const event = { name: 'go', properties: { plan: 'pro' } }
  const same = { flowRunId, flowSlug: 'flow', event, emailAtSend: 'c1@example.test' }
  t.match(sends, [
    { lane: 'urgent', kind: 'transactional', dedupeKey: `flowrun:${flowRunId}:step0`, ...same },
    { lane: 'bulk', kind: 'marketing', vars: { x: 1 }, ...same }
  ])
})

test('steps of one index in different arms are different mails', async (t) => {
  const { addFlow, start, mails } = await testFlows(t)
  const branch: FlowStep = {
    type: 'branch',
    test: { fieldExists: 'firstName' },
    ifTrueSteps: [send('a')]
  }
  await addFlow('flow', [send('a'), branch, branch])
  await start('go')
  t.same(await mails(), ['a', 'a', 'a'])
})

test('a run keeps the version that it began with', async (t) => {
  const { addFlow, start, mails, passAndDrain, context } = await testFlows(t)
  await addFlow('flow', [send('a'), day, send('a')])
  await start('go')
  await context.collections.flows.deleteOne({ _id: 'flow' })
  await addFlow('flow', [send('b')], { version: 2 })
  await passAndDrain(DAY + 1000)
  t.same(await mails(), ['a', 'a'])
})

test('a run whose version is missing fails, and its neighbours go on', async (t) => {
  const { addFlow, start, mails, run, context } = await testFlows(t)
  await addFlow('flow', [send('a')])
  await addFlow('lost', [send('b')])
  await context.collections.flowVersions.deleteOne({ flowId: 'lost' })
  await start('go')
  t.match(await run('c1', 'lost'), { status: 'failed', exitReason: 'flow_missing' })
  t.same(await mails(), ['a'])
})

test('an unsubscribe during a wait ends the run before its next mail', async (t) => {
  const { addFlow, start, mails, run, passAndDrain, context } = await testFlows(t)
  await addFlow('flow', [send('a'), day, send('b')])
  await start('go')
  await context.collections.subscriptions.updateOne(
    { externalId: 'c1' },
    { $set: { status: 'unsubscribed' } }
  )
  await passAndDrain(DAY + 1000)
  t.same(await mails(), ['a'])
  t.match(await run(), { status: 'exited', exitReason: 'unsubscribed' })
})

for (const writableTags of [true, false]) {
  test(`predicates see tags that the ${writableTags ? 'adapter' : 'mailer'} keeps`, async (t) => {
    const { addFlow, start, run, passAndDrain } = await testFlows(t, { writableTags })
    const gate: FlowStep = { type: 'condition', test: { hasTag: 'warm' }, ifFalse: 'exit' }
    await addFlow('flow', [{ type: 'tag', addTags: ['warm'] }, day, gate])
    await start('go')
    await passAndDrain(DAY + 1000)
    t.match(await run(), { status: 'completed' })
  })
}

test('predicates read events, and opens and clicks of people alone', async (t) => {
  const { addFlow, start, run, passAndDrain, context } = await testFlows(t)
  const gate = (predicate: object): FlowStep =>
    ({ type: 'condition', test: predicate, ifFalse: 'exit' }) as FlowStep
  const opened = gate({ all: [{ hasOpened: { templateSlug: 'a' } }, { hasFiredEvent: 'go' }] })
  await addFlow('flow', [send('a'), day, opened])
  await start('go', ['c1', 'c2'])
  const { sends } = context.collections
  const openedAt = new Date()
  await sends.updateOne({ externalId: 'c1' }, { $set: { openedAt, humanOpenedAt: openedAt } })
  await sends.updateOne({ externalId: 'c2' }, { $set: { openedAt } })
  await passAndDrain(DAY + 1000)
  t.match(await run('c1'), { status: 'completed' })
  t.match(await run('c2'), { status: 'exited', exitReason: 'condition_false' })
})

test('an event fired by a flow starts another one with the properties of both', async (t) => {
  const { addFlow, start, mails, context } = await testFlows(t)
  const step: FlowStep = { type: 'fire_event', eventName: 'next', properties: { by: 'flow' } }
  await addFlow('first', [step])
  await addFlow('second', [send('a')], {
    trigger: { type: 'event', eventName: 'next', once: false }
  })
  await start('go', ['c1'], { plan: 'pro', by: 'host' })
  t.same(await mails(), ['a'])
  const event = await context.collections.events.findOne({ name: 'next' })
  t.same(event?.properties, { plan: 'pro', by: 'flow' })
})

test('an awaited event goes on behind the wait at once; without it the timeout arm runs', async (t) => {
  const { addFlow, start, mails, run, passAndDrain } = await testFlows(t)
  const wait: FlowStep = {
    type: 'waitForEvent',
    eventName: 'paid',
    timeout: { value: 2, unit: 'days' },
    timeoutSteps: [send('b')]
  }
  await addFlow('flow', [wait, send('a')])
  await start('go', ['c1', 'c2'])
  t.match(await run(), { waitingFor: 'paid', path: '0' })
  await passAndDrain(DAY)
  await start('paid', ['c1'])
  t.same(await mails('c1'), ['a'])
  t.notOk((await run('c1')).waitingFor)
  await passAndDrain(DAY + HOUR)
  await start('paid', ['c1', 'c2'])
  t.same([await mails('c1'), (await mails('c2')).sort()], [['a'], ['a', 'b']])
})

test('a wait keyed by a property ends with the event of the same order, not with that of another one', async (t) => {
  const { addFlow, start, mails, run, passAndDrain } = await testFlows(t)
  const wait: FlowStep = {
    type: 'waitForEvent',
    eventName: 'paid',
    match: { property: 'order', triggerProperty: 'id' },
    timeout: { value: 2, unit: 'days' },
    timeoutSteps: [send('b')]
  }
  await addFlow('flow', [wait, send('a')])
  await start('go', ['c1'], { id: 7 })
  await start('go', ['c2'], { other: 7 })
  t.match(await run('c1'), { waitingMatch: { property: 'order', value: 7 } })
  t.match(await run('c2'), { waitingMatch: { property: 'order', value: null } })
  for (const order of [8, '7', null]) await start('paid', ['c1', 'c2'], { order })
  t.same([await mails('c1'), await mails('c2')], [[], []])
  t.match(await run('c1'), { status: 'active', path: '0' })
  await start('paid', ['c1', 'c2'], { order: 7 })
  t.same([await mails('c1'), await mails('c2')], [['a'], []])
  t.notOk((await run('c1')).waitingMatch)
  await passAndDrain(2 * DAY + HOUR)
  t.same((await mails('c2')).sort(), ['a', 'b'], 'what has no such property never comes')
})

test('runs of one contact wait for their own orders', async (t) => {
  const { addFlow, start, context } = await testFlows(t)
  const timeout = { value: 2, unit: 'days' } as const
  await addFlow('flow', [
    { type: 'waitForEvent', eventName: 'paid', match: { property: 'order' }, timeout },
    { type: 'wait', value: 9, unit: 'weeks' }
  ])
  for (const order of ['x', 'y']) await start('go', ['c1'], { order })
  await start('paid', ['c1'], { order: 'y' })
  const runs = await context.collections.flowRuns.find().toArray()
  t.same(
    runs.map(({ triggerEvent, path }) => `${triggerEvent?.properties['order']} ${path}`).sort(),
    ['x 0', 'y 1']
  )
})

test('the event that started a run is not the one it waits for', async (t) => {
  const { addFlow, start, run } = await testFlows(t)
  await addFlow('flow', [
    { type: 'waitForEvent', eventName: 'go', timeout: { value: 1, unit: 'days' } }
  ])
  await start('go')
  t.match(await run(), { status: 'active', waitingFor: 'go' })
})

test('an event that came before the timeout counts, though it is handled after it', async (t) => {
  const { addFlow, start, mails, pass, queues, context, drain } = await testFlows(t)
  const wait: FlowStep = {
    type: 'waitForEvent',
    eventName: 'paid',
    timeout: { value: 1, unit: 'hours' },
    timeoutSteps: [send('b')]
  }
  await addFlow('flow', [wait, send('a')])
  await start('go')
  const event = { name: 'paid', externalId: 'c1', properties: {}, dedupeKey: 'paid' }
  const now = context.clock.now()
  await context.queues.events.add([{ ...event, _id: 'paid', occurredAt: now, createdAt: now }])
  pass(2 * HOUR)
  await queues.flowRuns.runDue()
  await drain()
  t.same(await mails(), ['a'])
})

test('effects are done once when a worker dies before its result is stored', async (t) => {
  const { addFlow, start, mails, run, drain, context } = await testFlows(t)
  const { collections } = context
  await addFlow('flow', [
    send('a'),
    { type: 'tag', addTags: ['warm'] },
    { type: 'fire_event', eventName: 'next' }
  ])
  await start('go')
  await collections.flowRuns.updateOne(
    {},
    {
      $set: { status: 'active', path: '0', state: 'due', dueAt: new Date(0) },
      $unset: { exitedAt: 1, doneAt: 1 }
    }
  )
  await drain()
  t.match(await run(), { status: 'completed' })
  t.same(await mails(), ['a'])
  t.equal(await collections.events.countDocuments({ name: 'next' }), 1)
})

test('a run that was ended while a worker held it stays ended, and its mail does not leave', async (t) => {
  const { addFlow, start, run, context, drain } = await testFlows(t, {
    templateSlugs: {}
  })
  const { collections, templates } = context
  await addFlow('flow', [send('a'), day])
  templates.load = async (slugs) => {
    await collections.flowRuns.updateOne(
      {},
      { $set: { status: 'exited', exitReason: 'aborted_by_host' } }
    )
    return new Map(slugs.map((slug) => [slug, { slug, kind: 'marketing' } as never]))
  }
  await start('go')
  await drain()
  t.match(await run(), { status: 'exited', exitReason: 'aborted_by_host', path: '0' })
  t.match(await collections.sends.findOne(), { status: 'cancelled', exitReason: 'run_aborted' })
})

test('a mail whose template is not published has a row that the hand-off ends, and the run says so', async (t) => {
  const { addFlow, start, run, mails } = await testFlows(t, { templateSlugs: {} })
  await addFlow('flow', [send('a')])
  await start('go')
  t.same(await mails(), ['a'])
  const { status, history } = await run()
  t.equal(status, 'completed')
  t.match(history.at(-1), { action: 'send_skipped', detail: { reason: 'template_missing' } })
})

test('runs wait while the contacts of the host cannot be read, and that is not a failure of theirs', async (t) => {
  const { addFlow, start, run, mails, adapter, passAndDrain } = await testFlows(t)
  await addFlow('flow', [send('a')])
  const { getBatch } = adapter
  adapter.getBatch = async () => {
    throw new Error('the users are away')
  }
  await start('go')
  t.match(await run(), { status: 'active', state: 'due', attempts: 0 })
  adapter.getBatch = getBatch
  await passAndDrain(31_000)
  t.same(await mails(), ['a'])
})

test('runs wait while the right of the owner of their flow is unknown, or lost', async (t) => {
  const { addFlow, start, run, mails, context, passAndDrain } = await testFlows(t)
  const owner = { tenantId: 'acme', token: 'agent:bot', name: 'agent:bot' }
  await addFlow('flow', [{ type: 'tag', addTags: ['x'] }, send('a')], { owner })
  const { admits } = context
  const answer = (next: typeof admits) => Object.assign(context, { admits: next })
  answer(async () => {
    throw new Error('the people are away')
  })
  await start('go')
  t.match(await run(), { status: 'active', state: 'due', attempts: 0, path: '0' })
  answer(async () => false)
  await passAndDrain(31_000)
  t.match(await run(), { path: '0', hold: { cause: 'owner_forbidden', message: /^agent:bot let/ } })
  const { since } = (await run()).hold ?? {}
  await passAndDrain(61_000)
  t.match(await run(), { hold: { since } })
  answer(async () => true)
  await passAndDrain(16 * 60_000)
  t.same(await mails(), ['a'])
  t.notOk((await run()).hold)
})

test('tags that the adapter does not take fail that run alone, in the end for good', async (t) => {
  const { addFlow, start, run, mails, adapter, passAndDrain } = await testFlows(t)
  await addFlow('flow', [{ type: 'tag', addTags: ['x'] }, send('a')])
  const { addTags } = adapter
  adapter.addTags = async (id, tags) => {
    if (id === 'c1') throw new Error('read-only')
    await addTags?.(id, tags)
  }
  await start('go', ['c1', 'c2'])
  t.same([await mails('c1'), await mails('c2')], [[], ['a']])
  for (let round = 0; round < 12; round++) await passAndDrain(DAY)
  t.match(await run('c1'), { status: 'failed', exitReason: 'broken', state: 'done' })
})

test('a run keeps its 200 newest entries', async (t) => {
  const { addFlow, start, run } = await testFlows(t)
  const steps = Array.from({ length: 45 }, (): FlowStep => ({ type: 'tag', addTags: ['x'] }))
  const arms = Array.from(
    { length: 5 },
    (): FlowStep => ({ type: 'branch', test: { hasTag: 'x' }, ifTrueSteps: steps })
  )
  await addFlow('flow', [{ type: 'tag', addTags: ['x'] }, ...arms])
  await start('go')
  const { status, history } = await run()
  t.equal(status, 'completed')
  t.equal(history.length, 200)
  t.match(history.at(-1), { path: '5.true.44' })
})

async function webhookFlow(t: Test, failureMode: 'soft' | 'fail_run') {
  const agent = new MockAgent()
  agent.disableNetConnect()
  const before = getGlobalDispatcher()
  setGlobalDispatcher(agent)
  t.teardown(() => setGlobalDispatcher(before))
  const parts = await testFlows(t)
  const url = 'https://hooks.example.test/run'
  await parts.addFlow('flow', [{ type: 'webhook', url, payload: { a: 1 }, failureMode }, send('a')])
  const pool = agent.get('https://hooks.example.test')
  return { ...parts, hook: () => pool.intercept({ path: '/run', method: 'POST' }) }
}

test('a webhook step posts its payload under the key of run and step, and goes on', async (t) => {
  const { hook, start, run, mails } = await webhookFlow(t, 'fail_run')
  let seen: unknown
  hook().reply(200, ({ body, headers }) => {
    seen = { ...JSON.parse(String(body)), headers }
    return 'ok'
  })
  await start('go', ['c1'], { plan: 'pro' })
  const { _id, status } = await run()
  t.match(seen, {
    flow: 'flow',
    run: _id,
    externalId: 'c1',
    event: { name: 'go', properties: { plan: 'pro' } },
    payload: { a: 1 },
    headers: { 'idempotency-key': `flowrun:${_id}:step0` }
  })
  t.equal(status, 'completed')
  t.same(await mails(), ['a'])
})

test('a webhook that fails is called again each minute, then the run goes on', async (t) => {
  const { hook, start, run, mails, passAndDrain } = await webhookFlow(t, 'soft')
  let calls = 0
  hook()
    .reply(503, () => String(++calls))
    .persist()
  await start('go')
  t.match(await run(), { status: 'active', failedCalls: 1 })
  for (let minute = 0; minute < 5; minute++) await passAndDrain(60_000)
  t.equal(calls, 3)
  t.same(await mails(), ['a'])
  const called = (await run()).history.filter(({ action }) => action === 'webhook_called')
  t.match(called, [{ detail: { failed: 'the webhook answered 503' } }])
})

test('a webhook that asks to wait is called again then, and one that is gone not at all', async (t) => {
  const { hook, start, run, mails, passAndDrain } = await webhookFlow(t, 'soft')
  hook().reply(429, '', { headers: { 'retry-after': '600' } })
  await start('go')
  await passAndDrain(599_000)
  t.match(await run(), { status: 'active', failedCalls: 1 })
  hook().reply(410, '')
  await passAndDrain(1_000)
  t.same(await mails(), ['a'])
  t.match(
    (await run()).history.filter(({ action }) => action === 'webhook_called'),
    [{ detail: { failed: 'the webhook answered 410' } }]
  )
})

test('a webhook that must not fail fails its run', async (t) => {
  const { hook, start, run, mails, passAndDrain } = await webhookFlow(t, 'fail_run')
  hook().replyWithError(new Error('refused')).persist()
  await start('go')
  for (let minute = 0; minute < 5; minute++) await passAndDrain(60_000)
  t.match(await run(), { status: 'failed', exitReason: 'webhook_failed' })
  t.same(await mails(), [])
})
