// Interprets a run: which steps it takes now, what they want done, and where it waits. Pure.

import { nextInWindow } from '@keelson/sdk/delivery-window'
import { pathAfter, pathInto, stepAt, stepsFrom, templatesOf } from '../../../ledger/flow-paths.ts'
import type { RunEntry } from '../../../ledger/flow-rows.ts'
import type { FlowStep } from '../../../ledger/flow-steps.ts'
import type { FactKind, RunFacts } from './facts.ts'
import { holds, missingFacts } from './predicates.ts'
import type { Effect, Interpretation, Rest, RunState, StepOf } from './run-state.ts'
import { armOfSplit } from './split.ts'
import { matchOf, type WaitStep, waitEnd } from './waits.ts'

/** How far an interpretation goes. */
export interface InterpretOptions {
  readonly now: Date
  /** Steps that one pass takes at most. Default 100. */
  readonly maxSteps?: number
}

/** What one step comes to. */
type Outcome =
  | { readonly needs: readonly FactKind[] }
  | { readonly rest: Rest; readonly entry?: StepEntry }
  /** It goes on at `go`; undefined is the end of the flow. */
  | { readonly go: string | undefined; readonly entry?: StepEntry; readonly effect?: Effect }

type StepEntry = Pick<RunEntry, 'action' | 'detail'>

interface Walk {
  readonly steps: readonly FlowStep[]
  readonly run: RunState
  readonly now: Date
  path: string
  /** What the effects of this pass change is changed here as well. */
  facts: RunFacts
  /** The wait that the run comes from. */
  wait: { readonly since: Date; readonly until: Date } | undefined
}

const MAX_STEPS = 100
/** Runs that may start each other by events, one after the other. */
const MAX_CHAIN = 10
/** A run that took so long begins a new chain: a weekly mail may start its flow again for ever. */
const SLOW_MS = 86_400_000

/**
 * Takes the steps of a run until it waits or ends. The same input always comes to the same result: repeated
 * after a crash it wants the same things done. Facts that are missing are asked for; call it again with them.
 */
export function interpret(
  steps: readonly FlowStep[],
  run: RunState,
  facts: RunFacts,
  { now, maxSteps = MAX_STEPS }: InterpretOptions
): Interpretation {
  const effects: Effect[] = []
  const entries: RunEntry[] = []
  const advanced = (rest: Rest): Interpretation => ({ kind: 'advanced', effects, entries, rest })
  const gone = reasonToLeave(steps, run, facts)
  if (typeof gone === 'object') return { kind: 'needs', facts: gone.needs }
  if (gone !== undefined) {
    entries.push({ at: now, path: run.path, action: 'exited', detail: { reason: gone } })
    return advanced({ kind: 'exited', path: run.path, reason: gone })
  }
  const walk: Walk = { steps, run, now, path: run.path, facts, wait: waitOf(run) }
  for (let taken = 0; ; taken++) {
    const step = stepAt(steps, walk.path)
    if (step === undefined) return advanced({ kind: 'completed', path: walk.path })
    if (taken >= maxSteps) return advanced({ kind: 'more', path: walk.path })
    const outcome = takeStep(step, walk)
    if ('needs' in outcome) return { kind: 'needs', facts: outcome.needs }
    if (outcome.entry !== undefined) entries.push({ at: now, path: walk.path, ...outcome.entry })
    if ('rest' in outcome) return advanced(outcome.rest)
    if (outcome.effect !== undefined) {
      effects.push(outcome.effect)
      walk.facts = factsAfter(walk.facts, outcome.effect, now)
    }
    if (outcome.go === undefined) return advanced({ kind: 'completed', path: walk.path })
    walk.path = outcome.go
    walk.wait = undefined
  }
}

/**
 * Why a run ends before its next step: no mail of the steps ahead may reach the contact. Transactional mail
 * needs no subscription.
 */
function reasonToLeave(
  steps: readonly FlowStep[],
  { path }: RunState,
  { contact, subscription, transactional }: RunFacts
): string | { readonly needs: readonly FactKind[] } | undefined {
  if (contact === null) return 'contact_missing'
  if (!contact.email?.includes('@')) return 'contact_no_email'
  if (subscription === 'subscribed') return undefined
  const ahead = templatesOf(stepsFrom(steps, path))
  if (ahead.length > 0 && transactional === undefined) return { needs: ['transactional'] }
  if (ahead.some((slug) => transactional?.has(slug))) return undefined
  return subscription ?? 'not_subscribed'
}

function waitOf({ waitSince, nextActionAt }: RunState): Walk['wait'] {
  if (waitSince === undefined || nextActionAt === undefined) return undefined
  return { since: waitSince, until: nextActionAt }
}

function takeStep(step: FlowStep, walk: Walk): Outcome {
  const { steps, path } = walk
  switch (step.type) {
    case 'wait':
    case 'waitUntil':
    case 'waitForEvent':
      return takeWait(step, walk)
    case 'condition':
    case 'branch':
      return takeTest(step, walk)
    case 'split': {
      const { flowId, externalId } = walk.run
      const at = armOfSplit(step, { flowId, path, externalId })
      const entry = branchTaken(step.arms[at]?.name)
      return { go: pathInto(steps, path, String(at)), entry }
    }
    case 'send':
      return takeSend(step, walk)
    case 'tag': {
      const { addTags: add = [], removeTags: remove = [] } = step
      const effect = { do: 'tag', path, add, remove } as const
      return { go: pathAfter(steps, path), effect, entry: { action: 'tagged' } }
    }
    case 'fire_event':
      return takeFire(step, walk)
    case 'webhook': {
      const next = pathAfter(steps, path)
      return { rest: { kind: 'call', path, step, ...(next !== undefined && { next }) } }
    }
    case 'exit':
      return exit(path, step.reason ?? 'exit_step')
  }
}

const exit = (path: string, reason: string): Outcome => ({
  rest: { kind: 'exited', path, reason },
  entry: { action: 'exited', detail: { reason } }
})

/** A flow may start itself, alone or by way of others: such a loop ends here. */
function takeFire(step: StepOf<'fire_event'>, { steps, path, run, now }: Walk): Outcome {
  const isSlow = now.getTime() - run.enteredAt.getTime() >= SLOW_MS
  const chain = (isSlow ? 0 : (run.chain ?? 0)) + 1
  if (chain > MAX_CHAIN) return exit(path, 'chain_limit')
  const properties = { ...run.triggerEvent?.properties, ...step.properties }
  const effect = { do: 'fire', path, name: step.eventName, properties, chain } as const
  const entry = { action: 'event_fired', detail: { name: step.eventName } } as const
  return { go: pathAfter(steps, path), effect, entry }
}

function takeTest(step: Extract<FlowStep, { test: unknown }>, walk: Walk): Outcome {
  const { steps, path, facts, run, now } = walk
  const needs = missingFacts(step.test, facts)
  if (needs.length > 0) return { needs }
  const isTrue = holds(step.test, { run, facts, now })
  if (step.type === 'branch')
    return { go: pathInto(steps, path, String(isTrue)), entry: branchTaken(String(isTrue)) }
  const entry = { action: 'condition_evaluated', detail: { isTrue } } as const
  if (isTrue) return { go: pathAfter(steps, path), entry }
  // Skips one step of the same list, never one behind the arm that ends here.
  if (step.ifFalse === 'continue') return { go: pathAfter(steps, path, 2), entry }
  return { rest: { kind: 'exited', path, reason: 'condition_false' }, entry }
}

function takeSend(step: StepOf<'send'>, { steps, path, facts, now }: Walk): Outcome {
  const slot =
    step.delivery === undefined ? now : nextInWindow(step.delivery, now, facts.contact?.timezone)
  const { templateSlug } = step
  if (slot > now) {
    const entry = { action: 'send_deferred', detail: { templateSlug } } as const
    return { rest: { kind: 'wait', path, since: now, until: slot }, entry }
  }
  const entry = { action: 'sent', detail: { templateSlug } } as const
  return { go: pathAfter(steps, path), effect: { do: 'send', path, step }, entry }
}

function takeWait(step: WaitStep, { steps, path, wait, run, facts, now }: Walk): Outcome {
  const event = awaitedBy(step, run)
  if (wait === undefined) {
    const until = waitEnd(step, run, facts, now)
    // A time that has passed is not waited for.
    if (until <= now) return { go: pathAfter(steps, path) }
    const rest = { kind: 'wait', path, since: now, until, ...event } as const
    return { rest, entry: { action: 'wait_started', detail: { until } } }
  }
  const isOver = wait.until <= now
  if (step.type === 'waitForEvent') {
    if (facts.awaited === undefined) return { needs: ['awaited'] }
    const came = { action: 'wait_completed', detail: { event: step.eventName } } as const
    if (facts.awaited) return { go: pathAfter(steps, path), entry: came }
    const timeout = { action: 'wait_completed', detail: { timeout: true } } as const
    if (isOver) return { go: pathInto(steps, path, 'timeout'), entry: timeout }
  } else if (isOver) return { go: pathAfter(steps, path), entry: { action: 'wait_completed' } }
  return { rest: { kind: 'wait', path, ...wait, ...event } }
}

function awaitedBy(step: WaitStep, run: RunState) {
  if (step.type !== 'waitForEvent') return {}
  const match = matchOf(step, run)
  return { event: step.eventName, ...(match !== undefined && { match }) }
}

const branchTaken = (arm: string | undefined): StepEntry => ({
  action: 'branch_taken',
  ...(arm !== undefined && { detail: { arm } })
})

/** The facts as later steps of the same pass see them. */
export function factsAfter(facts: RunFacts, effect: Effect, now: Date): RunFacts {
  if (effect.do === 'tag' && facts.contact !== null) {
    const tags = new Set([...facts.contact.tags, ...effect.add])
    for (const tag of effect.remove) tags.delete(tag)
    return { ...facts, contact: { ...facts.contact, tags: [...tags] } }
  }
  if (effect.do === 'fire' && facts.events !== undefined)
    return { ...facts, events: new Map([...facts.events, [effect.name, now]]) }
  return facts
}
