// How far people came through steps that are any events: in order or in any order, within a time. Pure.
import type { Member } from './funnel-math.ts'

/** `strict`: each step after the one before. `any`: every step, before or after the first. */
export const STEP_ORDERS = ['strict', 'any'] as const
export type StepOrder = (typeof STEP_ORDERS)[number]

/** Times at which a person did a step; in any order. */
export interface Done {
  readonly times: ArrayLike<number>
  /** Of the records, where people are grouped by one. */
  readonly value: string | null
}

/** By step. */
export type Doings = ReadonlyMap<string, readonly Done[]>

export interface StepRules {
  readonly steps: readonly string[]
  readonly order: StepOrder
  /** Milliseconds from the first step to the last; undefined: any. */
  readonly windowMs: number | undefined
}

/** A person who did the first step, and the value of its record. */
export interface Walker extends Member {
  readonly value: string | null
}

interface Start {
  readonly at: number
  readonly value: string | null
}

/** The first time of a step that is not before another time. */
type NextOf = (step: string, from: number) => number | undefined

/** The try that came furthest counts, of those the earliest; undefined for who never did the first step. */
export function walkOf(doings: Doings, rules: StepRules): Walker | undefined {
  const begun = doings.get(rules.steps[0] ?? '')
  if (begun === undefined) return undefined
  // Without a window no later start reaches more than the earliest.
  return rules.windowMs === undefined
    ? walkFrom(earliestOf(begun), rules, (step, from) => leastFrom(doings.get(step) ?? [], from))
    : furthestOf(startsOf(begun), rules, nextInOrder(doings))
}

function furthestOf(
  starts: readonly Start[],
  rules: StepRules,
  nextOf: NextOf
): Walker | undefined {
  let best: Walker | undefined
  for (const start of starts) {
    const walker = walkFrom(start, rules, nextOf)
    if (best === undefined || walker.reached.size > best.reached.size) best = walker
    if (best.reached.size === rules.steps.length) break
  }
  return best
}

function walkFrom(
  { at, value }: Start,
  { steps: [first = '', ...others], order, windowMs = Infinity }: StepRules,
  nextOf: NextOf
): Walker {
  const reached = new Map([[first, at]])
  let before = at
  for (const step of others) {
    const next = nextOf(step, order === 'strict' ? before : at - windowMs)
    if (next === undefined || next > at + windowMs) break
    reached.set(step, next)
    before = next
  }
  return { anchorAt: at, value, reached }
}

function earliestOf(done: readonly Done[]): Start {
  let start: Start = { at: Infinity, value: null }
  for (const { times, value } of done) {
    const at = leastOf(times)
    if (at < start.at) start = { at, value }
  }
  return start
}

const startsOf = (done: readonly Done[]): readonly Start[] =>
  done
    .flatMap(({ times, value }) => Array.from(times, (at) => ({ at, value })))
    .sort((a, b) => a.at - b.at)

/** The least of some times, of those that are not before `from`; infinite without any. */
export function leastOf(times: ArrayLike<number>, from = -Infinity): number {
  let least = Infinity
  for (let index = 0; index < times.length; index++) {
    const at = times[index] as number
    if (at >= from && at < least) least = at
  }
  return least
}

function leastFrom(done: readonly Done[], from: number): number | undefined {
  let least = Infinity
  for (const { times } of done) least = Math.min(least, leastOf(times, from))
  return least === Infinity ? undefined : least
}

/** For many starts: the times of each step are sorted once. */
function nextInOrder(doings: Doings): NextOf {
  const sorted = new Map<string, readonly number[]>()
  return (step, from) => {
    const known =
      sorted.get(step) ??
      (doings.get(step) ?? []).flatMap(({ times }) => Array.from(times)).sort((a, b) => a - b)
    sorted.set(step, known)
    return firstFrom(known, from)
  }
}

/** The least of sorted times that is not before `from`. */
function firstFrom(times: readonly number[], from: number): number | undefined {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return times[low]
}
