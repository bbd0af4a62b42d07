// A program as its author writes it: schemas first, types derived.
import { closed, optional, type Static, Type } from '@keelson/sdk'
import { delivery } from '@keelson/sdk/delivery-window'
import { inputs } from './inputs.ts'

const fact = Type.String({ minLength: 1, maxLength: 128 })
const value = Type.Union([Type.String({ maxLength: 512 }), Type.Number(), Type.Boolean()])
const days = (maximum = 3650) => Type.Number({ minimum: 0, maximum })

/** A question about the facts of a subject. */
export type Condition =
  | { readonly fact: string; readonly equals: string | number | boolean }
  | { readonly fact: string; readonly in: readonly (string | number | boolean)[] }
  | { readonly fact: string; readonly atLeast: number }
  | { readonly fact: string; readonly atMost: number }
  | { readonly fact: string; readonly exists: boolean }
  /** A time of the past, at most so many days ago. */
  | { readonly fact: string; readonly withinDays: number }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }

const action = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 }),
    name: optional(Type.String({ maxLength: 200 })),
    templateSlug: inputs.slug,
    providerOverride: optional(Type.String({ minLength: 1, maxLength: 64 })),
    vars: optional(Type.Record(Type.String({ maxLength: 128 }), Type.Unknown())),
    /** The highest that may be sent goes first; of equals the first in the list. */
    priority: Type.Integer({ minimum: -1000, maximum: 1000 }),
    /** Default: always. */
    eligible: optional(Type.Ref('Condition')),
    /** Once it held, the action is done for good. */
    satisfied: Type.Ref('Condition'),
    /** Ids of actions that must be satisfied before. */
    requires: optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 })),
    /** Mails that a subject gets for it, and days between them. */
    attempts: Type.Object(
      { max: Type.Integer({ minimum: 1, maximum: 100 }), gapDays: optional(days()) },
      closed
    ),
    /** When no attempt is left: go on with other actions, or send nothing until it is satisfied. */
    onExhaust: optional(Type.Enum(['skip', 'hold'])),
    /** Days after which an exhausted action begins anew. Default: never. */
    cooldownDays: optional(days())
  },
  closed
)

const policy = Type.Object(
  {
    /** Between any two mails of the program. */
    minGapDays: optional(days()),
    /** After an action was satisfied. */
    progressGapDays: optional(days()),
    delivery: optional(delivery),
    /** No mail while the fact `lastSessionAt` is younger. */
    suppressIfSessionWithinHours: optional(Type.Number({ minimum: 0, maximum: 8760 })),
    /** Ends a run that leads nowhere. */
    sunset: optional(
      Type.Object(
        {
          /** After entry. */
          afterDays: optional(days()),
          /** Mails since the last action that was satisfied. */
          afterMails: optional(Type.Integer({ minimum: 1, maximum: 1000 }))
        },
        closed
      )
    ),
    /** How often facts are looked at when nothing else is due. Default 6. */
    checkEveryHours: optional(Type.Number({ minimum: 0.25, maximum: 720 }))
  },
  closed
)

const list = Type.Array(Type.Ref('Condition'), { minItems: 1, maxItems: 50 })

/** The schema of a definition. What it cannot say is checked by `lintProgram`. */
export const programDefinition = Type.Cyclic(
  {
    Condition: Type.Union([
      Type.Object({ fact, equals: value }, closed),
      Type.Object({ fact, in: Type.Array(value, { minItems: 1, maxItems: 200 }) }, closed),
      Type.Object({ fact, atLeast: Type.Number() }, closed),
      Type.Object({ fact, atMost: Type.Number() }, closed),
      Type.Object({ fact, exists: Type.Boolean() }, closed),
      Type.Object({ fact, withinDays: days() }, closed),
      Type.Object({ all: list }, closed),
      Type.Object({ any: list }, closed),
      Type.Object({ not: Type.Ref('Condition') }, closed)
    ]),
    Action: action,
    Program: Type.Object(
      {
        trigger: Type.Object(
          {
            eventName: inputs.eventName,
            /** Property of the event with the id of the subject. Default: the contact is the subject. */
            subjectProperty: optional(Type.String({ minLength: 1, maxLength: 128 }))
          },
          closed
        ),
        actions: Type.Array(Type.Ref('Action'), { minItems: 1, maxItems: 50 }),
        policy: optional(policy),
        /** Percent of subjects that are watched and get no mail, to measure what the program does. */
        holdoutPct: optional(Type.Number({ minimum: 0, maximum: 100 }))
      },
      closed
    )
  },
  'Program'
)

type Loose = Static<typeof action>

/** One thing that subjects are to do, and the mail that asks for it. */
export type ProgramAction = Omit<Loose, 'eligible' | 'satisfied'> & {
  readonly eligible?: Condition
  readonly satisfied: Condition
}

/** How often and when a program mails. */
export type ProgramPolicy = Static<typeof policy>

/** A program as its author writes it. */
export interface ProgramDefinition {
  readonly trigger: { readonly eventName: string; readonly subjectProperty?: string }
  readonly actions: readonly ProgramAction[]
  readonly policy?: ProgramPolicy
  readonly holdoutPct?: number
}
