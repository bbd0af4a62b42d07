// Flows that start each other, and runs whose workers died: both end, and say why.
import { test } from 'tap'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { testFlows } from '../../test/test-flows.ts'
import { recoverParkedRuns } from './recover-parked-runs.ts'

const DAY = 86_400_000
const fireGo: FlowStep = { type: 'fire_event', eventName: 'go' }
const day: FlowStep = { type: 'wait', value: 1, unit: 'days' }

test('a flow that fires its own event ends after ten rounds, and its last run says so', async (t) => {
  const { addFlow, start, drain, context, mails } = await testFlows(t)
  await addFlow('loop', [{ type: 'send', templateSlug: 'a' }, fireGo])
  await start('go')
  for (let round = 0; round < 5; round++) await drain()
  const { flowRuns } = context.collections
  const runs = await flowRuns.find().sort({ chain: 1 }).toArray()
  t.same(
    runs.map(({ chain = 0, status, exitReason }) => [chain, status, exitReason]),
    Array.from({ length: 11 }, (_, at) =>
      at < 10 ? [at, 'completed', undefined] : [at, 'exited', 'chain_limit']
    )
  )
  t.equal((await mails()).length, 11)
})

test('two flows that start each other end as well', async (t) => {
  const { addFlow, start, drain, context } = await testFlows(t)
  const byNext = { trigger: { type: 'event', eventName: 'next', once: false } } as const
  await addFlow('ping', [{ type: 'fire_event', eventName: 'next' }])
  await addFlow('pong', [fireGo], byNext)
  await start('go')
  for (let round = 0; round < 5; round++) await drain()
  const { flowRuns } = context.collections
  t.equal(await flowRuns.countDocuments(), 11)
  t.equal(await flowRuns.countDocuments({ exitReason: 'chain_limit' }), 1)
})

test('a flow that waits for a day may start itself again for ever', async (t) => {
  const { addFlow, start, passAndDrain, context } = await testFlows(t)
  await addFlow('daily', [day, fireGo])
  await start('go')
  for (let round = 0; round < 12; round++) await passAndDrain(DAY + 1000)
  const { flowRuns } = context.collections
  t.equal(await flowRuns.countDocuments(), 13)
  t.equal(await flowRuns.countDocuments({ exitReason: 'chain_limit' }), 0)
})

test('a run that every worker died on fails where people see it; others stay as they are', async (t) => {
  const { addFlow, start, run, context } = await testFlows(t)
  await addFlow('flow', [day, { type: 'send', templateSlug: 'a' }])
  await start('go', ['c1', 'c2'])
  const { flowRuns } = context.collections
  const parked = { state: 'parked', parkedAt: new Date(), reason: 'lease lost' } as const
  await flowRuns.updateOne({ externalId: 'c1' }, { $set: parked, $unset: { dueAt: 1 } })
  await recoverParkedRuns(context)
  const lost = await run('c1')
  t.match(lost, { status: 'failed', exitReason: 'workers_lost', state: 'done', exitedAt: Date })
  t.notOk(lost.parkedAt)
  t.match(lost.history.at(-1), { action: 'failed', path: '0', detail: { reason: 'workers_lost' } })
  t.match(await run('c2'), { status: 'active', state: 'due' })
})
