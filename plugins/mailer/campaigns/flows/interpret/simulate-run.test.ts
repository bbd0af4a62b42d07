// A run on a virtual clock: windows, branches, webhooks, endless definitions.
import { test } from 'tap'
import type { FlowStep } from '../../../ledger/flow-steps.ts'
import { simulateRun } from './simulate-run.ts'

const at = new Date('2026-03-04T10:00:00Z')
const run = { flowId: 'f', externalId: 'c1', enteredAt: at, triggerEvent: null, path: '0' }
const contact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }
const facts = { contact, subscription: 'subscribed', events: new Map(), engagement: [] } as const
const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const walk = (steps: readonly FlowStep[]) => simulateRun(steps, run, facts)
const outcomes = (steps: readonly FlowStep[]) => walk(steps).path.map(({ outcome }) => outcome)

test('a mail outside its delivery window is deferred to its slot', async (t) => {
  const steps: FlowStep[] = [{ type: 'send', templateSlug: 'a', delivery: { timeOfDay: '18:00' } }]
  t.same(outcomes(steps), ['send_deferred', 'send'])
  t.same(walk(steps).sends[0]?.at, new Date('2026-03-04T18:00:00Z'))
})

test('branches show their arm, and steps inside say where they are', async (t) => {
  const branch: FlowStep = {
    type: 'branch',
    test: { hasTag: 'vip' },
    ifTrueSteps: [],
    ifFalseSteps: [send('a')]
  }
  const { path } = walk([{ type: 'tag', addTags: ['x'] }, branch, send('b')])
  t.match(path, [
    { stepIndex: 0, outcome: 'tagged' },
    { stepIndex: 1, outcome: 'branch_false' },
    { stepIndex: 1, branchPath: 'false.0', outcome: 'send' },
    { stepIndex: 2, branchPath: '', outcome: 'send' }
  ])
})

test('tags that a step sets count for later steps, also behind a wait', async (t) => {
  const steps: FlowStep[] = [
    { type: 'tag', addTags: ['vip'] },
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'condition', test: { hasTag: 'vip' }, ifFalse: 'exit' },
    send('a')
  ]
  t.same(outcomes(steps), ['tagged', 'waited', 'passed', 'send'])
})

test('webhooks are not called and the walk goes on behind them', async (t) => {
  const { path, terminal } = walk([{ type: 'webhook', url: 'https://a.test' }, send('a')])
  t.match(path, [{ outcome: 'webhook', detail: { called: false } }, { outcome: 'send' }])
  t.equal(terminal.kind, 'completed')
})

test('a condition that fails exits with its reason', async (t) => {
  const steps: FlowStep[] = [
    { type: 'condition', test: { hasTag: 'vip' }, ifFalse: 'exit' },
    send('a')
  ]
  t.same(outcomes(steps), ['exited'])
  t.match(walk(steps).terminal, { kind: 'exited', reason: 'condition_false' })
})

test('a walk with too many steps is truncated', async (t) => {
  const steps = Array.from({ length: 1001 }, () => send('a'))
  t.match(walk(steps).terminal, { kind: 'truncated', reason: 'step_limit' })
})
