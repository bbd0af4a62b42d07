// Simulations over HTTP: delivery windows, branches, webhooks that are not called, endless flows.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Test, test } from 'tap'
import { agentApp, receipt } from './agent-app.ts'

const AT = '2030-03-04T10:00:00.000Z'
const send = (more: object = {}) => ({ type: 'send', templateSlug: 'receipt', ...more })

/** A published flow, and its simulation for `t1`. */
async function simulatedApp(t: Test, steps: readonly object[]) {
  const app = await agentApp(t)
  const { call, mailer } = app
  mailer.events.register({ name: 'joined', dedupePolicy: 'every-time' })
  await call('PUT', '/templates/receipt', receipt())
  await call('POST', '/contacts/t1/subscribe')
  const trigger = { type: 'event', eventName: 'joined', once: false }
  await call('POST', '/api/flows', { slug: 'welcome', name: 'Welcome', trigger })
  await call('PATCH', '/api/flows/welcome/draft', { steps })
  const published = await call('POST', '/api/flows/welcome/publish', { enable: false })
  t.equal(published.status, 200, JSON.stringify(published.body).slice(0, 300))
  const simulate = async (more: object = {}) => {
    const body = { contactId: 't1', at: AT, ...more }
    const reply = await call('POST', '/flows/welcome/simulate', body)
    t.equal(reply.status, 200)
    return reply.body
  }
  return { ...app, simulate }
}

test('a delivery window moves a mail to its slot, and the walk goes on from there', async (t) => {
  const evening = { delivery: { timeOfDay: '18:00' } }
  const { simulate } = await simulatedApp(t, [
    send(evening),
    { type: 'wait', value: 1, unit: 'hours' },
    send()
  ])
  const { path, sends, terminal } = await simulate()
  t.match(path, [
    { stepIndex: 0, outcome: 'send_deferred', at: AT },
    { stepIndex: 0, outcome: 'send', at: '2030-03-04T18:00:00.000Z' },
    { stepIndex: 1, outcome: 'waited' },
    { stepIndex: 2, outcome: 'send' }
  ])
  const times = sends.map(({ at }: { at: string }) => at)
  t.same(times, ['2030-03-04T18:00:00.000Z', '2030-03-04T19:00:00.000Z'])
  t.match(terminal, { kind: 'completed', at: '2030-03-04T19:00:00.000Z' })
})

test('a branch takes the arm of the contact, by its tags and the properties of the event', async (t) => {
  const byTag = {
    type: 'branch',
    test: { hasTag: 'vip' },
    ifTrueSteps: [send()],
    ifFalseSteps: [{ type: 'exit', reason: 'no_vip' }]
  }
  const byPlan = {
    type: 'branch',
    test: { triggerPropertyEquals: { property: 'plan', value: 'pro' } },
    ifTrueSteps: [send()],
    ifFalseSteps: []
  }
  const { simulate, call } = await simulatedApp(t, [byPlan, byTag])
  const without = await simulate()
  t.match(without.path, [
    { stepIndex: 0, outcome: 'branch_false' },
    { stepIndex: 1, outcome: 'branch_false' },
    { stepIndex: 1, branchPath: 'false.0', outcome: 'exited' }
  ])
  t.match(without.terminal, { kind: 'exited', reason: 'no_vip' })
  await call('POST', '/contacts/t1/tags', { add: ['vip'] })
  const both = await simulate({ eventProperties: { plan: 'pro' } })
  t.match(both.path, [
    { stepIndex: 0, outcome: 'branch_true' },
    { stepIndex: 0, branchPath: 'true.0', outcome: 'send' },
    { stepIndex: 1, outcome: 'branch_true' },
    { stepIndex: 1, branchPath: 'true.0', outcome: 'send' }
  ])
  t.match(both.terminal, { kind: 'completed' })
})

test('webhooks are not called by simulations of one or of many', async (t) => {
  let calls = 0
  const server = createServer((_request, response) => {
    calls++
    response.end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const { simulate, call, db } = await simulatedApp(t, [{ type: 'webhook', url }, send()])
  const { path, terminal } = await simulate()
  t.match(path, [
    { outcome: 'webhook', detail: { called: false } },
    { stepIndex: 1, outcome: 'send' }
  ])
  t.equal(terminal.kind, 'completed')
  const many = { synthetic: { count: 3 }, days: 2 }
  t.match((await call('POST', '/flows/welcome/simulate-many', many)).body, { sends: 3 })
  t.equal(calls, 0)
  t.equal(await db.collection('mailer_flow_runs').countDocuments({}), 0)
})

test('a walk with more steps than a simulation follows is truncated', async (t) => {
  const tag = { type: 'tag', addTags: ['seen'] }
  const { simulate, call, mailer } = await simulatedApp(t, [tag])
  // Publishing takes 500 steps; a version from elsewhere may have more.
  const { flowVersions } = mailer.getRunnerContext().collections
  const steps = Array.from({ length: 1001 }, () => tag)
  await flowVersions.updateMany({}, { $set: { steps } } as never)
  const { path, sends, terminal } = await simulate()
  t.match(terminal, { kind: 'truncated', reason: 'step_limit' })
  t.equal(path.length, 1000)
  t.same(sends, [])
  const many = { synthetic: { count: 2 }, days: 1 }
  t.match((await call('POST', '/flows/welcome/simulate-many', many)).body, {
    ends: { truncated: 2 }
  })
})
