// How runs go through their steps.
import fc from 'fast-check'
import { test } from 'tap'
import { walkSteps } from '../../../ledger/flow-paths.ts'
import type { FlowStep, Predicate } from '../../../ledger/flow-steps.ts'
import type { RunFacts } from './facts.ts'
import { interpret } from './interpret.ts'
import type { Interpretation, RunState } from './run-state.ts'

const DAY = 86_400_000
const now = new Date('2026-03-04T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const run: RunState = {
  flowId: 'flow',
  externalId: 'c1',
  enteredAt: now,
  triggerEvent: { name: 'joined', properties: { plan: 'pro' } },
  path: '0'
}
const contact = { externalId: 'c1', email: 'c1@example.test', tags: ['beta'], fields: {} }
const facts: RunFacts = { contact, subscription: 'subscribed' }
const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const day: FlowStep = { type: 'wait', value: 1, unit: 'days' }

function advance(
  steps: readonly FlowStep[],
  more: Partial<RunState> = {},
  known: Partial<RunFacts> = {},
  at = now
) {
  const result = interpret(steps, { ...run, ...more }, { ...facts, ...known }, { now: at })
  if (result.kind === 'needs') throw new Error(`it needs ${result.facts.join(', ')}`)
  return result
}

const mails = (result: Interpretation) =>
  result.kind === 'needs'
    ? []
    : result.effects.flatMap((effect) => (effect.do === 'send' ? effect.step.templateSlug : []))

test('steps are taken until a wait, and behind it when it is over', async (t) => {
  const steps = [send('a'), day, send('b')]
  const first = advance(steps)
  t.same(mails(first), ['a'])
  t.same(first.rest, { kind: 'wait', path: '1', since: now, until: later(DAY) })
  const waiting = { path: '1', waitSince: now, nextActionAt: later(DAY) }
  const early = advance(steps, waiting, {}, later(DAY - 1))
  t.same([mails(early), early.rest.kind, early.entries], [[], 'wait', []])
  const second = advance(steps, waiting, {}, later(DAY))
  t.same([mails(second), second.rest], [['b'], { kind: 'completed', path: '2' }])
})

const ends: readonly (readonly [string, Partial<RunFacts>, string])[] = [
  ['a contact that the host does not know', { contact: null }, 'contact_missing'],
  ['a contact without an address', { contact: { ...contact, email: ' ' } }, 'contact_no_email'],
  ['a contact who unsubscribed', { subscription: 'unsubscribed' }, 'unsubscribed'],
  ['a contact without a subscription', { subscription: null }, 'not_subscribed']
]
for (const [who, known, reason] of ends) {
  test(`${who} leaves the flow with the reason ${reason}`, async (t) => {
    const result = advance([send('a')], {}, { ...known, transactional: new Set() })
    t.same([mails(result), result.rest], [[], { kind: 'exited', path: '0', reason }])
  })
}

for (const subscription of ['unsubscribed', 'pending_doi', 'bounced', null] as const) {
  const status = subscription ?? 'without a subscription'
  test(`a contact who is ${status} stays while a transactional mail is ahead`, async (t) => {
    const steps = [send('receipt'), day, send('news')]
    const known = { subscription, transactional: new Set(['receipt']) }
    t.same(mails(advance(steps, {}, known)), ['receipt'])
    const waiting = { path: '1', waitSince: now, nextActionAt: later(DAY) }
    const reason = subscription ?? 'not_subscribed'
    t.same(advance(steps, waiting, known, later(DAY)).rest, { kind: 'exited', path: '1', reason })
  })
}

test('a condition that fails exits, or skips exactly one step', async (t) => {
  const condition = (ifFalse: 'exit' | 'continue'): FlowStep => ({
    type: 'condition',
    test: { hasTag: 'vip' },
    ifFalse
  })
  t.same(advance([send('a'), condition('exit'), send('a')]).rest, {
    kind: 'exited',
    path: '1',
    reason: 'condition_false'
  })
  t.same(mails(advance([condition('continue'), send('a'), send('b')])), ['b'])
})

test('steps behind a branch run after either arm, also after an empty one', async (t) => {
  const branch = (tag: string): FlowStep => ({
    type: 'branch',
    test: { hasTag: tag },
    ifTrueSteps: [send('arm')]
  })
  t.same(mails(advance([branch('beta'), send('behind')])), ['arm', 'behind'])
  t.same(mails(advance([branch('vip'), send('behind')])), ['behind'])
})

test('later steps see the tags that a step set and the event that it fired', async (t) => {
  const check = (is: Predicate): FlowStep => ({ type: 'condition', test: is, ifFalse: 'exit' })
  const steps: FlowStep[] = [
    { type: 'tag', addTags: ['warm'], removeTags: ['beta'] },
    check({ all: [{ hasTag: 'warm' }, { notHasTag: 'beta' }] }),
    { type: 'fire_event', eventName: 'warmed', properties: { by: 'flow' } },
    check({ hasFiredEvent: 'warmed', sinceFlowStart: true }),
    send('a')
  ]
  const result = advance(steps, {}, { events: new Map() })
  t.same(mails(result), ['a'])
  t.match(result.effects[1], { do: 'fire', properties: { plan: 'pro', by: 'flow' } })
})

test('facts are asked for when a step needs them, all of its kinds at once', async (t) => {
  const steps: FlowStep[] = [
    {
      type: 'condition',
      test: { any: [{ hasFiredEvent: 'paid' }, { hasOpened: {} }] },
      ifFalse: 'exit'
    }
  ]
  const asked = interpret(steps, run, facts, { now })
  t.same(asked, { kind: 'needs', facts: ['events', 'engagement'] })
})

test('an awaited event takes the steps behind, its absence the timeout arm, each once', async (t) => {
  const steps: FlowStep[] = [
    {
      type: 'waitForEvent',
      eventName: 'paid',
      timeout: { value: 1, unit: 'days' },
      timeoutSteps: [send('reminder')]
    },
    send('behind')
  ]
  const started = advance(steps)
  t.match(started.rest, { kind: 'wait', event: 'paid', until: later(DAY) })
  const waiting = { path: '0', waitSince: now, nextActionAt: later(DAY) }
  t.same(mails(advance(steps, waiting, { awaited: true }, later(DAY / 2))), ['behind'])
  t.match(advance(steps, waiting, { awaited: false }, later(DAY / 2)).rest, { kind: 'wait' })
  t.same(mails(advance(steps, waiting, { awaited: false }, later(DAY))), ['reminder', 'behind'])
  t.same(mails(advance(steps, waiting, { awaited: true }, later(DAY))), ['behind'])
})

test('waitUntil takes a time, a property or a field; one that passed or is missing is not waited for', async (t) => {
  const until = (step: object) => advance([{ type: 'waitUntil', ...step }], known).rest
  const known = {
    triggerEvent: { name: 'x', properties: { due: '2026-03-05T08:00:00Z', gone: '2020-01-01' } }
  }
  t.match(until({ property: 'due' }), { until: new Date('2026-03-05T08:00:00Z') })
  t.match(until({ at: '2026-03-06T09:00' }), { until: new Date('2026-03-06T09:00:00Z') })
  t.match(until({ at: '2026-03-06', delivery: { timeOfDay: '12:00' } }), {
    until: new Date('2026-03-06T12:00:00Z')
  })
  for (const step of [{ property: 'gone' }, { property: 'none' }, { field: 'none' }])
    t.same(until(step), { kind: 'completed', path: '0' }, JSON.stringify(step))
  const field = { ...contact, fields: { renewal: later(DAY) } }
  const byField = advance([{ type: 'waitUntil', field: 'renewal' }], {}, { contact: field })
  t.match(byField.rest, { until: later(DAY) })
})

test('a mail outside its delivery window waits at its step', async (t) => {
  const steps: FlowStep[] = [
    { type: 'send', templateSlug: 'a', delivery: { timeOfDay: '18:00' } },
    send('b')
  ]
  const result = advance(steps)
  const slot = new Date('2026-03-04T18:00:00Z')
  t.same([mails(result), result.rest], [[], { kind: 'wait', path: '0', since: now, until: slot }])
  const due = advance(steps, { waitSince: now, nextActionAt: slot }, {}, slot)
  t.same(mails(due), ['a', 'b'])
})

test('a webhook ends the pass, and says where the run goes on', async (t) => {
  const step: FlowStep = { type: 'webhook', url: 'https://example.test/hook' }
  t.same(advance([send('a'), step, send('b')]).rest, { kind: 'call', path: '1', next: '2', step })
  t.same(advance([step]).rest, { kind: 'call', path: '0', step })
})

test('a contact always takes the same arm of a split, and arms are taken by their share', async (t) => {
  const split: FlowStep = {
    type: 'split',
    arms: [
      { name: 'a', percent: 20, steps: [send('a')] },
      { name: 'b', percent: 80, steps: [send('b')] },
      { name: 'c', percent: 0, steps: [send('c')] }
    ]
  }
  const arms = Array.from(
    { length: 3000 },
    (_, at) => mails(advance([split], { externalId: `${at}` }))[0]
  )
  const share = (arm: string) => arms.filter((one) => one === arm).length / arms.length
  t.ok(Math.abs(share('a') - 0.2) < 0.03, `${share('a')}`)
  t.equal(share('c'), 0)
  t.same(mails(advance([split], { externalId: '7' })), mails(advance([split], { externalId: '7' })))
})

test('a pass takes a limited number of steps and goes on behind them', async (t) => {
  const steps = Array.from({ length: 5 }, (_, at) => send(`s${at}`))
  const result = interpret(steps, run, facts, { now, maxSteps: 3 })
  t.match(result, { rest: { kind: 'more', path: '3' } })
})

// --- any definition ---------------------------------------------------------------------------------

const leaf: fc.Arbitrary<Predicate> = fc.constantFrom<Predicate>(
  { hasTag: 'beta' },
  { hasFiredEvent: 'paid', withinDays: 2 },
  { hasClicked: {} },
  { not: { fieldExists: 'plan' } },
  { all: [{ openedAtLeastN: { count: 2 } }, { triggerPropertyTruthy: 'plan' }] }
)
const duration = { value: fc.integer({ min: 1, max: 9 }), unit: fc.constantFrom('hours', 'weeks') }
const { steps: anySteps } = fc.letrec<{ steps: FlowStep[]; step: FlowStep }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'steps' },
    fc.constant<FlowStep>(send('a')),
    fc.record({ type: fc.constant('wait'), ...duration }) as fc.Arbitrary<FlowStep>,
    fc.constant<FlowStep>({ type: 'send', templateSlug: 'b', delivery: { weekdaysOnly: true } }),
    fc.constant<FlowStep>({ type: 'tag', addTags: ['vip'] }),
    fc.constant<FlowStep>({ type: 'fire_event', eventName: 'paid' }),
    fc.constant<FlowStep>({ type: 'webhook', url: 'https://example.test' }),
    fc.constant<FlowStep>({ type: 'exit' }),
    fc.record({
      type: fc.constant('condition'),
      test: leaf,
      ifFalse: fc.constantFrom('continue', 'exit')
    }) as fc.Arbitrary<FlowStep>,
    fc.record({
      type: fc.constant('branch'),
      test: leaf,
      ifTrueSteps: tie('steps'),
      ifFalseSteps: tie('steps')
    }) as fc.Arbitrary<FlowStep>,
    fc.record({
      type: fc.constant('waitForEvent'),
      eventName: fc.constant('paid'),
      timeout: fc.record(duration),
      timeoutSteps: tie('steps')
    }) as fc.Arbitrary<FlowStep>,
    fc.tuple(tie('steps'), tie('steps')).map(
      ([a, b]): FlowStep => ({
        type: 'split',
        arms: [
          { name: 'a', percent: 50, steps: a as FlowStep[] },
          { name: 'b', percent: 50, steps: b as FlowStep[] }
        ]
      })
    )
  )
}))

/** Walks a run to its end on a virtual clock; every pass is interpreted twice. */
function walk(steps: readonly FlowStep[], cameAlways: boolean) {
  const known = { ...facts, events: new Map(), engagement: [], awaited: cameAlways }
  const places: string[] = []
  let state = run
  let at = now
  for (let pass = 0; pass < 400; pass++) {
    const input = [steps, state, known, { now: at, maxSteps: 3 }] as const
    const result = interpret(...input)
    if (JSON.stringify(result) !== JSON.stringify(interpret(...input)))
      throw new Error('two passes over the same input differ')
    if (result.kind === 'needs') throw new Error('all facts are known')
    places.push(...result.effects.map(({ path }) => path))
    const { rest } = result
    const { waitSince: _since, nextActionAt: _until, ...plain } = state
    if (rest.kind === 'completed' || rest.kind === 'exited') return { places, end: rest.kind }
    if (rest.kind === 'more') state = { ...plain, path: rest.path }
    else if (rest.kind === 'wait') {
      state = { ...plain, path: rest.path, waitSince: rest.since, nextActionAt: rest.until }
      at = rest.until
    } else {
      places.push(rest.path)
      if (rest.next === undefined) return { places, end: 'completed' }
      state = { ...plain, path: rest.next }
    }
  }
  return { places, end: 'endless' }
}

test('any definition ends, the same way each time, and does nothing twice at one path', async (t) => {
  fc.assert(
    fc.property(anySteps, fc.boolean(), (steps, cameAlways) => {
      const { places, end } = walk(steps, cameAlways)
      const known = new Set([...walkSteps(steps)].map(([path]) => path))
      return (
        end !== 'endless' &&
        new Set(places).size === places.length &&
        places.every((path) => known.has(path))
      )
    }),
    { numRuns: 500 }
  )
  t.pass()
})
