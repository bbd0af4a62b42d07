// Flows as editors change them: drafts, versions, what is refused.
import { test } from 'tap'
import { testFlows } from '../../test/test-flows.ts'
import {
  changeFlow,
  createFlow,
  deleteFlow,
  getFlow,
  listFlows,
  listFlowVersions,
  pauseFlow,
  resumeFlow
} from './flow-operations.ts'
import { publishFlow } from './publish-flow.ts'

const by = { actor: 'human:ann' }
const steps = [{ type: 'send', templateSlug: 'a' }]
const wanted = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'go' } }

test('a new flow is disabled, unpublished and waits for an event; its slug is taken then', async (t) => {
  const { context } = await testFlows(t)
  const created = await createFlow(context, wanted, by)
  t.match(created, { ok: true, flow: { enabled: false, version: 0, steps: [] } })
  const trigger = { type: 'event', eventName: 'go', once: false }
  t.match(await getFlow(context, 'welcome'), { trigger, draft: { steps: [] } })
  t.match(await createFlow(context, wanted, by), { ok: false, code: 'slug_taken' })
  t.match(await context.collections.auditLog.find().toArray(), [{ action: 'flow.create', ...by }])
})

const wrong: readonly (readonly [string, object, RegExp])[] = [
  ['no trigger', { trigger: undefined }, /trigger/],
  ['a slug with spaces', { slug: 'Bad slug' }, /slug/],
  ['an unknown key', { enabled: true }, /enabled/],
  [
    'an unknown filter',
    { trigger: { type: 'segment_enter', segmentDefinition: { filters: [{ kind: 'x' }] } } },
    /"x" is unknown/
  ],
  [
    'a cron expression that is none',
    { trigger: { type: 'cron', cronExpression: '99 * * * *', segmentDefinition: { filters: [] } } },
    /cronExpression/
  ]
]
for (const [name, more, message] of wrong) {
  test(`a flow with ${name} is refused`, async (t) => {
    const { context } = await testFlows(t, { ids: [] })
    const refused = await createFlow(context, { ...wanted, ...more }, by)
    t.match(refused, { ok: false, code: 'validation_failed', message })
  })
}

test('a draft changes nothing until it is published as the next version', async (t) => {
  const { context, start, run } = await testFlows(t)
  await createFlow(context, wanted, by)
  t.match(await publishFlow(context, 'welcome', {}, by), { ok: false, code: 'empty_flow' })
  await changeFlow(context, 'welcome', { steps, notes: 'first' }, by)
  t.same((await getFlow(context, 'welcome'))?.steps, [])
  const published = await publishFlow(context, 'welcome', {}, by)
  t.match(published, { ok: true, flow: { version: 1, enabled: true, draft: null, steps } })
  t.match(await listFlowVersions(context, 'welcome'), [
    { version: 1, steps, publishedBy: 'human:ann' }
  ])
  await changeFlow(context, 'welcome', { notes: 'second' }, by)
  t.match(await getFlow(context, 'welcome'), { draft: { steps, notes: 'second' } })
  await start('go')
  t.match(await run(), { flowVersion: 1, status: 'completed' })
})

test('a draft with faults is kept, and refused when it is published, naming each', async (t) => {
  const { context } = await testFlows(t)
  await createFlow(context, wanted, by)
  const faulty = [{ type: 'send', templateSlug: 'gone' }, { type: 'waitUntil' }]
  t.match(await changeFlow(context, 'welcome', { steps: faulty }, by), { ok: true })
  const refused = await publishFlow(context, 'welcome', {}, by)
  t.match(refused, {
    code: 'invalid_steps',
    faults: [{ path: '0', message: /gone/ }, { path: '1' }]
  })
  t.same(await listFlowVersions(context, 'welcome'), [])
})

test('publishing an enabled flow again keeps its start, enabling it anew moves it', async (t) => {
  const { context, pass } = await testFlows(t)
  await createFlow(context, wanted, by)
  await changeFlow(context, 'welcome', { steps }, by)
  await publishFlow(context, 'welcome', {}, by)
  const first = (await getFlow(context, 'welcome'))?.enabledAt
  pass(1000)
  await changeFlow(context, 'welcome', { steps }, by)
  await publishFlow(context, 'welcome', {}, by)
  t.same((await getFlow(context, 'welcome'))?.enabledAt, first)
  await pauseFlow(context, 'welcome', by)
  pass(1000)
  await resumeFlow(context, 'welcome', by)
  const { enabledAt, lastTriggerScanAt } = (await getFlow(context, 'welcome')) ?? {}
  t.not(enabledAt?.getTime(), first?.getTime())
  t.same(lastTriggerScanAt, enabledAt)
})

test('two publishes at once make one version', async (t) => {
  const { context } = await testFlows(t)
  await createFlow(context, wanted, by)
  await changeFlow(context, 'welcome', { steps }, by)
  const results = await Promise.all([1, 2].map(() => publishFlow(context, 'welcome', {}, by)))
  for (const result of results)
    t.match(result, result.ok ? { flow: { version: 1 } } : { code: 'conflict' })
  t.ok(results.some(({ ok }) => ok))
  t.equal((await listFlowVersions(context, 'welcome')).length, 1)
})

test('a flow that was never published cannot be resumed; an unknown one is not found', async (t) => {
  const { context } = await testFlows(t)
  await createFlow(context, wanted, by)
  t.match(await resumeFlow(context, 'welcome', by), { code: 'no_live_steps' })
  for (const operation of [pauseFlow, resumeFlow, deleteFlow])
    t.match(await operation(context, 'none', by), { code: 'not_found' })
})

test('a flow is deleted with its versions, unless it has runs', async (t) => {
  const { context, start } = await testFlows(t)
  for (const slug of ['used', 'unused']) {
    await createFlow(context, { ...wanted, slug, trigger: { eventName: slug } }, by)
    await changeFlow(context, slug, { steps }, by)
    await publishFlow(context, slug, {}, by)
  }
  await start('used')
  t.match(await deleteFlow(context, 'used', by), { code: 'has_runs' })
  t.same(await deleteFlow(context, 'unused', by), { ok: true })
  t.same(
    (await listFlows(context)).map(({ slug }) => slug),
    ['used']
  )
  t.equal(await context.collections.flowVersions.countDocuments(), 1)
})

test('a draft that changes while it is published is kept, and the publish is refused', async (t) => {
  const { context } = await testFlows(t)
  await createFlow(context, wanted, by)
  await changeFlow(context, 'welcome', { steps }, by)
  const { load } = context.templates
  const late = [{ type: 'exit' }]
  // The templates are looked up after the draft was read, and before it is published.
  const templates = {
    async load(slugs: readonly string[]) {
      await changeFlow(context, 'welcome', { steps: late }, by)
      return load(slugs)
    }
  }
  const refused = await publishFlow({ ...context, templates } as typeof context, 'welcome', {}, by)
  t.match(refused, { ok: false, code: 'conflict' })
  t.match(await getFlow(context, 'welcome'), { version: 0, draft: { steps: late } })
})
