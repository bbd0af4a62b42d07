// Alerts: what a rule says, and what is shown of rules, changes of state and previews.

import { closed, optional, Type } from '@keelson/sdk'
import type { TOptional, TString } from '@keelson/sdk/typebox'
import type { ExactFilter } from './filters.ts'
import { MEASURES } from './measures.ts'
import { METRIC_READS } from './metrics.ts'
import {
  type Answer,
  count,
  date,
  dateOrNull,
  flag,
  numberOrNull,
  oneOf,
  text,
  textOrNull
} from './parts.ts'

const short = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description !== undefined && { description }) })

/** Terms of equality that a signal of records may have. */
export const ALERT_FILTERS = [
  'kind',
  'name',
  'severity',
  'env',
  'service',
  'release',
  'subject',
  'fingerprint'
] as const satisfies readonly ExactFilter[]
export type AlertFilter = (typeof ALERT_FILTERS)[number]

/** Those of a signal of a metric: what else points have are attributes. */
export const METRIC_FILTERS = [
  'env',
  'service',
  'release'
] as const satisfies readonly AlertFilter[]

const filtersSchema = <F extends AlertFilter>(keys: readonly F[]) =>
  Type.Object(
    Object.fromEntries(keys.map((key) => [key, optional(short(500))])) as Record<
      F,
      TOptional<TString>
    >,
    closed
  )

const attrsSchema = Type.Record(short(200), short(1000), {
  maxProperties: 10,
  description: 'Attribute to value.'
})

const SUBJECT_TYPE = short(100, 'Only subjects of this type.')

export const signalSchema = Type.Union(
  [
    Type.Object(
      {
        source: Type.Literal('series'),
        filters: optional(filtersSchema(ALERT_FILTERS)),
        attrs: optional(attrsSchema),
        measure: optional(short(210, `Default count: ${MEASURES}.`)),
        by: optional(
          short(
            310,
            'One alert for each value of this: `service`, `release`, `attr:<key>` and what else a breakdown takes. Of the values with the most records, at most 50.'
          )
        )
      },
      closed
    ),
    Type.Object(
      {
        source: Type.Literal('metric'),
        metric: short(1000, 'The name of a metric that came over OTLP.'),
        measure: oneOf(
          METRIC_READS,
          'What its kind can say; `rate` is per second, over restarts too.'
        ),
        filters: optional(filtersSchema(METRIC_FILTERS)),
        attrs: optional(attrsSchema),
        by: optional(
          short(
            310,
            'One alert for each value of this: `attr:<key>`, `service` or `tenantId`. Of the values with the most points, at most 50.'
          )
        )
      },
      closed
    ),
    Type.Object(
      {
        source: Type.Literal('rollup'),
        as: short(200, 'A bucketed family. Windows are widened to whole buckets of it.'),
        dims: optional(
          Type.Array(short(500), {
            minItems: 1,
            maxItems: 100,
            description: 'Documents with any of these; all when left out.'
          })
        ),
        measure: optional(short(210, '`count` (default) or `sum:<metric>`.'))
      },
      closed
    ),
    Type.Object(
      {
        source: Type.Literal('distinct'),
        as: short(200, 'A bucketed family by subject alone.'),
        subjectType: optional(SUBJECT_TYPE)
      },
      closed
    ),
    Type.Object(
      {
        source: Type.Literal('funnel'),
        stages: Type.Array(short(200), {
          minItems: 1,
          maxItems: 12,
          description: 'Lifetime families by subject alone; the first is the anchor.'
        }),
        stage: optional(short(200, 'Whose number is watched; the last when left out.')),
        value: optional(
          Type.Union([
            Type.Literal('pctOfFirst'),
            Type.Literal('pctOfPrevious'),
            Type.Literal('subjects')
          ])
        ),
        subjectType: optional(SUBJECT_TYPE)
      },
      closed
    )
  ],
  { description: 'What a rule measures, over the window that ends now.' }
)
/** What a rule measures, over the window that ends now. */
export type AlertSignal = Answer<typeof signalSchema>

const conditionSchema = Type.Union(
  [
    Type.Object(
      {
        type: Type.Literal('threshold'),
        op: Type.Union([Type.Literal('above'), Type.Literal('below')]),
        value: Type.Number({ minimum: -1e15, maximum: 1e15 })
      },
      closed
    ),
    Type.Object(
      {
        type: Type.Literal('change'),
        op: Type.Union([Type.Literal('rise'), Type.Literal('drop')]),
        percent: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1_000_000,
          description:
            'Against the window before. From nothing to something is a rise beyond any percentage.'
        })
      },
      closed
    ),
    Type.Object(
      { type: Type.Literal('no-data', { description: 'Nothing was recorded in the window.' }) },
      closed
    )
  ],
  { description: 'When a rule fires.' }
)
/** When a rule fires. */
export type AlertCondition = Answer<typeof conditionSchema>

const deliverySchema = Type.Object(
  {
    webhook: optional(
      Type.Object(
        { url: short(2000) },
        {
          ...closed,
          description:
            'Posted to on firing and resolved, signed after the Standard Webhooks specification.'
        }
      )
    ),
    mail: optional(
      Type.Union(
        [
          Type.Object(
            {
              to: Type.Array(short(254), {
                minItems: 1,
                maxItems: 20,
                description: 'Addresses. The mail is one of ours, in plain text.'
              })
            },
            closed
          ),
          Type.Object(
            {
              templateSlug: short(120, 'A published template; its variable is `alert`.'),
              externalIds: Type.Array(short(200), {
                minItems: 1,
                maxItems: 20,
                description: 'Contacts by external id.'
              })
            },
            closed
          )
        ],
        { description: 'Sent with the mailer, when the host has one.' }
      )
    )
  },
  closed
)
export type AlertDelivery = Answer<typeof deliverySchema>

export const ruleSchema = Type.Object(
  {
    name: short(120, 'Unique within the tenant.'),
    description: optional(Type.String({ maxLength: 1000 })),
    enabled: optional(Type.Boolean({ description: 'Default true.' })),
    signal: signalSchema,
    condition: conditionSchema,
    windowMinutes: Type.Integer({ minimum: 5, maximum: 44_640, description: 'At most 31 days.' }),
    minimum: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description:
          'Records that the window must hold before a threshold or a change fires; points of a metric, people of a funnel or an activity. Default 1.'
      })
    ),
    deliver: optional(deliverySchema)
  },
  { ...closed, title: 'NewAlertRule' }
)
/** A rule as it is given. */
export type AlertRuleSpec = Answer<typeof ruleSchema>

/**
 * `ok`: the condition does not hold. `firing`: it holds. `resolved`: it held, and stopped within the last
 * window; then `ok` again.
 */
export const ALERT_STATES = ['ok', 'firing', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** A part of a stored rule: it was checked when it was saved, and is shown as it is. */
const asSaved = <T>(description: string) =>
  Type.Unsafe<T>({ type: 'object', additionalProperties: true, description })

export const alertRuleSchema = Type.Object(
  {
    id: text(),
    name: text(),
    enabled: flag(),
    tenantId: text(),
    description: text(),
    signal: asSaved<AlertSignal>('As given.'),
    condition: asSaved<AlertCondition>('As given.'),
    windowMinutes: count(),
    minimum: optional(count('As given.')),
    deliver: asSaved<AlertDelivery>('As given; of the webhook, only admins see the whole address.'),
    ownerRef: textOrNull(),
    createdAt: date(),
    updatedAt: date(),
    state: oneOf(ALERT_STATES),
    since: date('Since when it has been in this state.'),
    evaluatedAt: dateOrNull(),
    value: numberOrNull('What was measured last; null when there was nothing to measure.'),
    problem: textOrNull('Why it could not be evaluated last time; its state stays.'),
    groups: optional(
      Type.Array(
        Type.Object({
          group: text(),
          state: oneOf(ALERT_STATES),
          since: date(),
          value: numberOrNull()
        }),
        { description: 'Of a rule by group: the values that are firing or resolved.' }
      )
    )
  },
  { title: 'AlertRule' }
)
/** A rule as it is shown. */
export type AlertRule = Answer<typeof alertRuleSchema>

export const alertRulesSchema = Type.Object({ rules: Type.Array(alertRuleSchema) })

export const savedRuleSchema = Type.Object(
  {
    id: text(),
    webhookSecret: optional(text('Of a new webhook address; shown this once.'))
  },
  { title: 'SavedAlertRule' }
)

export const DELIVERY_STATES = ['due', 'sent', 'failed'] as const

const deliveryStateSchema = Type.Object({
  channel: oneOf(['webhook', 'mail']),
  target: text("The webhook's host, or a contact."),
  state: oneOf(DELIVERY_STATES),
  attempts: count(),
  problem: textOrNull('Why the last attempt failed.')
})
export type AlertDeliveryState = Answer<typeof deliveryStateSchema>

const alertChangeSchema = Type.Object(
  {
    id: text(),
    ruleId: text(),
    ruleName: text(),
    group: optional(text('Of a rule by group: the value it is about.')),
    tenantId: text(),
    at: date(),
    from: oneOf(ALERT_STATES),
    to: oneOf(ALERT_STATES),
    value: numberOrNull(),
    previous: numberOrNull('Of the window before, for rules against it.'),
    summary: text('One sentence for people.'),
    deliveries: Type.Array(deliveryStateSchema)
  },
  { title: 'AlertChange' }
)
/** A change of state. */
export type AlertChange = Answer<typeof alertChangeSchema>

export const alertChangesSchema = Type.Object({
  changes: Type.Array(alertChangeSchema, { description: 'Newest first.' })
})

export const alertPreviewSchema = Type.Object(
  {
    fired: count('How often it would have fired.'),
    changes: Type.Array(
      Type.Object({
        at: date(),
        from: oneOf(ALERT_STATES),
        to: oneOf(ALERT_STATES),
        value: numberOrNull(),
        group: optional(text('Of a rule by group.'))
      })
    ),
    points: Type.Array(Type.Object({ at: date(), value: numberOrNull() }), {
      description:
        'What evaluations would have measured, ascending; of many, one for each `stepMinutes`: the nearest to firing.'
    }),
    stepMinutes: count('Minutes between the points.'),
    truncated: flag('`from` was moved: the range held more evaluations than one preview makes.')
  },
  { title: 'AlertPreview' }
)
export type AlertPreview = Answer<typeof alertPreviewSchema>
