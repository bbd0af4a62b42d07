// A simulation as it is drawn: which cards and arms it went through, and when. Pure.

import { armsOf, stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { SimulationAnswer } from './answers.ts'

/** A step of a simulation as the API answers it. */
type WalkedStep = SimulationAnswer['path'][number]

/** A stop of a simulation. */
export interface Stop extends WalkedStep {
  readonly path: string
  /** Later than the stop before, in ms. */
  readonly waited: number
}

/** The stops of a simulation with their paths. */
export function stopsOf(walked: readonly WalkedStep[]): readonly Stop[] {
  return walked.map((step, index) => {
    const { at, stepIndex, branchPath } = step
    const before = walked[index - 1]
    const path = branchPath === '' ? String(stepIndex) : `${stepIndex}.${branchPath}`
    return {
      ...step,
      path,
      waited: before === undefined ? 0 : Date.parse(at) - Date.parse(before.at)
    }
  })
}

/** What a simulation went through. */
export interface Walked {
  /** The first stop at each card. */
  readonly cards: ReadonlyMap<string, Stop>
  /** Arms by their lists (`2.true`), those without steps too. */
  readonly arms: ReadonlySet<string>
}

/** The arm that a stop chose; undefined when its step has none. */
function armOf(steps: readonly FlowStep[], { path, outcome, detail }: Stop): string | undefined {
  const step = stepAt(steps, path)
  if (step === undefined || armsOf(step).length === 0) return undefined
  const arm = detail?.['arm']
  if (step.type === 'split') {
    const at = step.arms.findIndex(({ name }) => name === arm)
    return at === -1 ? undefined : String(at)
  }
  if (outcome === 'branch_true') return 'true'
  return outcome === 'branch_false' ? 'false' : undefined
}

/** The cards and arms up to a stop. */
export function walkedOf(steps: readonly FlowStep[], stops: readonly Stop[]): Walked {
  const cards = new Map<string, Stop>()
  const arms = new Set<string>()
  for (const stop of stops) {
    if (!cards.has(stop.path)) cards.set(stop.path, stop)
    const arm = armOf(steps, stop)
    if (arm !== undefined) arms.add(`${stop.path}.${arm}`)
    // The arms that lead to it: of a timeout the walk says nothing.
    const segments = stop.path.split('.')
    for (let end = segments.length - 1; end >= 2; end -= 2)
      arms.add(segments.slice(0, end).join('.'))
  }
  return { cards, arms }
}
