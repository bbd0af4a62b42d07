// A run on a virtual clock: windows, branches, webhooks, endless definitions.
import { test } from 'tap'
import type { FlowStep, Predicate } from '../../../ledger/flow-steps.ts'
import type { RunFacts } from './facts.ts'
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

test('a test says what it found: the values, and null for those that are missing', async (t) => {
  const did = new Date('2026-03-01T08:00:00Z')
  const known = {
    contact: { ...contact, tags: ['vip'], fields: { plan: 'free' } },
    subscription: 'subscribed',
    events: new Map([['user.signed_up', did]]),
    engagement: [{ templateSlug: 'news', openedAt: did }]
  } as const
  const found = (predicate: Predicate) => {
    const step: FlowStep = { type: 'condition', test: predicate, ifFalse: 'exit' }
    return simulateRun([step], run, known as unknown as RunFacts).path[0]?.detail?.['found']
  }
  const plan = { what: 'field', name: 'plan', value: 'free' }
  t.same(found({ fieldEquals: { field: 'plan', value: 'pro' } }), [plan])
  t.same(found({ all: [{ fieldExists: 'plan' }, { not: { hasTag: 'vip' } }] }), [
    plan,
    { what: 'tag', name: 'vip', value: true }
  ])
  const missing = { what: 'property', name: 'total', value: null }
  t.same(found({ triggerPropertyTruthy: 'total' }), [missing])
  t.same(found({ any: [{ triggerPropertyEquals: { property: 'total', value: 1 } }] }), [missing])
  t.same(found({ subscriptionStatus: 'pending_doi' }), [
    { what: 'subscription', name: '', value: 'subscribed' }
  ])
  t.same(found({ any: [{ hasFiredEvent: 'user.signed_up' }, { notHasFiredEvent: 'other' }] }), [
    { what: 'event', name: 'user.signed_up', value: did.toISOString() },
    { what: 'event', name: 'other', value: null }
  ])
  t.same(found({ all: [{ hasOpened: { templateSlug: 'news' } }, { hasClicked: {} }] }), [
    { what: 'opened', name: 'news', value: 1 },
    { what: 'clicked', name: '', value: 0 }
  ])
  t.same(found({ openedAtLeastN: { count: 2 } }), [{ what: 'opened', name: '', value: 1 }])
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
