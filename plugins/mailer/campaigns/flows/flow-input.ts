// What the operations on flows take, checked. Pure.
import { closed, type Static, schemaFault, type TSchema, Type } from '@keelson/sdk'
import { checkSegment } from '../../audience/segments/check-segment.ts'
import { inputs } from '../../ledger/checked-input.ts'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { type FlowRefusal, refused } from './flow-refusal.ts'

const once = Type.Optional(Type.Boolean())
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const trigger = Type.Union([
  Type.Object(
    { type: Type.Optional(Type.Literal('event')), eventName: inputs.eventName, once },
    closed
  ),
  Type.Object(
    { type: Type.Literal('segment_enter'), segmentDefinition: Type.Unknown(), once },
    closed
  ),
  Type.Object(
    {
      type: Type.Literal('cron'),
      cronExpression: Type.String({ minLength: 9, maxLength: 128 }),
      segmentDefinition: Type.Unknown(),
      once
    },
    closed
  )
])
const name = Type.String({ minLength: 1, maxLength: 200 })
const described = {
  description: text(2000),
  goal: text(500),
  audience: text(500),
  expectedVolumePerWeek: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))
}
/** Drafts may be unfinished: their steps are checked when they are published. */
const draftSteps = Type.Array(Type.Object({ type: Type.String({ maxLength: 32 }) }), {
  maxItems: 50
})

/** What a new flow is made from. A trigger without a type is an event. */
export const newFlow = Type.Object({ slug: inputs.slug, name, trigger, ...described }, closed)
/** A copy of a flow. Without a name: that of the flow, and "(copy)". */
export const flowCopy = Type.Object({ slug: inputs.slug, name: Type.Optional(name) }, closed)
/** What changes a flow: steps, trigger, goal and notes its draft, the rest at once. */
export const flowChange = Type.Object(
  {
    name: Type.Optional(name),
    trigger: Type.Optional(trigger),
    steps: Type.Optional(draftSteps),
    notes: text(10_000),
    ...described
  },
  closed
)

const MAX_DRAFT = 512 * 1024

/** The value, once it fits; else why not. */
export function checkInput<T extends TSchema>(
  schema: T,
  value: unknown
): { readonly ok: true; readonly value: Static<T> } | FlowRefusal<'validation_failed'> {
  const fault = schemaFault(schema, value)
  if (fault !== undefined)
    return refused('validation_failed', `${fault.path || 'The body'} ${fault.problem}.`)
  if (JSON.stringify(value).length > MAX_DRAFT)
    return refused('validation_failed', 'A flow takes at most 512 kB.')
  return { ok: true, value: value as Static<T> }
}

/** A trigger as stored; else why it cannot be used. `cronFault` says what is wrong with an expression. */
export function triggerOf(
  given: Static<typeof trigger>,
  cronFault: (expression: string) => string | undefined
): { readonly ok: true; readonly trigger: FlowTrigger } | FlowRefusal<'validation_failed'> {
  const { once: isOnce = false } = given
  if (!('segmentDefinition' in given))
    return { ok: true, trigger: { type: 'event', eventName: given.eventName, once: isOnce } }
  const segment = checkSegment(given.segmentDefinition)
  if (!segment.ok) return refused('validation_failed', segment.message)
  const fault = 'cronExpression' in given ? cronFault(given.cronExpression) : undefined
  if (fault !== undefined)
    return refused('validation_failed', `trigger.cronExpression is invalid: ${fault}.`)
  return { ok: true, trigger: { ...given, once: isOnce } }
}
