// The answers of reads about people: funnels, the people of a funnel, retention.
import { optional, Type } from '@keelson/sdk'
import { type Answer, count, date, flag, numberOrNull, oneOf, text, textOrNull } from './parts.ts'
import { missing } from './reads.ts'

export const COHORT_INTERVALS = ['day', 'week', 'month'] as const
export type RetentionInterval = (typeof COHORT_INTERVALS)[number]

const stageSchema = Type.Object(
  {
    order: count('From 1.'),
    key: text(),
    as: text(),
    label: text(),
    description: optional(text()),
    subjects: count(),
    pctOfFirst: numberOrNull('0 to 100, not rounded.'),
    pctOfPrevious: numberOrNull(),
    medianDaysFromAnchor: numberOrNull(),
    medianDaysFromPrevious: numberOrNull(),
    notReached: count('Had the stage before, not this one.'),
    stalledAt: numberOrNull('Had this stage, not the next. null at the end.')
  },
  { title: 'FunnelStage' }
)
export type FunnelStage = Answer<typeof stageSchema>

const exitSchema = Type.Object({ key: text(), as: text(), label: text(), subjects: count() })
export type FunnelExit = Answer<typeof exitSchema>

const sliceSchema = Type.Object({
  at: date(),
  subjects: count(),
  stages: Type.Array(stageSchema)
})
export type FunnelSlice = Answer<typeof sliceSchema>

const funnelGroupSchema = Type.Object({
  value: textOrNull('null: people without the value.'),
  subjects: count(),
  stages: Type.Array(stageSchema)
})
export type FunnelGroup = Answer<typeof funnelGroupSchema>

export const funnelSchema = Type.Object(
  {
    cohortSubjects: count(),
    first: count(),
    stages: Type.Array(stageSchema),
    exits: Type.Array(exitSchema),
    slices: Type.Unsafe<FunnelSlice[] | null>({
      type: ['array', 'null'],
      items: sliceSchema,
      description: 'The cohort by `interval`; null without one.'
    }),
    groups: optional(
      Type.Array(funnelGroupSchema, {
        description: 'The cohort by the value of `by`, the largest first; present with it.'
      })
    ),
    truncated: flag('The cohort hit its cap: every number is an undercount.'),
    cohort: Type.Object({
      from: date(),
      to: date(),
      endInclusive: flag(),
      anchor: text()
    }),
    dataSource: oneOf(['rollups'])
  },
  { title: 'Funnel' }
)
export type FunnelResult = Answer<typeof funnelSchema>

export const eventFunnelSchema = Type.Object(
  {
    people: count('Who did the first step in the range.'),
    stages: Type.Array(stageSchema),
    groups: optional(
      Type.Array(funnelGroupSchema, {
        description: 'By the value of `by` of the first step, the largest first; present with it.'
      })
    ),
    order: oneOf(['strict', 'any']),
    windowMs: numberOrNull('From the first step to the last; null: any.'),
    cohort: Type.Object({ from: date(), to: date() }),
    truncated: flag('Only the newest records were read: every number is an undercount.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'EventFunnel' }
)
export type EventFunnelResult = Answer<typeof eventFunnelSchema>

const personSchema = Type.Object({
  tenantId: text(),
  ref: text(),
  anchorAt: date('When the subject joined the cohort.'),
  last: text('The last stage reached.'),
  lastAt: date()
})
export type FunnelPerson = Answer<typeof personSchema>

export const funnelPeopleSchema = Type.Object(
  {
    people: Type.Array(personSchema, { description: 'The newest members first, at most 500.' }),
    total: count('How many there are in the cohort.'),
    truncated: flag('The cohort hit its cap: the total is an undercount.'),
    dataSource: oneOf(['rollups'])
  },
  { title: 'FunnelPeople' }
)
export type FunnelPeopleResult = Answer<typeof funnelPeopleSchema>

const cohortSchema = Type.Object({
  at: date('Start of the period.'),
  subjects: count(),
  active: Type.Array(Type.Number(), {
    description: "Active members in the cohort's own period, the next, and so on up to now."
  })
})
export type RetentionCohort = Answer<typeof cohortSchema>

export const retentionSchema = Type.Object(
  {
    cohorts: Type.Array(cohortSchema, {
      description: 'Ascending; periods without subjects are left out.'
    }),
    interval: oneOf(COHORT_INTERVALS),
    truncated: flag('The cohort or its activity hit a cap: every number is an undercount.'),
    dataSource: oneOf(['rollups'])
  },
  { title: 'Retention' }
)
export type RetentionResult = Answer<typeof retentionSchema>

export const eventRetentionSchema = Type.Object(
  {
    cohorts: Type.Array(cohortSchema, {
      description: 'Ascending; periods without people are left out.'
    }),
    interval: oneOf(COHORT_INTERVALS),
    truncated: flag('Only the newest records were read: every number is an undercount.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'EventRetention' }
)
export type EventRetentionResult = Answer<typeof eventRetentionSchema>
