// Walks a run to its end on a virtual clock, step by step. Pure: nothing is sent, called or written.

import { stepAt } from '../../../ledger/flow-paths.ts'
import type { RunEntry } from '../../../ledger/flow-rows.ts'
import type { FlowStep } from '../../../ledger/flow-steps.ts'
import type { RunFacts } from './facts.ts'
import { foundBy } from './found-by.ts'
import { factsAfter, interpret } from './interpret.ts'
import type { Judged } from './predicates.ts'
import type { Interpretation, Rest, RunState } from './run-state.ts'

/** What a step came to. */
export type StepOutcome =
  | 'waited'
  | 'passed'
  | 'skipped_next'
  | 'exited'
  | 'branch_true'
  | 'branch_false'
  | 'branch_taken'
  | 'send'
  | 'send_deferred'
  | 'tagged'
  | 'event_fired'
  | 'webhook'

/** A step that was walked. */
export interface SimulatedStep {
  readonly at: Date
  /** The first part of the path. */
  readonly stepIndex: number
  /** The arms that lead to it; empty outside of arms. */
  readonly branchPath: string
  readonly type: FlowStep['type']
  readonly outcome: StepOutcome
  readonly detail?: Readonly<Record<string, unknown>>
}

/** A walk. `truncated` when it takes more steps than a simulation follows. */
export interface SimulatedRun {
  readonly path: readonly SimulatedStep[]
  readonly sends: readonly (Pick<SimulatedStep, 'at' | 'stepIndex' | 'branchPath'> & {
    readonly templateSlug: string
  })[]
  readonly terminal: {
    readonly kind: 'completed' | 'exited' | 'truncated'
    readonly reason: string | null
    readonly at: Date
  }
}

const MOST_PASSES = 1000
type Advanced = Extract<Interpretation, { readonly kind: 'advanced' }>

/**
 * Walks a run. `facts` must have every kind that the steps ask for. Awaited events do not come, so their
 * timeouts are taken; webhooks are not called and count as answered.
 */
export function simulateRun(
  steps: readonly FlowStep[],
  run: RunState,
  facts: RunFacts
): SimulatedRun {
  const path: SimulatedStep[] = []
  const sends: SimulatedRun['sends'][number][] = []
  let state = run
  let known: RunFacts = { ...facts, awaited: false }
  let at = run.enteredAt
  const end = (kind: SimulatedRun['terminal']['kind'], reason: string | null = null) => ({
    path,
    sends,
    terminal: { kind, reason, at }
  })
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const result = interpret(steps, state, known, { now: at, maxSteps: 1 })
    if (result.kind === 'needs') throw new TypeError(`facts are missing: ${result.facts.join()}`)
    const walked = stepOf(steps, state.path, result, at)
    const judged = { run: state, facts: known, now: at }
    if (walked !== undefined) path.push(withFound(stepAt(steps, state.path), walked, judged))
    for (const effect of result.effects) {
      known = factsAfter(known, effect, at)
      if (effect.do !== 'send') continue
      const { templateSlug } = effect.step
      sends.push({ templateSlug, at, ...placeOf(effect.path) })
    }
    const { rest } = result
    if (rest.kind === 'completed') return end('completed')
    if (rest.kind === 'exited') return end('exited', rest.reason)
    const next = stateAfter(state, rest)
    if (next === undefined) return end('completed')
    state = next
    if (rest.kind === 'wait') at = rest.until
  }
  return end('truncated', 'step_limit')
}

function stateAfter(state: RunState, rest: Rest): RunState | undefined {
  const { waitSince: _since, nextActionAt: _until, ...plain } = state
  switch (rest.kind) {
    case 'wait':
      return { ...plain, path: rest.path, waitSince: rest.since, nextActionAt: rest.until }
    case 'more':
      return { ...plain, path: rest.path }
    case 'call':
      return rest.next === undefined ? undefined : { ...plain, path: rest.next }
    default:
      return undefined
  }
}

function placeOf(path: string) {
  const [index = '0', ...arms] = path.split('.')
  return { stepIndex: Number(index), branchPath: arms.join('.') }
}

/** A step with what its test found. */
function withFound(
  step: FlowStep | undefined,
  walked: SimulatedStep,
  judged: Judged
): SimulatedStep {
  if (step === undefined || !('test' in step)) return walked
  return { ...walked, detail: { ...walked.detail, found: foundBy(step.test, judged) } }
}

/** Undefined for a pass that shows nothing: the end of a wait, and the end of the flow. */
function stepOf(
  steps: readonly FlowStep[],
  path: string,
  { entries, rest }: Advanced,
  at: Date
): SimulatedStep | undefined {
  const step = stepAt(steps, path)
  if (step === undefined) return undefined
  const place = { at, ...placeOf(path), type: step.type }
  if (rest.kind === 'call') return { ...place, outcome: 'webhook', detail: { called: false } }
  const [entry] = entries
  if (entry === undefined) {
    return isWait(step) ? { ...place, outcome: 'passed' } : undefined
  }
  const outcome = outcomeOf(entry, rest)
  return outcome && { ...place, outcome, ...(entry.detail && { detail: entry.detail }) }
}

const isWait = ({ type }: FlowStep): boolean => type.startsWith('wait')

function outcomeOf({ action, detail }: RunEntry, rest: Rest): StepOutcome | undefined {
  switch (action) {
    case 'wait_started':
      return 'waited'
    case 'condition_evaluated':
      if (detail?.['isTrue'] === true) return 'passed'
      return rest.kind === 'exited' ? 'exited' : 'skipped_next'
    case 'branch_taken':
      if (detail?.['arm'] === 'true') return 'branch_true'
      return detail?.['arm'] === 'false' ? 'branch_false' : 'branch_taken'
    case 'sent':
      return 'send'
    case 'send_deferred':
      return 'send_deferred'
    case 'tagged':
      return 'tagged'
    case 'event_fired':
      return 'event_fired'
    case 'exited':
      return 'exited'
    default:
      return undefined
  }
}
