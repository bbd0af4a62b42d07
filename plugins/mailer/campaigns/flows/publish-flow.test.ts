// What starts a flow is drafted, compared, published and rolled back with its steps.
import { test } from 'tap'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { testFlows } from '../../test/test-flows.ts'
import { compareFlow } from './compare-versions.ts'
import { changeFlow, createFlow, duplicateFlow, getFlow, pauseFlow } from './flow-operations.ts'
import { publishFlow, rollbackFlow } from './publish-flow.ts'

const by = { actor: 'human:ann' }
const steps = [{ type: 'send' as const, templateSlug: 'a' }]
const wanted = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'go' }, goal: 'Reply' }

async function live(context: MailerContext): Promise<void> {
  await createFlow(context, wanted, by)
  await changeFlow(context, 'welcome', { steps }, by)
  await publishFlow(context, 'welcome', {}, by)
}

test('a live flow keeps its trigger, once and goal until they are published', async (t) => {
  const { context, start, mails } = await testFlows(t)
  await live(context)
  const trigger = { eventName: 'other', once: true }
  await changeFlow(context, 'welcome', { trigger, goal: 'Buy' }, by)
  const published = { trigger: { eventName: 'go', once: false }, goal: 'Reply' }
  t.match(await getFlow(context, 'welcome'), { ...published, draft: { trigger, goal: 'Buy' } })
  await start('other')
  t.same(await mails(), [], 'the draft starts no run')
  await start('go')
  t.same(await mails(), ['a'])
  const result = await publishFlow(context, 'welcome', {}, by)
  t.match(result, { ok: true, flow: { version: 2, trigger, goal: 'Buy', draft: null } })
  await start('go', ['c2'])
  t.same(await mails('c2'), [])
  await start('other', ['c2'])
  t.same(await mails('c2'), ['a'])
})

test('name and description are changed at once, and make no draft', async (t) => {
  const { context } = await testFlows(t)
  await live(context)
  await changeFlow(context, 'welcome', { name: 'Hello', description: 'x' }, by)
  t.match(await getFlow(context, 'welcome'), { name: 'Hello', description: 'x', draft: null })
  const actions = await context.collections.auditLog.find().sort({ at: 1 }).toArray()
  t.equal(actions.at(-1)?.action, 'flow.update')
})

test('a draft that is taken back is none, and a publish without changes is no version', async (t) => {
  const { context } = await testFlows(t)
  await live(context)
  await changeFlow(context, 'welcome', { goal: 'Buy' }, by)
  await changeFlow(context, 'welcome', { goal: 'Reply' }, by)
  t.match(await getFlow(context, 'welcome'), { draft: null })
  t.match(await publishFlow(context, 'welcome', {}, by), { ok: true, flow: { version: 1 } })
  await pauseFlow(context, 'welcome', by)
  const enabled = await publishFlow(context, 'welcome', {}, by)
  t.match(enabled, { ok: true, flow: { version: 1, enabled: true } })
  t.equal(await context.collections.flowVersions.countDocuments(), 1)
})

test('versions are compared with their triggers, and rolled back with them', async (t) => {
  const { context } = await testFlows(t)
  await live(context)
  await changeFlow(context, 'welcome', { trigger: { eventName: 'other' }, goal: '' }, by)
  const trigger = (eventName: string) => ({ type: 'event', eventName, once: false })
  const changes = [
    { field: 'trigger', hunks: Array },
    { field: 'goal', before: 'Reply' }
  ]
  t.match(await compareFlow(context, 'welcome', ['published', 'draft']), { ok: true, changes })
  await publishFlow(context, 'welcome', {}, by)
  t.match(await compareFlow(context, 'welcome', [1, 2]), { ok: true, changes })
  const back = await rollbackFlow(context, 'welcome', 1, by)
  t.match(back, { ok: true, flow: { version: 3, trigger: trigger('go'), goal: 'Reply' } })
  t.same(await compareFlow(context, 'welcome', [1, 3]), { ok: true, changes: [] })
})

test('a copy begins with the draft of the flow, its trigger included', async (t) => {
  const { context } = await testFlows(t)
  await live(context)
  await changeFlow(context, 'welcome', { trigger: { eventName: 'other' } }, by)
  await duplicateFlow(context, 'welcome', { slug: 'copy' }, by)
  t.match(await getFlow(context, 'copy'), { trigger: { eventName: 'other' }, draft: { steps } })
})

test('before the first publish a flow has the trigger of its draft', async (t) => {
  const { context } = await testFlows(t)
  await createFlow(context, wanted, by)
  await changeFlow(context, 'welcome', { trigger: { eventName: 'other' } }, by)
  t.match(await getFlow(context, 'welcome'), { version: 0, trigger: { eventName: 'other' } })
})

test('an event from before another trigger was published starts no run by it', async (t) => {
  const { context, start, mails, pass } = await testFlows(t)
  await live(context)
  const before = (await getFlow(context, 'welcome'))?.enabledAt
  pass(60_000)
  await changeFlow(context, 'welcome', { trigger: { eventName: 'other' } }, by)
  await publishFlow(context, 'welcome', {}, by)
  const { enabledAt } = (await getFlow(context, 'welcome')) as FlowRow
  t.ok(before !== undefined && enabledAt !== undefined && enabledAt > before)
  await start('other')
  t.same(await mails(), ['a'])
})

test('drafts and versions of before triggers were part of them are read, published and rolled back', async (t) => {
  const { context, addFlow } = await testFlows(t)
  const trigger = { type: 'event', eventName: 'go', once: true } as const
  await addFlow('old', steps, { trigger, goal: 'Reply', draft: { steps: [{ type: 'exit' }] } })
  const compared = await compareFlow(context, 'old', [1, 'draft'])
  t.match(compared, { ok: true, changes: [{ field: 'steps' }] })
  t.equal(compared.ok && compared.changes.length, 1, 'version 1 says nothing about the trigger')
  t.match(await publishFlow(context, 'old', {}, by), { ok: true, flow: { version: 2, trigger } })
  await changeFlow(context, 'old', { trigger: { eventName: 'other' } }, by)
  await publishFlow(context, 'old', {}, by)
  const back = await rollbackFlow(context, 'old', 1, by)
  const stays = { trigger: { eventName: 'other' }, goal: 'Reply', steps }
  t.match(back, { ok: true, flow: { version: 4, ...stays } })
})
