// How many runs reached each step, as far as where they are now tells it. Pure.

import { armsOf } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'

/** How many runs are at a path, or ended there. */
export type RunsAt = ReadonlyMap<string, number>

/**
 * The runs that reached each step: those at the step or behind it. A step is left out where this is unknown:
 * in an arm when runs are behind the step that it belongs to, which may have come by another arm, and behind
 * a condition that skips a step.
 */
export function enteredAt(steps: readonly FlowStep[], runsAt: RunsAt): ReadonlyMap<string, number> {
  const entered = new Map<string, number>()
  walk(steps, '', 0)
  return entered

  /** `beyond`: runs that are behind the list. Returns the runs inside of it. */
  function walk(list: readonly FlowStep[], prefix: string, beyond: number): number {
    let behind = 0
    for (const [index, step] of [...list.entries()].reverse()) {
      const path = `${prefix}${index}`
      let here = runsAt.get(path) ?? 0
      for (const [arm, inside] of armsOf(step))
        here += walk(inside, `${path}.${arm}.`, beyond + behind)
      behind += here
      if (beyond === 0 && !skips(list[index - 1])) entered.set(path, behind)
    }
    return behind
  }
}

const skips = (step: FlowStep | undefined): boolean =>
  step?.type === 'condition' && step.ifFalse === 'continue'
