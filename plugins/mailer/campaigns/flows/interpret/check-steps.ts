// What is wrong with the steps of a flow, found before they are published. Pure.
import { schemaFault } from '@keelson/sdk'
import { type DeliveryWindow, timeOf } from '@keelson/sdk/delivery-window'
import { isTimeZone } from '@keelson/sdk/zoned-time'
import { walkSteps } from '../../../ledger/flow-paths.ts'
import { type FlowStep, flowSteps, type Predicate } from '../../../ledger/flow-steps.ts'

/** A fault of a definition, and the step that has it. */
export interface StepFault extends Fault {
  readonly path: string
}

/** What is wrong: a word and what it is about, for pages that say it in another language, and a sentence. */
interface Fault {
  readonly code: string
  readonly facts?: Readonly<Record<string, string | number>>
  readonly message: string
}

/** How large a definition may be. */
export const STEP_LIMITS = { depth: 5, steps: 500, predicateDepth: 10 } as const

/** Percentages with fractions may not add up to exactly 100. */
const ROUNDING = 0.01

/** Every fault of `steps`, an unknown value. `templates` holds the slugs that are published. */
export function checkSteps(steps: unknown, templates: ReadonlySet<string>): readonly StepFault[] {
  const { depth: most, steps: mostSteps } = STEP_LIMITS
  if (!isFlat(steps)) {
    return [
      { path: '', code: 'arms_deep', facts: { most }, message: `Arms are at most ${most} deep.` }
    ]
  }
  const fault = schemaFault(flowSteps, steps)
  if (fault !== undefined) {
    return [{ path: fault.path, code: 'schema', message: `Step ${fault.path} ${fault.problem}.` }]
  }
  const all = [...walkSteps(steps as readonly FlowStep[])]
  if (all.length > mostSteps) {
    const message = `A flow has at most ${mostSteps} steps.`
    return [{ path: '', code: 'steps_many', facts: { most: mostSteps }, message }]
  }
  return all.flatMap(([path, step]) =>
    faultsOf(step, templates).map((found) => ({
      ...found,
      path,
      message: `Step ${path}: ${found.message}`
    }))
  )
}

function faultsOf(step: FlowStep, templates: ReadonlySet<string>): readonly Fault[] {
  switch (step.type) {
    case 'send':
      return [
        ...(templates.has(step.templateSlug) ? [] : [unpublished(step.templateSlug)]),
        ...zoneFaults(step.delivery)
      ]
    case 'waitUntil':
      return [...waitFaults(step), ...zoneFaults(step.delivery)]
    case 'split':
      return splitFaults(step.arms)
    case 'condition':
    case 'branch':
      return depthOf(step.test) > STEP_LIMITS.predicateDepth ? [TOO_DEEP] : []
    default:
      return []
  }
}

const unpublished = (template: string): Fault => ({
  code: 'template_unpublished',
  facts: { template },
  message: `the template ${template} is not published.`
})

const TOO_DEEP: Fault = {
  code: 'rules_deep',
  facts: { most: STEP_LIMITS.predicateDepth },
  message: `predicates are at most ${STEP_LIMITS.predicateDepth} deep.`
}

function splitFaults(
  arms: readonly { readonly name: string; readonly percent: number }[]
): Fault[] {
  const sum = arms.reduce((total, { percent }) => total + percent, 0)
  const names = arms.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return [
    ...(Math.abs(sum - 100) > ROUNDING ? [badSum(sum)] : []),
    ...(twice === undefined ? [] : [usedTwice(twice)])
  ]
}

const badSum = (sum: number): Fault => ({
  code: 'shares_sum',
  facts: { sum },
  message: `the percentages add up to ${sum}, expected 100.`
})

const usedTwice = (name: string): Fault => ({
  code: 'arm_twice',
  facts: { name },
  message: `two arms have the name ${name}.`
})

const MANY_TIMES: Fault = {
  code: 'times_many',
  message: 'only one of at, property and field is possible.'
}

const NO_TIME: Fault = {
  code: 'times_missing',
  message: 'one of at, property, field and delivery is missing.'
}

function waitFaults(step: Extract<FlowStep, { readonly type: 'waitUntil' }>): readonly Fault[] {
  const times = [step.at, step.property, step.field].filter((time) => time !== undefined)
  if (times.length > 1) return [MANY_TIMES]
  if (times.length === 0 && step.delivery === undefined) return [NO_TIME]
  if (step.at !== undefined && timeOf(step.at, 'UTC') === undefined) {
    const message = `at must be a date or time, but is ${JSON.stringify(step.at)}.`
    return [{ code: 'time_invalid', facts: { value: step.at }, message }]
  }
  return []
}

function zoneFaults(window: DeliveryWindow | undefined): readonly Fault[] {
  const zone = window?.timezone
  if (zone === undefined || isTimeZone(zone)) return []
  return [{ code: 'zone_unknown', facts: { zone }, message: `the time zone ${zone} is unknown.` }]
}

function depthOf(predicate: Predicate): number {
  if ('all' in predicate) return 1 + Math.max(...predicate.all.map(depthOf))
  if ('any' in predicate) return 1 + Math.max(...predicate.any.map(depthOf))
  return 'not' in predicate ? 1 + depthOf(predicate.not) : 1
}

/** Checked before the schema, which has no limit of depth: every arm adds two levels of lists. */
function isFlat(value: unknown): boolean {
  const isWithin = (part: unknown, lists: number): boolean => {
    if (typeof part !== 'object' || part === null) return true
    const isSteps = Array.isArray(part) && part.some((one) => one?.type !== undefined)
    const inside = lists + (isSteps ? 1 : 0)
    return inside <= STEP_LIMITS.depth + 1
      ? Object.values(part).every((one) => isWithin(one, inside))
      : false
  }
  return isWithin(value, 0)
}
