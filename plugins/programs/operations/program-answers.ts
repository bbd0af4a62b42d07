// What the operations of programs answer, written for their readers.
import { saidSchema, Type } from '@keelson/sdk'
import type { ProgramDefinition } from '../storage/definition.ts'
import type { ActionVerdict } from '../storage/program-state.ts'
import { time } from './program-operation.ts'

const optional = Type.Optional
const ownerProblem = optional(
  Type.String({
    description:
      'Its mails are held, because the person who let it send may no longer send. Only where one is read.'
  })
)
const count = Type.Integer()
const nullableNumber = Type.Union([Type.Number(), Type.Null()])
const text = Type.String()

const definition = Type.Unsafe<ProgramDefinition>(
  Type.Object(
    {
      trigger: Type.Object({ eventName: text, subjectProperty: optional(text) }),
      actions: Type.Array(
        Type.Object({ id: text, templateSlug: text }, { additionalProperties: true })
      )
    },
    { title: 'ProgramDefinition', additionalProperties: true }
  )
)

const head = {
  slug: text,
  name: text,
  description: optional(text),
  enabled: Type.Boolean(),
  enabledAt: optional(time),
  version: Type.Integer({ description: '0 until it is published.' }),
  revision: Type.Integer({ description: 'For `If-Match` of the next change.' }),
  publishedAt: optional(time),
  publishedBy: optional(text),
  createdAt: time,
  updatedAt: time
}

/** A program with what is published and its draft. */
export const programSchema = Type.Object(
  {
    ...head,
    ownerProblem,
    names: optional(
      Type.Object(
        { templates: Type.Record(text, text) },
        { description: 'By the slugs of what the definition mentions. Only where one is read.' }
      )
    ),
    definition: Type.Union([definition, Type.Null()]),
    draft: Type.Unknown({ description: 'A definition that may be unfinished; null without one.' })
  },
  { title: 'Program' }
)

/** A program in a list. */
export const programLineSchema = Type.Object(
  {
    ...head,
    hasDraft: Type.Boolean(),
    actionCount: Type.Integer({ description: 'Of what is published.' }),
    results: optional(
      Type.Object(
        {
          entered: count,
          completed: count,
          completedRate: nullableNumber,
          uplift: nullableNumber,
          mails: Type.Integer({ description: 'That a provider took.' })
        },
        {
          title: 'ProgramResults',
          description: 'Of the treatment; the holdout is in `uplift` alone.'
        }
      )
    )
  },
  { title: 'ProgramLine' }
)

/** A version as it was published. */
export const programVersionSchema = Type.Object(
  { version: count, publishedAt: time, publishedBy: text, definition },
  { title: 'ProgramVersion' }
)

/** What lint found. */
export const programIssuesSchema = Type.Object(
  {
    issues: Type.Array(
      Type.Object(
        { severity: Type.Enum(['error', 'warning']), path: text, message: text, said: saidSchema },
        { title: 'ProgramIssue' }
      )
    )
  },
  { title: 'ProgramIssues' }
)

/** Whether a run goes on. */
export const programRunStatusSchema = Type.Enum(['active', 'completed', 'exited', 'sunset'])
/** Subjects of the holdout are watched and get no mail. */
export const programArmSchema = Type.Enum(['treatment', 'holdout'])

const actionStatus = Type.Enum(['pending', 'satisfied', 'exhausted', 'cooldown'])
const actionState = Type.Object(
  {
    status: actionStatus,
    attempts: Type.Integer({ description: 'Mails that a provider took.' }),
    misses: Type.Integer({ description: 'Mails in a row that no provider took.' }),
    lastSentAt: optional(time),
    notBefore: optional(time),
    satisfiedAt: optional(time),
    cooldownUntil: optional(time)
  },
  { title: 'ProgramActionState' }
)

const runState = {
  status: programRunStatusSchema,
  arm: programArmSchema,
  enteredAt: time,
  actions: Type.Record(text, actionState, { description: 'By their ids.' }),
  mailsSinceProgress: count,
  lastSentAt: optional(time),
  lastProgressAt: optional(time),
  exitReason: optional(text),
  endedAt: optional(time)
}

const subject = { _id: text, programSlug: text, subjectId: text }

/** A subject in a list. */
export const programRunLineSchema = Type.Object(
  {
    ...subject,
    ...runState,
    actions: Type.Record(text, Type.Object({ status: actionStatus }), {
      description: 'By their ids.'
    })
  },
  { title: 'ProgramRunLine' }
)

/** A subject in a program. */
export const programRunSchema = Type.Object(
  {
    ...subject,
    ...runState,
    inFlight: optional(
      Type.Object(
        { actionId: text, sendIds: Type.Array(text) },
        { description: 'Mails that are on their way.' }
      )
    )
  },
  { title: 'ProgramRun' }
)

const decision = {
  at: time,
  kind: Type.Enum(['send', 'holdout', 'wait', 'completed', 'exited', 'sunset']),
  actionId: optional(text),
  reason: Type.String({ description: 'A code, as `next_best` or `min_gap`.' }),
  considered: Type.Unsafe<Readonly<Record<string, ActionVerdict>>>(
    Type.Record(text, text, { description: 'The verdict on each action, by its id.' })
  )
}

/** A run with its newest decisions. */
export const oneProgramRunSchema = Type.Object(
  {
    run: programRunSchema,
    decisions: Type.Array(
      Type.Object(
        { _id: text, version: count, ...decision, nextAt: optional(time) },
        { title: 'ProgramDecision' }
      )
    )
  },
  { title: 'ProgramRunWithDecisions' }
)

/** What a program would do with one subject. */
export const programSimulationSchema = Type.Object(
  {
    decisions: Type.Array(Type.Object(decision)),
    state: Type.Object(runState, { description: 'The subject in the end.' })
  },
  { title: 'ProgramSimulation' }
)

const armSchema = Type.Object(
  {
    runs: Type.Object({ active: count, completed: count, exited: count, sunset: count }),
    entered: count,
    completedRate: nullableNumber,
    actions: Type.Record(
      text,
      Type.Object(
        {
          pending: count,
          satisfied: count,
          exhausted: count,
          cooldown: count,
          attempts: Type.Integer({ description: 'Mails that providers took.' })
        },
        { title: 'ProgramActionCounts' }
      ),
      { description: 'By their ids.' }
    )
  },
  { title: 'ProgramArmStats' }
)

/** Both arms, and what the program adds. */
export const programStatsSchema = Type.Object(
  {
    arms: Type.Object({ treatment: armSchema, holdout: armSchema }),
    uplift: Type.Union([Type.Number(), Type.Null()], {
      description: 'completedRate of the treatment minus that of the holdout.'
    })
  },
  { title: 'ProgramStats' }
)
