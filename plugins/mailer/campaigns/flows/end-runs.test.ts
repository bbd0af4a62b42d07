// Runs that are ended, stopped or moved from outside.
import { test } from 'tap'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { testFlows } from '../../test/test-flows.ts'
import { abortAllFlows, abortFlow } from './end-runs.ts'
import { listRuns, skipStep, stopRun } from './run-operations.ts'
import { stopFlow } from './stop-flow.ts'

const DAY = 86_400_000
const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const day: FlowStep = { type: 'wait', value: 1, unit: 'days' }
const actor = 'human:ann'

test('aborting a flow ends its runs, cancels waiting mail, and is audited', async (t) => {
  const { addFlow, start, run, mails, passAndDrain, context } = await testFlows(t)
  await addFlow('flow', [send('a'), day, send('b')])
  await start('go', ['c1', 'c2'])
  const done = await abortFlow(context, 'flow', 'c1', { reason: 'upgraded' })
  t.same(done, { abortedRuns: 1, cancelledSends: 1 })
  const { status, exitReason, exitedAt, nextActionAt } = await run('c1')
  t.same([status, exitReason], ['exited', 'aborted_by_host:upgraded'])
  t.ok(exitedAt)
  t.notOk(nextActionAt)
  t.match(await context.collections.sends.findOne({ externalId: 'c1' }), { status: 'cancelled' })
  const audited = await context.collections.auditLog.find({ action: 'flow.abort' }).toArray()
  t.match(audited, [{ resource: { slug: 'flow' }, after: { externalId: 'c1', abortedRuns: 1 } }])
  await passAndDrain(DAY + 1000)
  t.same([await mails('c1'), (await mails('c2')).sort()], [['a'], ['a', 'b']])
  t.same(await abortFlow(context, 'flow', 'c1'), { abortedRuns: 0, cancelledSends: 0 })
})

test('stopping a flow ends everybody in it with a reason, and starts no more runs', async (t) => {
  const { addFlow, start, run, mails, passAndDrain, context } = await testFlows(t)
  await addFlow('flow', [send('a'), day, send('b')])
  await addFlow('other', [day])
  await start('go', ['c1', 'c2'])
  const stopped = await stopFlow(context, 'flow', { actor })
  t.match(stopped, { ok: true, flow: { enabled: false }, abortedRuns: 2, cancelledSends: 2 })
  for (const contact of ['c1', 'c2'])
    t.match(await run(contact, 'flow'), { status: 'exited', exitReason: 'flow_stopped' })
  t.match(await run('c1', 'other'), { status: 'active' })
  const entries = await context.collections.auditLog.find({ 'resource.slug': 'flow' }).toArray()
  t.match(
    entries.find(({ action }) => action === 'flow.stop'),
    { actor, after: { exitReason: 'flow_stopped', abortedRuns: 2, cancelledSends: 2 } }
  )
  await start('go', ['c3'])
  await passAndDrain(2 * DAY)
  t.same([await mails('c1'), await mails('c3')], [['a'], []])
  t.match(await stopFlow(context, 'flow', { actor }), { ok: true, abortedRuns: 0 })
  t.match(await stopFlow(context, 'none', { actor }), { ok: false, code: 'not_found' })
})

test('aborting an unknown flow, or with a reason that is too long, is refused', async (t) => {
  const { context } = await testFlows(t)
  await t.rejects(abortFlow(context, 'none', 'c1'), { code: 'MLR_FLOW_UNKNOWN' })
  const reason = 'x'.repeat(201)
  await t.rejects(abortAllFlows(context, 'c1', { reason }), { code: 'MLR_INPUT_INVALID' })
})

test('aborting all flows leaves other contacts alone, and can be limited to a trigger', async (t) => {
  const { addFlow, start, context, run } = await testFlows(t)
  await addFlow('one', [day])
  await addFlow('two', [day])
  await start('go', ['c1', 'c2'], { order: 7 })
  const other = { matchTriggerProperties: { order: 8 } }
  t.match(await abortAllFlows(context, 'c1', other), { abortedRuns: 0 })
  const match = { matchTriggerProperties: { order: 7 } }
  t.match(await abortAllFlows(context, 'c1', match), { abortedRuns: 2 })
  t.match(await run('c2', 'one'), { status: 'active' })
})

test('a run that a worker holds is ended as well, and stays ended', async (t) => {
  const { addFlow, start, context, run, passAndDrain } = await testFlows(t)
  const { flowRuns } = context.collections
  await addFlow('flow', [day, send('a')])
  await start('go')
  await flowRuns.updateOne({}, { $set: { state: 'leased', lease: 'worker' } })
  t.match(await abortFlow(context, 'flow', 'c1'), { abortedRuns: 1 })
  await flowRuns.updateOne({}, { $set: { state: 'due', dueAt: new Date(0) } })
  await passAndDrain(DAY + 1000)
  t.match(await run(), { status: 'exited', state: 'done', exitReason: 'aborted_by_host' })
  t.equal(await context.collections.sends.countDocuments(), 0)
})

test('stopping a run names who stopped it; a run that is over is refused', async (t) => {
  const { addFlow, start, run, context } = await testFlows(t)
  await addFlow('flow', [send('a'), day])
  await start('go')
  const { _id } = await run()
  t.same(await stopRun(context, _id, { actor }), { ok: true, cancelledSends: 1 })
  t.match(await run(), { exitReason: 'aborted_by_host:human:ann' })
  t.match(await stopRun(context, _id, { actor }), { ok: false, code: 'run_not_active' })
  t.match(await stopRun(context, 'none', { actor }), { ok: false, code: 'not_found' })
})

test('skipping a wait goes on at once; skipping the last step completes the run', async (t) => {
  const { addFlow, start, run, mails, drain, context } = await testFlows(t)
  await addFlow('flow', [day, send('a'), day])
  await start('go')
  const { _id } = await run()
  t.match(await skipStep(context, _id, { actor }), { ok: true })
  await drain()
  t.same(await mails(), ['a'])
  t.match(await run(), { status: 'active', path: '2' })
  t.match(await skipStep(context, _id, { actor }), { ok: true })
  t.match(await run(), { status: 'completed', state: 'done' })
  t.match(await skipStep(context, _id, { actor }), { code: 'run_not_active' })
  t.equal(await context.collections.auditLog.countDocuments({ action: 'flow_run.skip', actor }), 2)
})

test('a run that a worker holds cannot be moved', async (t) => {
  const { addFlow, start, run, context } = await testFlows(t)
  await addFlow('flow', [day])
  await start('go')
  await context.collections.flowRuns.updateOne({}, { $set: { state: 'leased' } })
  t.match(await skipStep(context, (await run())._id, { actor }), { code: 'run_busy' })
})

test('runs are listed newest first, by flow, contact and status, in pages', async (t) => {
  const { addFlow, start, context, pass } = await testFlows(t)
  await addFlow('one', [day])
  await addFlow('two', [], { trigger: { type: 'event', eventName: 'other', once: false } })
  for (const id of ['c1', 'c2', 'c1']) {
    await start('go', [id])
    pass(10)
  }
  await start('other', ['c1'])
  const list = async (options: Parameters<typeof listRuns>[1]) =>
    (await listRuns(context, options)).rows.map(
      ({ externalId, flowSlug }) => `${externalId} ${flowSlug}`
    )
  t.same(await list({}), ['c1 two', 'c1 one', 'c2 one', 'c1 one'])
  t.same(await list({ status: 'completed' }), ['c1 two'])
  t.same(await list({ externalId: 'c2' }), ['c2 one'])
  t.same(await list({ flowSlug: 'none' }), [])
  const { nextCursor: cursor } = await listRuns(context, { flowSlug: 'one', limit: 1 })
  t.same(await list({ flowSlug: 'one', ...(cursor && { cursor }) }), ['c2 one', 'c1 one'])
})
