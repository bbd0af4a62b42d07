// Moving through the steps of a flow by key: up and down along the lines, left and right between arms. Pure.

import { armsOf, pathAfter, stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { listAt, ownerOf, pathOf, placeOf } from './edit-steps.ts'

type Steps = readonly FlowStep[]

/** Keys that move. */
export type MoveKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'

const isMoveKey = (key: string): key is MoveKey =>
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)

/**
 * The path that a key moves to; undefined when it does not move. An empty arm has one place, its first path,
 * where a step can be added.
 */
export function movedTo(steps: Steps, from: string, key: string): string | undefined {
  if (!isMoveKey(key)) return undefined
  switch (key) {
    case 'ArrowDown':
      return below(steps, from)
    case 'ArrowUp':
      return above(steps, from)
    case 'ArrowLeft':
      return beside(steps, from, -1)
    case 'ArrowRight':
      return beside(steps, from, 1)
    case 'Home':
      return steps.length === 0 ? undefined : '0'
    case 'End':
      return steps.length === 0 ? undefined : lastIn(steps, String(steps.length - 1))
  }
}

/** Into the first arm, else the next card of the line. */
function below(steps: Steps, from: string): string | undefined {
  const step = stepAt(steps, from)
  const [arm] = step === undefined ? [] : armsOf(step)
  if (arm !== undefined) return `${from}.${arm[0]}.0`
  if (step !== undefined) return pathAfter(steps, from)
  // An empty arm: behind the step that it belongs to.
  const owner = ownerOf(placeOf(from).list)
  return owner === undefined ? undefined : pathAfter(steps, owner)
}

function above(steps: Steps, from: string): string | undefined {
  const { list, index } = placeOf(from)
  if (index > 0) return lastIn(steps, pathOf({ list, index: index - 1 }))
  return ownerOf(list)
}

/** The lowest card of the first arm, and so on inside; the card itself without arms. */
function lastIn(steps: Steps, path: string): string {
  const step = stepAt(steps, path)
  const [arm] = step === undefined ? [] : armsOf(step)
  if (arm === undefined) return path
  const [name, inside] = arm
  const list = `${path}.${name}`
  return inside.length === 0 ? `${list}.0` : lastIn(steps, `${list}.${inside.length - 1}`)
}

/** The arm beside, at the same height where there is a card; of the nearest step that has one. */
function beside(steps: Steps, from: string, by: -1 | 1): string | undefined {
  const { list, index } = placeOf(from)
  const owner = ownerOf(list)
  const step = owner === undefined ? undefined : stepAt(steps, owner)
  if (owner === undefined || step === undefined) return undefined
  const arms = armsOf(step)
  const at = arms.findIndex(([name]) => `${owner}.${name}` === list)
  const arm = arms[at + by]
  if (arm === undefined) return beside(steps, owner, by)
  const length = listAt(steps, `${owner}.${arm[0]}`)?.length ?? 0
  return `${owner}.${arm[0]}.${Math.max(0, Math.min(index, length - 1))}`
}
