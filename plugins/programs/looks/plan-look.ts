// The next best action for a subject: decided from definition, state, facts and time alone. Pure.

import { nextInWindow, timeOf } from '@keelson/sdk/delivery-window'
import type { ProgramAction, ProgramDefinition, ProgramPolicy } from '../storage/definition.ts'
import type {
  ActionState,
  ActionVerdict,
  Decision,
  Plan,
  ProgramState
} from '../storage/program-state.ts'
import { type Facts, factOf, holds } from './conditions.ts'

/** What became of the mails that were on their way. */
export type FlightOutcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'accepted'; readonly at: Date }
  /** No provider took any of them, and none will. */
  | { readonly kind: 'ended' }

/** What is known when a subject is looked at. */
export interface LookFacts {
  readonly now: Date
  readonly facts: Facts
  /** Contacts who get the mails of the subject. */
  readonly recipients: readonly string[]
  /** Of the first recipient. */
  readonly timezone?: string | undefined
  /** Needed while mails are on their way. */
  readonly flight?: FlightOutcome | undefined
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How soon mails on their way are looked at, at first and then. */
const SOON = HOUR / 4
const CHECK_EVERY_HOURS = 6
/** After so many mails in a row that no provider took, an action is given up. */
const MAX_MISSES = 3

const FRESH: ActionState = { status: 'pending', attempts: 0, misses: 0 }

/** The fact that `suppressIfSessionWithinHours` looks at. */
export const SESSION_FACT = 'lastSessionAt'

/** One look at a subject. The same input always comes to the same plan. */
export function planLook(
  definition: ProgramDefinition,
  state: ProgramState,
  look: LookFacts
): Plan {
  const landed = afterFlight(definition, withActions(definition, state), look)
  const known = withSatisfied(definition, landed, look)
  const considered = considerAll(definition, known, look)
  const plan = (more: Omit<Decision, 'considered'>, to: Partial<ProgramState> = {}): Plan => {
    const next = { ...known, ...to, looks: state.looks + 1 }
    const decision = { ...more, considered }
    return { decision, state: next, ...nextLook(definition, next, look) }
  }
  const end = endOf(definition, known, look)
  if (end !== undefined) {
    const { status, reason: exitReason } = end
    return plan({ kind: status, reason: exitReason }, { status, exitReason, endedAt: look.now })
  }
  const wait = waitOf(definition, known)
  if (wait !== undefined) return plan({ kind: 'wait', reason: wait })
  const best = nextBest(definition, considered)
  if (best === undefined) return plan({ kind: 'wait', reason: 'nothing_ready' })
  const { id: actionId } = best
  const policy = definition.policy ?? {}
  if (known.arm === 'holdout') return plan({ kind: 'holdout', actionId, reason: 'holdout' })
  const held = gapsOf(policy, known, look)[0]
  if (held !== undefined) return plan({ kind: 'wait', actionId, reason: held.reason })
  if (look.recipients.length === 0) return plan({ kind: 'wait', actionId, reason: 'no_recipient' })
  return plan(
    { kind: 'send', actionId, reason: 'next_best' },
    { inFlight: { actionId, sendIds: [] } }
  )
}

/** Every action of the definition has a state; those that are gone from it lose theirs unless satisfied. */
function withActions({ actions }: ProgramDefinition, state: ProgramState): ProgramState {
  const kept = actions.map(({ id }) => [id, state.actions[id] ?? FRESH] as const)
  return { ...state, actions: { ...state.actions, ...Object.fromEntries(kept) } }
}

function afterFlight(
  definition: ProgramDefinition,
  state: ProgramState,
  { now, flight }: LookFacts
): ProgramState {
  const { inFlight, ...rest } = state
  if (inFlight === undefined || flight === undefined || flight.kind === 'waiting') return state
  const { actionId } = inFlight
  const action = definition.actions.find(({ id }) => id === actionId)
  const before = state.actions[actionId] ?? FRESH
  const set = (after: ActionState): ProgramState['actions'] => ({
    ...state.actions,
    [actionId]: action === undefined ? after : exhaustedIfDone(action, after, now)
  })
  if (flight.kind === 'ended') {
    const notBefore = new Date(now.getTime() + DAY)
    return { ...rest, actions: set({ ...before, misses: before.misses + 1, notBefore }) }
  }
  const sent = { ...before, attempts: before.attempts + 1, misses: 0, lastSentAt: flight.at }
  return {
    ...rest,
    actions: set(sent),
    lastSentAt: flight.at,
    mailsSinceProgress: state.mailsSinceProgress + 1
  }
}

function exhaustedIfDone(action: ProgramAction, state: ActionState, now: Date): ActionState {
  const isDone = state.attempts >= action.attempts.max || state.misses >= MAX_MISSES
  if (state.status !== 'pending' || !isDone) return state
  const { cooldownDays } = action
  if (cooldownDays === undefined) return { ...state, status: 'exhausted' }
  const cooldownUntil = new Date(now.getTime() + cooldownDays * DAY)
  return { ...state, status: 'cooldown', cooldownUntil }
}

/** What holds once stays: completion is never taken back. */
function withSatisfied(
  { actions }: ProgramDefinition,
  state: ProgramState,
  { now, facts }: LookFacts
): ProgramState {
  const changed = actions.flatMap((action): (readonly [string, ActionState])[] => {
    const own = state.actions[action.id] ?? FRESH
    if (own.status === 'satisfied') return []
    if (holds(action.satisfied, facts, now))
      return [[action.id, { ...own, status: 'satisfied', satisfiedAt: now }]]
    const isOver = own.status === 'cooldown' && (own.cooldownUntil ?? now) <= now
    return isOver ? [[action.id, FRESH]] : []
  })
  if (changed.length === 0) return state
  const isProgress = changed.some(([, { status }]) => status === 'satisfied')
  return {
    ...state,
    actions: { ...state.actions, ...Object.fromEntries(changed) },
    ...(isProgress && { lastProgressAt: now, mailsSinceProgress: 0 })
  }
}

function considerAll(
  { actions }: ProgramDefinition,
  state: ProgramState,
  look: LookFacts
): Readonly<Record<string, ActionVerdict>> {
  return Object.fromEntries(actions.map((action) => [action.id, verdictOf(action, state, look)]))
}

function verdictOf(
  action: ProgramAction,
  { actions }: ProgramState,
  { facts, now }: LookFacts
): ActionVerdict {
  const own = actions[action.id] ?? FRESH
  if (own.status !== 'pending') return own.status
  const { requires = [], eligible } = action
  if (requires.some((id) => actions[id]?.status !== 'satisfied')) return 'requires'
  if (eligible !== undefined && !holds(eligible, facts, now)) return 'not_eligible'
  return (readyAt(action, own) ?? now) > now ? 'attempt_gap' : 'ready'
}

/** When the next attempt may be made. */
function readyAt({ attempts }: ProgramAction, own: ActionState): Date | undefined {
  const gap = own.lastSentAt && new Date(own.lastSentAt.getTime() + (attempts.gapDays ?? 0) * DAY)
  if (gap === undefined || own.notBefore === undefined) return gap ?? own.notBefore
  return gap > own.notBefore ? gap : own.notBefore
}

function endOf(
  { actions, policy = {} }: ProgramDefinition,
  state: ProgramState,
  { now }: LookFacts
): { readonly status: 'completed' | 'exited' | 'sunset'; readonly reason: string } | undefined {
  const statuses = actions.map(({ id }) => state.actions[id]?.status)
  if (statuses.every((status) => status === 'satisfied'))
    return { status: 'completed', reason: 'all_satisfied' }
  const { sunset } = policy
  const age = now.getTime() - state.enteredAt.getTime()
  if (sunset?.afterDays !== undefined && age >= sunset.afterDays * DAY)
    return { status: 'sunset', reason: 'sunset_days' }
  // A mail that is on its way may still be the one that helps.
  if (state.inFlight !== undefined) return undefined
  if (sunset?.afterMails !== undefined && state.mailsSinceProgress >= sunset.afterMails)
    return { status: 'sunset', reason: 'sunset_mails' }
  const isOpen = (action: ProgramAction): boolean => {
    const own = state.actions[action.id] ?? FRESH
    if (own.status !== 'exhausted') return own.status !== 'satisfied'
    // The last mail has as long to work as those before it.
    return action.onExhaust === 'hold' || (readyAt(action, own) ?? now) > now
  }
  return actions.some(isOpen) ? undefined : { status: 'exited', reason: 'exhausted' }
}

/** Why no action is looked for at all. */
function waitOf({ actions }: ProgramDefinition, state: ProgramState): string | undefined {
  if (state.inFlight !== undefined) return 'in_flight'
  const holding = actions.find(
    ({ id, onExhaust }) =>
      onExhaust === 'hold' && ['exhausted', 'cooldown'].includes(state.actions[id]?.status ?? '')
  )
  return holding && `held_by:${holding.id}`
}

function nextBest(
  { actions }: ProgramDefinition,
  considered: Readonly<Record<string, ActionVerdict>>
): ProgramAction | undefined {
  const ready = actions.filter(({ id }) => considered[id] === 'ready')
  // Sorting is stable: of equals the first in the list stays first.
  return ready.toSorted((left, right) => right.priority - left.priority)[0]
}

interface Gap {
  readonly reason: string
  readonly until: Date
}

/** What the policy waits for, the longest first. */
function gapsOf(policy: ProgramPolicy, state: ProgramState, look: LookFacts): readonly Gap[] {
  const { now, facts, timezone } = look
  const after = (reason: string, from: Date | undefined, ms: number): Gap[] => {
    if (from === undefined) return []
    return [{ reason, until: new Date(from.getTime() + ms) }]
  }
  const session = timeOf(factOf(facts, SESSION_FACT), 'UTC')
  const gaps = [
    ...after('min_gap', state.lastSentAt, (policy.minGapDays ?? 0) * DAY),
    ...after('progress_gap', state.lastProgressAt, (policy.progressGapDays ?? 0) * DAY),
    ...after('session', session, (policy.suppressIfSessionWithinHours ?? 0) * HOUR)
  ].toSorted((left, right) => right.until.getTime() - left.until.getTime())
  const open = gaps.filter(({ until }) => until > now)
  if (open.length > 0 || policy.delivery === undefined) return open
  const slot = nextInWindow(policy.delivery, now, timezone)
  return slot > now ? [{ reason: 'delivery_window', until: slot }] : []
}

/** The next look: when something known is due, and not later than the regular one. */
function nextLook(
  { actions, policy = {} }: ProgramDefinition,
  state: ProgramState,
  look: LookFacts
): { readonly nextAt?: Date } {
  if (state.status !== 'active') return {}
  const { now } = look
  const regular = new Date(now.getTime() + (policy.checkEveryHours ?? CHECK_EVERY_HOURS) * HOUR)
  if (state.inFlight !== undefined)
    return { nextAt: new Date(Math.min(now.getTime() + SOON, regular.getTime())) }
  const { sunset } = policy
  const times = [
    regular,
    ...gapsOf(policy, state, look).map(({ until }) => until),
    ...actions.flatMap((action) => readyAt(action, state.actions[action.id] ?? FRESH) ?? []),
    ...actions.flatMap(({ id }) => state.actions[id]?.cooldownUntil ?? []),
    ...(sunset?.afterDays === undefined
      ? []
      : [new Date(state.enteredAt.getTime() + sunset.afterDays * DAY)])
  ].filter((at) => at > now)
  return { nextAt: new Date(Math.min(...times.map(Number))) }
}
