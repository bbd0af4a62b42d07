// The steps of flows as forms: the fields of each type, a new step of each, and drafts made fit to be shown. Pure.
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { Field } from './fields.ts'

/** A type of steps. */
export type StepType = FlowStep['type']

const UNITS = ['minutes', 'hours', 'days', 'weeks']
const delivery: readonly Field[] = [
  { path: 'delivery.timeOfDay', kind: 'time', optional: true },
  { path: 'delivery.weekdaysOnly', kind: 'flag', optional: true },
  { path: 'delivery.useContactTimezone', kind: 'flag', optional: true },
  { path: 'delivery.timezone', kind: 'text', optional: true }
]

/** The fields of each type. Predicates and arms have their own forms. */
export const STEP_FIELDS: Readonly<Record<StepType, readonly Field[]>> = {
  send: [
    { path: 'templateSlug', kind: 'template' },
    ...delivery,
    { path: 'providerOverride', kind: 'text', optional: true },
    { path: 'vars', kind: 'json', optional: true }
  ],
  wait: [
    { path: 'value', kind: 'number' },
    { path: 'unit', kind: 'choice', options: UNITS }
  ],
  waitUntil: [
    { path: 'at', kind: 'text', optional: true },
    { path: 'property', kind: 'text', optional: true },
    { path: 'field', kind: 'text', optional: true },
    ...delivery
  ],
  waitForEvent: [
    { path: 'eventName', kind: 'event' },
    { path: 'match.property', kind: 'text', optional: true },
    { path: 'match.triggerProperty', kind: 'text', optional: true },
    { path: 'timeout.value', kind: 'number' },
    { path: 'timeout.unit', kind: 'choice', options: UNITS }
  ],
  condition: [{ path: 'ifFalse', kind: 'choice', options: ['exit', 'continue'] }],
  branch: [],
  split: [],
  tag: [
    { path: 'addTags', kind: 'list', optional: true },
    { path: 'removeTags', kind: 'list', optional: true }
  ],
  fire_event: [
    { path: 'eventName', kind: 'event' },
    { path: 'properties', kind: 'json', optional: true }
  ],
  webhook: [
    { path: 'url', kind: 'text' },
    { path: 'method', kind: 'choice', options: ['POST', 'PUT'], optional: true },
    { path: 'failureMode', kind: 'choice', options: ['soft', 'fail_run'], optional: true },
    { path: 'payload', kind: 'json', optional: true }
  ],
  exit: [{ path: 'reason', kind: 'text', optional: true }]
}

/** Every type, in the order in which they are offered. */
export const STEP_TYPES = Object.keys(STEP_FIELDS) as readonly StepType[]

/** A step of a type, to be filled in. */
export function newStep(type: StepType): FlowStep {
  switch (type) {
    case 'send':
      return { type, templateSlug: '' }
    case 'wait':
      return { type, value: 1, unit: 'days' }
    case 'waitUntil':
      return { type, delivery: { timeOfDay: '09:00', useContactTimezone: true } }
    case 'waitForEvent':
      return { type, eventName: '', timeout: { value: 3, unit: 'days' }, timeoutSteps: [] }
    case 'condition':
      return { type, test: { hasTag: '' }, ifFalse: 'exit' }
    case 'branch':
      return { type, test: { hasTag: '' }, ifTrueSteps: [], ifFalseSteps: [] }
    case 'split':
      return { type, arms: ['A', 'B'].map((name) => ({ name, percent: 50, steps: [] })) }
    case 'tag':
      return { type, addTags: [] }
    case 'fire_event':
      return { type, eventName: '' }
    case 'webhook':
      return { type, url: '' }
    case 'exit':
      return { type }
  }
}

/** Steps of a draft, which may be unfinished: those with a type, each with the lists that its type has. */
export function stepsOfDraft(draft: unknown): readonly FlowStep[] {
  if (!Array.isArray(draft)) return []
  return draft.flatMap((given: unknown) => {
    const step = given as { readonly type?: unknown } | null
    if (typeof step?.type !== 'string') return []
    return [withLists(step as FlowStep)]
  })
}

/** Lists that are missing are empty: they are drawn as places to add a step. */
function withLists(step: FlowStep): FlowStep {
  switch (step.type) {
    case 'branch': {
      const { ifTrueSteps, ifFalseSteps, ...rest } = step
      return {
        ...rest,
        ifTrueSteps: stepsOfDraft(ifTrueSteps),
        ...(ifFalseSteps !== undefined && { ifFalseSteps: stepsOfDraft(ifFalseSteps) })
      }
    }
    case 'waitForEvent':
      return {
        ...step,
        ...(step.timeoutSteps && { timeoutSteps: stepsOfDraft(step.timeoutSteps) })
      }
    case 'split': {
      const arms = Array.isArray(step.arms) ? step.arms : []
      return { ...step, arms: arms.map((arm) => ({ ...arm, steps: stepsOfDraft(arm.steps) })) }
    }
    default:
      return step
  }
}
