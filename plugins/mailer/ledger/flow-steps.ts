// The steps of a flow and the predicates in them: schemas first, types derived.
import { closed, type Static, Type } from '@keelson/sdk'
import { delivery } from '@keelson/sdk/delivery-window'

const slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 128 })
const name = Type.String({ minLength: 1, maxLength: 128 })
/** A name that a query could read as a path or an operator is refused. */
const propertyName = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^$.]+$' })
const data = Type.Record(Type.String({ maxLength: 128 }), Type.Unknown())

const since = {
  /** Only what happened since the run began. */
  sinceFlowStart: Type.Optional(Type.Boolean()),
  withinDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 }))
}
const engagement = Type.Object(
  { templateSlug: Type.Optional(slug), ...since },
  { ...closed, description: 'Of which template, and since when; of any template when left out.' }
)
const engagementCount = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: 1000 }),
    templateSlug: Type.Optional(slug),
    ...since
  },
  closed
)

/** What a predicate of one kind needs; `all`, `any` and `not` are added below. */
const leafPredicates = [
  Type.Object({ hasTag: name }, closed),
  Type.Object({ notHasTag: name }, closed),
  Type.Object({ fieldEquals: Type.Object({ field: name, value: Type.Unknown() }, closed) }, closed),
  Type.Object({ fieldExists: name }, closed),
  Type.Object(
    { triggerPropertyEquals: Type.Object({ property: name, value: Type.Unknown() }, closed) },
    closed
  ),
  Type.Object({ triggerPropertyTruthy: name }, closed),
  Type.Object({ hasFiredEvent: name, ...since }, closed),
  Type.Object({ notHasFiredEvent: name, ...since }, closed),
  Type.Object(
    {
      subscriptionStatus: Type.Enum([
        'subscribed',
        'pending_doi',
        'unsubscribed',
        'bounced',
        'complained'
      ])
    },
    closed
  ),
  Type.Object({ hasOpened: engagement }, closed),
  Type.Object({ hasClicked: engagement }, closed),
  Type.Object({ hasOpenedExcludingBots: engagement }, closed),
  Type.Object({ hasClickedExcludingBots: engagement }, closed),
  Type.Object({ openedAtLeastN: engagementCount }, closed),
  Type.Object({ clickedAtLeastN: engagementCount }, closed)
] as const

/** A predicate that needs no other. */
export type LeafPredicate = Static<(typeof leafPredicates)[number]>

/** A question about a contact, their run and what they did. */
export type Predicate =
  | LeafPredicate
  | { readonly all: readonly Predicate[] }
  | { readonly any: readonly Predicate[] }
  | { readonly not: Predicate }

const duration = {
  value: Type.Integer({ minimum: 1, maximum: 100_000 }),
  unit: Type.Enum(['minutes', 'hours', 'days', 'weeks'])
}

/** Steps without steps inside. */
const plainSteps = [
  Type.Object({ type: Type.Literal('wait'), ...duration }, closed),
  Type.Object(
    {
      type: Type.Literal('waitUntil'),
      /** A time, or the name of a trigger property or contact field that holds one. */
      at: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      property: Type.Optional(name),
      field: Type.Optional(name),
      delivery: Type.Optional(delivery)
    },
    closed
  ),
  Type.Object(
    {
      type: Type.Literal('send'),
      templateSlug: slug,
      providerOverride: Type.Optional(name),
      vars: Type.Optional(data),
      delivery: Type.Optional(delivery)
    },
    closed
  ),
  Type.Object(
    {
      type: Type.Literal('tag'),
      addTags: Type.Optional(Type.Array(name, { maxItems: 50 })),
      removeTags: Type.Optional(Type.Array(name, { maxItems: 50 }))
    },
    closed
  ),
  Type.Object(
    { type: Type.Literal('fire_event'), eventName: name, properties: Type.Optional(data) },
    closed
  ),
  Type.Object(
    {
      type: Type.Literal('webhook'),
      url: Type.String({ pattern: '^https?://', maxLength: 2048 }),
      method: Type.Optional(Type.Enum(['POST', 'PUT'])),
      payload: Type.Optional(data),
      failureMode: Type.Optional(Type.Enum(['soft', 'fail_run']))
    },
    closed
  ),
  Type.Object({ type: Type.Literal('exit'), reason: Type.Optional(name) }, closed)
] as const

/** A step without steps inside. */
export type PlainStep = Static<(typeof plainSteps)[number]>

/** A condition: the run exits, or skips exactly one step, when the test fails. */
export interface ConditionStep {
  readonly type: 'condition'
  readonly test: Predicate
  readonly ifFalse: 'continue' | 'exit'
}

/** A branch: one arm runs, then the steps behind it. */
export interface BranchStep {
  readonly type: 'branch'
  readonly test: Predicate
  readonly ifTrueSteps: readonly FlowStep[]
  readonly ifFalseSteps?: readonly FlowStep[]
}

/** Which event a run waits for: one whose property has the value of the event that started the run. */
export const eventMatch = Type.Object(
  {
    property: propertyName,
    /** Of the event that started the run. Default: the same name. Without a value there none comes. */
    triggerProperty: Type.Optional(propertyName)
  },
  closed
)

/** Waits for an event of the contact; the timeout arm runs when it does not come in time. */
export interface WaitForEventStep {
  readonly type: 'waitForEvent'
  readonly eventName: string
  readonly match?: Static<typeof eventMatch>
  readonly timeout: {
    readonly value: number
    readonly unit: 'minutes' | 'hours' | 'days' | 'weeks'
  }
  readonly timeoutSteps?: readonly FlowStep[]
}

/** Splits contacts by percentages that add up to 100; a contact always takes the same arm of a flow. */
export interface SplitStep {
  readonly type: 'split'
  readonly arms: readonly {
    readonly name: string
    readonly percent: number
    readonly steps: readonly FlowStep[]
  }[]
}

/** One step of a flow. */
export type FlowStep = PlainStep | ConditionStep | BranchStep | WaitForEventStep | SplitStep

/** Steps of a flow: at most 50 in a list, arms at most 5 deep (checked by `checkSteps`). */
export const flowSteps = Type.Cyclic(
  {
    Predicate: Type.Union([
      ...leafPredicates,
      Type.Object(
        { all: Type.Array(Type.Ref('Predicate'), { minItems: 1, maxItems: 50 }) },
        closed
      ),
      Type.Object(
        { any: Type.Array(Type.Ref('Predicate'), { minItems: 1, maxItems: 50 }) },
        closed
      ),
      Type.Object({ not: Type.Ref('Predicate') }, closed)
    ]),
    Step: Type.Union([
      ...plainSteps,
      Type.Object(
        {
          type: Type.Literal('condition'),
          test: Type.Ref('Predicate'),
          ifFalse: Type.Enum(['continue', 'exit'])
        },
        closed
      ),
      Type.Object(
        {
          type: Type.Literal('branch'),
          test: Type.Ref('Predicate'),
          ifTrueSteps: Type.Ref('Steps'),
          ifFalseSteps: Type.Optional(Type.Ref('Steps'))
        },
        closed
      ),
      Type.Object(
        {
          type: Type.Literal('waitForEvent'),
          eventName: name,
          match: Type.Optional(eventMatch),
          timeout: Type.Object(duration, closed),
          timeoutSteps: Type.Optional(Type.Ref('Steps'))
        },
        closed
      ),
      Type.Object(
        {
          type: Type.Literal('split'),
          arms: Type.Array(
            Type.Object(
              {
                name,
                percent: Type.Number({ minimum: 0, maximum: 100 }),
                steps: Type.Ref('Steps')
              },
              closed
            ),
            { minItems: 2, maxItems: 10 }
          )
        },
        closed
      )
    ]),
    Steps: Type.Array(Type.Ref('Step'), { maxItems: 50 })
  },
  'Steps'
)
