// What is wrong with the steps of a flow, found before they are published. Pure.
import { schemaFault } from '@keelson/sdk'
import { type DeliveryWindow, timeOf } from '@keelson/sdk/delivery-window'
import { isTimeZone } from '@keelson/sdk/zoned-time'
import { walkSteps } from '../../../ledger/flow-paths.ts'
import { type FlowStep, flowSteps, type Predicate } from '../../../ledger/flow-steps.ts'

/** A fault of a definition, and the step that has it. */
export interface StepFault {
  readonly path: string
  readonly message: string
}

/** How large a definition may be. */
export const STEP_LIMITS = { depth: 5, steps: 500, predicateDepth: 10 } as const

/** Percentages with fractions may not add up to exactly 100. */
const ROUNDING = 0.01

/** Every fault of `steps`, an unknown value. `templates` holds the slugs that are published. */
export function checkSteps(steps: unknown, templates: ReadonlySet<string>): readonly StepFault[] {
  if (!isFlat(steps)) return [{ path: '', message: `Arms are at most ${STEP_LIMITS.depth} deep.` }]
  const fault = schemaFault(flowSteps, steps)
  if (fault !== undefined)
    return [{ path: fault.path, message: `Step ${fault.path} ${fault.problem}.` }]
  const all = [...walkSteps(steps as readonly FlowStep[])]
  if (all.length > STEP_LIMITS.steps)
    return [{ path: '', message: `A flow has at most ${STEP_LIMITS.steps} steps.` }]
  return all.flatMap(([path, step]) =>
    faultsOf(step, templates).map((message) => ({ path, message: `Step ${path}: ${message}` }))
  )
}

function faultsOf(step: FlowStep, templates: ReadonlySet<string>): readonly string[] {
  switch (step.type) {
    case 'send':
      return [
        ...(templates.has(step.templateSlug)
          ? []
          : [`the template ${step.templateSlug} is not published.`]),
        ...zoneFaults(step.delivery)
      ]
    case 'waitUntil':
      return [...waitFaults(step), ...zoneFaults(step.delivery)]
    case 'split':
      return splitFaults(step.arms)
    case 'condition':
    case 'branch':
      return depthOf(step.test) > STEP_LIMITS.predicateDepth
        ? [`predicates are at most ${STEP_LIMITS.predicateDepth} deep.`]
        : []
    default:
      return []
  }
}

function splitFaults(arms: readonly { readonly name: string; readonly percent: number }[]) {
  const sum = arms.reduce((total, { percent }) => total + percent, 0)
  const names = arms.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return [
    ...(Math.abs(sum - 100) > ROUNDING ? [`the percentages add up to ${sum}, expected 100.`] : []),
    ...(twice === undefined ? [] : [`two arms have the name ${twice}.`])
  ]
}

function waitFaults(step: Extract<FlowStep, { readonly type: 'waitUntil' }>): readonly string[] {
  const times = [step.at, step.property, step.field].filter((time) => time !== undefined)
  if (times.length > 1) return ['only one of at, property and field is possible.']
  if (times.length === 0 && step.delivery === undefined)
    return ['one of at, property, field and delivery is missing.']
  if (step.at !== undefined && timeOf(step.at, 'UTC') === undefined)
    return [`at must be a date or time, but is ${JSON.stringify(step.at)}.`]
  return []
}

function zoneFaults(window: DeliveryWindow | undefined): readonly string[] {
  const zone = window?.timezone
  return zone === undefined || isTimeZone(zone) ? [] : [`the time zone ${zone} is unknown.`]
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
