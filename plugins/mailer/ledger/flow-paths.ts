// Where a run is: a step by its index, with the arms that lead to it, as `2.true.0`. Pure.
import type { FlowStep } from './flow-steps.ts'

/** The first step of every flow. */
export const FIRST_PATH = '0'

interface Place {
  readonly list: readonly FlowStep[]
  readonly index: number
}

/** Named arms of a step: those of a split by their place. */
export function armsOf(step: FlowStep): readonly (readonly [string, readonly FlowStep[]])[] {
  switch (step.type) {
    case 'branch':
      return [
        ['true', step.ifTrueSteps],
        ['false', step.ifFalseSteps ?? []]
      ]
    case 'waitForEvent':
      return [['timeout', step.timeoutSteps ?? []]]
    case 'split':
      return step.arms.map(({ steps }, at) => [String(at), steps] as const)
    default:
      return []
  }
}

/** The step at a path; undefined when the path leads nowhere. */
export function stepAt(steps: readonly FlowStep[], path: string): FlowStep | undefined {
  const place = placesOn(steps, path)?.at(-1)
  return place?.list[place.index]
}

/**
 * The path `by` steps further in the same list, or behind the step whose arm ends there; undefined at the
 * end of the flow.
 */
export function pathAfter(steps: readonly FlowStep[], path: string, by = 1): string | undefined {
  const places = placesOn(steps, path)
  if (places === undefined) return undefined
  const segments = path.split('.')
  let step = by
  for (let depth = places.length - 1; depth >= 0; depth--) {
    const { list, index } = places[depth] as Place
    const next = index + step
    if (next < list.length) return [...segments.slice(0, depth * 2), next].join('.')
    step = 1
  }
  return undefined
}

/** The first step of an arm, or what comes behind the step when the arm is empty. */
export function pathInto(
  steps: readonly FlowStep[],
  path: string,
  arm: string
): string | undefined {
  const inside = `${path}.${arm}.0`
  return stepAt(steps, inside) === undefined ? pathAfter(steps, path) : inside
}

/** Every step that a run at a path may still take, with the one at the path, whatever arms it goes through. */
export function* stepsFrom(steps: readonly FlowStep[], path: string): Generator<FlowStep> {
  const places = placesOn(steps, path) ?? []
  for (const [height, { list, index }] of places.reverse().entries()) {
    // Of the steps around the arm that it is in, only those behind.
    const first = height === 0 ? index : index + 1
    for (const [, step] of walkSteps(list.slice(first))) yield step
  }
}

/** The templates that steps send, each once. */
export function templatesOf(steps: Iterable<FlowStep>): readonly string[] {
  const slugs = [...steps].flatMap((step) => (step.type === 'send' ? [step.templateSlug] : []))
  return [...new Set(slugs)]
}

/** The lists that a path goes through, outermost first. */
function placesOn(steps: readonly FlowStep[], path: string): Place[] | undefined {
  const segments = path.split('.')
  const places: Place[] = []
  let list: readonly FlowStep[] | undefined = steps
  for (let at = 0; at < segments.length; at += 2) {
    const index = Number(segments[at])
    if (list === undefined || segments[at] === '' || !Number.isInteger(index)) return undefined
    places.push({ list, index })
    const step: FlowStep | undefined = list[index]
    const arm = segments[at + 1]
    list = step && armsOf(step).find(([name]) => name === arm)?.[1]
  }
  return segments.length % 2 === 0 ? undefined : places
}

/** Every step of a definition with its path, in the order of reading. */
export function* walkSteps(
  steps: readonly FlowStep[],
  prefix = ''
): Generator<readonly [path: string, step: FlowStep]> {
  for (const [index, step] of steps.entries()) {
    const path = `${prefix}${index}`
    yield [path, step]
    for (const [arm, inside] of armsOf(step)) yield* walkSteps(inside, `${path}.${arm}.`)
  }
}

/** What a step of a draft may have. */
type LooseStep = Partial<
  Record<'type' | 'ifTrueSteps' | 'ifFalseSteps' | 'timeoutSteps' | 'arms', unknown>
> | null

/** Steps with those in their arms; a draft may be unfinished, so what has no type is not counted. */
export function countSteps(steps: unknown): number {
  if (!Array.isArray(steps)) return 0
  const all = (steps as readonly LooseStep[]).filter((step) => typeof step?.type === 'string')
  const inArms = all.flatMap((step) => {
    const { ifTrueSteps, ifFalseSteps, timeoutSteps, arms } = step ?? {}
    const split = Array.isArray(arms) ? arms.map((arm) => arm?.steps) : []
    return [ifTrueSteps, ifFalseSteps, timeoutSteps, ...split]
  })
  return inArms.reduce<number>((sum, list) => sum + countSteps(list), all.length)
}
