// Changes of a tree of steps by path: insert, replace, remove, move, duplicate. Pure.

import { armsOf, stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'

type Steps = readonly FlowStep[]

/** The path of a list (`''`, `2.true`) and a place in it. */
export interface StepPlace {
  readonly list: string
  readonly index: number
}

/** A tree after a change, and the step that it is about. */
export interface EditedSteps {
  readonly steps: Steps
  readonly path: string
}

/** Where a path points to. */
export function placeOf(path: string): StepPlace {
  const segments = path.split('.')
  const index = Number(segments.pop())
  return { list: segments.join('.'), index }
}

/** The path of a place. */
export const pathOf = ({ list, index }: StepPlace): string =>
  list === '' ? String(index) : `${list}.${index}`

/** The step whose arm a list is; undefined for the list of the flow. */
export const ownerOf = (list: string): string | undefined =>
  list === '' ? undefined : list.split('.').slice(0, -1).join('.')

/** The steps of a list; undefined when there is no such arm. */
export function listAt(steps: Steps, list: string): Steps | undefined {
  const owner = ownerOf(list)
  if (owner === undefined) return steps
  const step = stepAt(steps, owner)
  const arm = list.split('.').at(-1)
  return step && armsOf(step).find(([name]) => name === arm)?.[1]
}

/** A step with one of its arms replaced. */
function withArm(step: FlowStep, arm: string, inside: Steps): FlowStep {
  switch (step.type) {
    case 'branch':
      return arm === 'true' ? { ...step, ifTrueSteps: inside } : { ...step, ifFalseSteps: inside }
    case 'waitForEvent':
      return { ...step, timeoutSteps: inside }
    case 'split': {
      const arms = step.arms.map((one, at) =>
        String(at) === arm ? { ...one, steps: inside } : one
      )
      return { ...step, arms }
    }
    default:
      return step
  }
}

/** The tree with one of its lists replaced; unchanged when there is no such list. */
function withList(steps: Steps, list: string, change: (inside: Steps) => Steps): Steps {
  if (list === '') return change(steps)
  const [index = '', arm = '', ...rest] = list.split('.')
  return steps.map((step, at) => {
    if (String(at) !== index) return step
    const inside = armsOf(step).find(([name]) => name === arm)?.[1]
    return inside === undefined
      ? step
      : withArm(step, arm, withList(inside, rest.join('.'), change))
  })
}

/** Puts a step at a path; what was there and behind it moves on. */
export function insertStep(steps: Steps, path: string, step: FlowStep): EditedSteps {
  const { list, index } = placeOf(path)
  return { steps: withList(steps, list, (inside) => inside.toSpliced(index, 0, step)), path }
}

/** Puts another step in the place of one. */
export function replaceStep(steps: Steps, path: string, step: FlowStep): EditedSteps {
  const { list, index } = placeOf(path)
  return { steps: withList(steps, list, (inside) => inside.with(index, step)), path }
}

/** Takes a step away with all its arms; the path is that of the step that is shown then. */
export function removeStep(steps: Steps, path: string): EditedSteps {
  const { list, index } = placeOf(path)
  const without = withList(steps, list, (inside) => inside.toSpliced(index, 1))
  const left = listAt(without, list)?.length ?? 0
  if (left > 0) return { steps: without, path: pathOf({ list, index: Math.min(index, left - 1) }) }
  return { steps: without, path: ownerOf(list) ?? '0' }
}

/** Puts a copy of a step behind it. */
export function duplicateStep(steps: Steps, path: string): EditedSteps {
  const step = stepAt(steps, path)
  const { list, index } = placeOf(path)
  if (step === undefined) return { steps, path }
  return insertStep(steps, pathOf({ list, index: index + 1 }), structuredClone(step))
}

/**
 * Moves a step to another place, before what is there now. Unchanged inside itself, and where it is already.
 */
export function moveStepTo(steps: Steps, from: string, to: string): EditedSteps {
  const step = stepAt(steps, from)
  const { list, index } = placeOf(from)
  const isInside = `${to}.`.startsWith(`${from}.`)
  if (step === undefined || isInside || to === pathOf({ list, index: index + 1 }))
    return { steps, path: from }
  const without = withList(steps, list, (inside) => inside.toSpliced(index, 1))
  const prefix = list === '' ? '' : `${list}.`
  const [first = '', ...rest] = to.slice(prefix.length).split('.')
  // Behind the step, places in its list have moved up.
  const isBehind = to.startsWith(prefix) && Number(first) > index
  const path = isBehind ? `${prefix}${[Number(first) - 1, ...rest].join('.')}` : to
  return insertStep(without, path, step)
}

/**
 * Moves a step one place up (-1) or down (1) in its list, and from the end of an arm out of it. Unchanged at
 * the ends of the flow.
 */
export function moveStep(steps: Steps, path: string, by: -1 | 1): EditedSteps {
  const step = stepAt(steps, path)
  const { list, index } = placeOf(path)
  const length = listAt(steps, list)?.length ?? 0
  if (step === undefined) return { steps, path }
  const to = index + by
  const without = withList(steps, list, (inside) => inside.toSpliced(index, 1))
  if (to >= 0 && to < length) return insertStep(without, pathOf({ list, index: to }), step)
  const owner = ownerOf(list)
  if (owner === undefined) return { steps, path }
  const outside = placeOf(owner)
  const out = { ...outside, index: by === -1 ? outside.index : outside.index + 1 }
  return insertStep(without, pathOf(out), step)
}
