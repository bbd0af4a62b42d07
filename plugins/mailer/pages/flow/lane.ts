// Steps as they are drawn: a column of cards, arms side by side that join again. Pure.

import { armsOf } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'

/** A card in a column. */
export interface LaneNode {
  readonly path: string
  /** Counts all steps from 1, in the order of reading. */
  readonly number: number
  readonly step: FlowStep
  /** Side by side; empty for a step that has none. */
  readonly arms: readonly LaneArm[]
}

/** A way out of a step. */
export interface LaneArm {
  /** The list of its steps, `2.true`; undefined for a way without steps: an awaited event that came. */
  readonly list: string | undefined
  readonly kind: 'yes' | 'no' | 'happened' | 'timeout' | 'split'
  /** Of a split: its name and share. */
  readonly name?: string
  readonly percent?: number
  readonly nodes: readonly LaneNode[]
}

type Heading = Omit<LaneArm, 'list' | 'nodes'>

function headingOf(step: FlowStep, arm: string): Heading {
  if (step.type === 'waitForEvent') return { kind: 'timeout' }
  if (step.type !== 'split') return { kind: arm === 'true' ? 'yes' : 'no' }
  const { name = '', percent = 0 } = step.arms[Number(arm)] ?? {}
  return { kind: 'split', name, percent }
}

/** The column of a flow. */
export function laneOf(steps: readonly FlowStep[]): readonly LaneNode[] {
  let number = 0
  const column = (list: readonly FlowStep[], prefix: string): LaneNode[] =>
    list.map((step, index) => {
      const path = `${prefix}${index}`
      number += 1
      const own = number
      const arms = armsOf(step).map(([arm, inside]): LaneArm => {
        const place = `${path}.${arm}`
        return { list: place, ...headingOf(step, arm), nodes: column(inside, `${place}.`) }
      })
      const happened: LaneArm = { list: undefined, kind: 'happened', nodes: [] }
      return {
        path,
        number: own,
        step,
        arms: step.type === 'waitForEvent' ? [happened, ...arms] : arms
      }
    })
  return column(steps, '')
}

/** Every node of a column, those in arms too, in the order of reading. */
export function* nodesOf(lane: readonly LaneNode[]): Generator<LaneNode> {
  for (const node of lane) {
    yield node
    for (const { nodes } of node.arms) yield* nodesOf(nodes)
  }
}
