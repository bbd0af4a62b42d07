// How far people came through steps that are any events: in order or in any order, within a time. Pure.
import type { Member } from './funnel-math.ts'

/** `strict`: each step after the one before. `any`: every step, before or after the first. */
export const STEP_ORDERS = ['strict', 'any'] as const
export type StepOrder = (typeof STEP_ORDERS)[number]

/** One time that a person did a step. */
export interface Done {
  readonly at: number
  /** Of the record, where people are grouped by one. */
  readonly value: string | null
}

/** By step; in any order. */
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

/** The try that came furthest counts, of those the earliest; undefined for who never did the first step. */
export function walkOf(doings: Doings, { steps, order, windowMs }: StepRules): Walker | undefined {
  const times = steps.map((step) =>
    (doings.get(step) ?? []).map(({ at }) => at).sort((a, b) => a - b)
  )
  const [first = '', ...others] = steps
  const starts = [...(doings.get(first) ?? [])].sort((a, b) => a.at - b.at)
  let best: Walker | undefined
  for (const { at, value } of starts) {
    const reached = new Map([[first, at]])
    let before = at
    for (const [index, step] of others.entries()) {
      const from = order === 'strict' ? before : at - (windowMs ?? Infinity)
      const next = firstFrom(times[index + 1] ?? [], from)
      if (next === undefined || next > at + (windowMs ?? Infinity)) break
      reached.set(step, next)
      before = next
    }
    if (best === undefined || reached.size > best.reached.size) {
      best = { anchorAt: at, value, reached }
    }
    // Without a window no later start reaches more.
    if (best.reached.size === steps.length || windowMs === undefined) break
  }
  return best
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
