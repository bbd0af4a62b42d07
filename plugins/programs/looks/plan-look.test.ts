// The next best action: what is sent, when, and when a program ends.
import fc from 'fast-check'
import { test } from 'tap'
import type {
  Condition,
  ProgramAction,
  ProgramDefinition,
  ProgramPolicy
} from '../storage/definition.ts'
import { newState, type ProgramState } from '../storage/program-state.ts'
import { type LookFacts, planLook } from './plan-look.ts'
import { type Scenario, simulateProgram } from './simulate.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const start = new Date('2026-03-02T10:00:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const is = (fact: string): Condition => ({ fact, equals: true })

const action = (id: string, more: Partial<ProgramAction> = {}): ProgramAction => ({
  id,
  templateSlug: id,
  priority: 0,
  satisfied: is(id),
  attempts: { max: 2, gapDays: 3 },
  ...more
})
const program = (
  actions: readonly ProgramAction[],
  policy: ProgramPolicy = {}
): ProgramDefinition => ({ trigger: { eventName: 'signed_up' }, actions, policy })

const fresh = newState('p', 's', {}, start)
const look = (more: Partial<LookFacts> = {}): LookFacts => ({
  now: start,
  facts: {},
  recipients: ['c1'],
  ...more
})
const play = (
  definition: ProgramDefinition,
  scenario: Partial<Scenario> = {}
): readonly string[] => {
  const { decisions } = simulateProgram(definition, { start, days: 60, facts: {}, ...scenario })
  const day = (at: Date) => Math.round((at.getTime() - start.getTime()) / DAY)
  return decisions
    .filter(({ kind }) => kind !== 'wait')
    .map(({ at, kind, actionId, reason }) => `${day(at)} ${kind} ${actionId ?? reason}`)
}

test('the action of the highest priority that may be sent goes first', async (t) => {
  const actions = [
    action('low'),
    action('high', { priority: 5, requires: ['low'] }),
    action('other', { priority: 9, eligible: is('vip') }),
    action('middle', { priority: 3 })
  ]
  const { decision } = planLook(program(actions), fresh, look())
  t.same(decision, {
    kind: 'send',
    actionId: 'middle',
    reason: 'next_best',
    considered: { low: 'ready', high: 'requires', other: 'not_eligible', middle: 'ready' }
  })
})

test('attempts are made with their gap, then the program goes on with the next action', async (t) => {
  const actions = [action('first', { priority: 1 }), action('second')]
  t.same(play(program(actions, { minGapDays: 1 })), [
    '0 send first',
    '1 send second',
    '3 send first',
    '4 send second',
    '7 exited exhausted'
  ])
})

test('an exhausted action that holds lets nothing else go until the run sunsets', async (t) => {
  const actions = [
    action('first', { priority: 1, onExhaust: 'hold', attempts: { max: 1 } }),
    action('second', { requires: ['first'] })
  ]
  t.same(play(program(actions, { sunset: { afterDays: 20 } })), [
    '0 send first',
    '20 sunset sunset_days'
  ])
})

test('an action with a cooldown begins anew', async (t) => {
  const actions = [action('first', { attempts: { max: 1 }, cooldownDays: 30 })]
  t.same(play(program(actions)), ['0 send first', '30 send first'])
})

test('what was satisfied once stays so, and the run completes when all is', async (t) => {
  const actions = [action('first', { priority: 1 }), action('second')]
  const changes = [
    { day: 1, facts: { first: true } },
    { day: 2, facts: { first: false } },
    { day: 5, facts: { second: true } }
  ]
  t.same(play(program(actions, { progressGapDays: 2 }), { changes }), [
    '0 send first',
    '0 send second',
    '3 send second',
    '5 completed all_satisfied'
  ])
})

test('mails without progress end a run', async (t) => {
  const actions = [action('a'), action('b'), action('c')]
  t.same(play(program(actions, { minGapDays: 1, sunset: { afterMails: 2 } })), [
    '0 send a',
    '1 send b',
    '1 sunset sunset_mails'
  ])
})

test('a holdout is watched to its end and gets no mail', async (t) => {
  const changes = [{ day: 5, facts: { a: true } }]
  t.same(play(program([action('a')]), { arm: 'holdout', changes }), [
    '0 holdout a',
    '5 completed all_satisfied'
  ])
})

test('a recent session and the delivery window make a mail wait', async (t) => {
  const policy: ProgramPolicy = {
    suppressIfSessionWithinHours: 4,
    delivery: { weekdaysOnly: true, timeOfDay: '09:00' }
  }
  const facts = { lastSessionAt: start }
  const busy = planLook(program([action('a')], policy), fresh, look({ facts }))
  t.match([busy.decision.reason, busy.nextAt], ['session', later(4 * HOUR)])
  const after = look({ facts, now: later(4 * HOUR) })
  const slot = planLook(program([action('a')], { ...policy, checkEveryHours: 48 }), fresh, after)
  const tomorrow = new Date('2026-03-03T09:00:00Z')
  t.match([slot.decision.reason, slot.nextAt], ['delivery_window', tomorrow])
})

const flying: ProgramState = {
  ...planLook(program([action('a')]), fresh, look()).state,
  inFlight: { actionId: 'a', sendIds: ['s1'] }
}

test('an attempt is spent when a provider took the mail, and at that time', async (t) => {
  const definition = program([action('a')])
  const waiting = planLook(definition, flying, look({ flight: { kind: 'waiting' } }))
  t.match(waiting.decision, { kind: 'wait', reason: 'in_flight' })
  t.match(waiting.state.actions['a'], { attempts: 0 })
  const taken = { kind: 'accepted', at: later(HOUR) } as const
  const accepted = planLook(definition, flying, look({ now: later(2 * HOUR), flight: taken }))
  t.match(accepted.state, {
    lastSentAt: later(HOUR),
    actions: { a: { attempts: 1, lastSentAt: later(HOUR) } }
  })
  t.notOk(accepted.state.inFlight)
})

test('mails that no provider takes spend no attempt; after three the action is given up', async (t) => {
  const definition = program([action('a')])
  let state = flying
  let now = start
  for (let miss = 1; miss <= 3; miss++) {
    const missed = planLook(definition, state, look({ now, flight: { kind: 'ended' } }))
    t.match(missed.state.actions['a'], { attempts: 0, misses: miss })
    t.equal(missed.decision.considered['a'], miss === 3 ? 'exhausted' : 'attempt_gap')
    now = new Date(now.getTime() + DAY)
    state = { ...planLook(definition, missed.state, look({ now })).state }
  }
})

test('a subject without recipients waits and spends nothing', async (t) => {
  const { decision, state } = planLook(program([action('a')]), fresh, look({ recipients: [] }))
  t.match(decision, { kind: 'wait', reason: 'no_recipient' })
  t.notOk(state.inFlight)
})

const ids = ['a', 'b', 'c', 'd'] as const
const actions = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      max: fc.integer({ min: 1, max: 3 }),
      gapDays: fc.integer({ min: 0, max: 5 }),
      onExhaust: fc.constantFrom('skip', 'hold'),
      needsEarlier: fc.boolean()
    }),
    { minLength: 1, maxLength: 4 }
  )
  .map((drawn) =>
    drawn.map(({ priority, max, gapDays, onExhaust, needsEarlier }, at) =>
      action(ids[at] ?? '', {
        priority,
        attempts: { max, gapDays },
        onExhaust: onExhaust as 'skip' | 'hold',
        ...(needsEarlier && at > 0 && { requires: [ids[at - 1] ?? ''] })
      })
    )
  )
const policies = fc.record({
  minGapDays: fc.integer({ min: 0, max: 4 }),
  sunset: fc.record({ afterDays: fc.integer({ min: 5, max: 80 }) })
})
const changes = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 90 }),
    facts: fc.dictionary(fc.constantFrom(...ids), fc.boolean(), { maxKeys: 4 })
  }),
  { maxLength: 6 }
)

test('whatever the program and the facts: attempts, gaps and requirements hold, and it ends', async () => {
  fc.assert(
    fc.property(actions, policies, changes, (drawn, policy, timeline) => {
      const definition = program(drawn, policy)
      const scenario = { start, days: 100, facts: {}, changes: timeline }
      const { decisions, state } = simulateProgram(definition, scenario)
      const sends = decisions.filter(({ kind }) => kind === 'send')
      const satisfied = new Set<string>()
      for (const [at, { actionId = '', at: now, considered }] of sends.entries()) {
        const before = sends.slice(0, at)
        const gap = now.getTime() - (before.at(-1)?.at.getTime() ?? -Infinity)
        const own = drawn.find(({ id }) => id === actionId)
        const tries = before.filter((one) => one.actionId === actionId)
        const ownGap = now.getTime() - (tries.at(-1)?.at.getTime() ?? -Infinity)
        const isAllowed =
          considered[actionId] === 'ready' &&
          gap >= policy.minGapDays * DAY &&
          tries.length < (own?.attempts.max ?? 0) &&
          ownGap >= (own?.attempts.gapDays ?? 0) * DAY &&
          (own?.requires ?? []).every((id) => considered[id] === 'satisfied')
        if (!isAllowed) return false
      }
      for (const { considered } of decisions) {
        if ([...satisfied].some((id) => considered[id] !== 'satisfied')) return false
        for (const [id, verdict] of Object.entries(considered))
          if (verdict === 'satisfied') satisfied.add(id)
      }
      const same = simulateProgram(definition, scenario)
      return (
        state.status !== 'active' && JSON.stringify(same.decisions) === JSON.stringify(decisions)
      )
    }),
    { numRuns: 300 }
  )
})
