// A broadcast as the agent API shows it.
import { stopRulesSchema } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { counts, integer, text, time } from './shapes.ts'

const optional = Type.Optional
const pause = Type.Object(
  { code: text, by: text, message: text, at: time },
  { title: 'AgentBroadcastPause' }
)

/** When a broadcast stops by itself. */
export const stopRulesAnswer = Type.Required(stopRulesSchema, { title: 'AgentStopRules' })

/** A broadcast. */
export const broadcastSchema = Type.Object(
  {
    slug: text,
    name: text,
    templateSlug: text,
    segmentDefinition: Type.Unknown({ description: 'Filters that contacts must match.' }),
    status: Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed']),
    scheduledAt: optional(time),
    expiresAt: optional(time),
    confirmedCount: optional(integer),
    recipientCount: optional(integer),
    queuedCount: integer,
    respectRecipientTimezone: Type.Boolean(),
    recipientCap: optional(integer),
    order: optional(Type.Object({ field: text, direction: text })),
    stopRules: stopRulesAnswer,
    splitTest: optional(
      Type.Object({
        variants: Type.Array(Type.Object({ name: text, templateSlug: text })),
        testPercent: Type.Number(),
        winner: text,
        decideAfterHours: Type.Number()
      })
    ),
    splitPhase: optional(text),
    winner: optional(text),
    pauses: optional(Type.Array(pause)),
    pauseReason: optional(pause),
    failure: optional(Type.Object({ code: text, message: text })),
    startedAt: optional(time),
    finishedAt: optional(time),
    createdBy: text,
    createdAt: time,
    updatedAt: time
  },
  { title: 'AgentBroadcast' }
)

/** A broadcast with its progress. */
export const broadcastDetailSchema = Type.Object(
  {
    broadcast: broadcastSchema,
    stats: Type.Object({ total: integer }),
    statusBreakdown: counts,
    capProgress: Type.Object({
      recipientCap: Type.Union([integer, Type.Null()]),
      sendsSoFar: integer,
      remaining: Type.Union([integer, Type.Null()])
    }),
    variants: optional(
      Type.Array(
        Type.Object({ name: text, templateSlug: text, handed: integer, reactions: integer })
      )
    ),
    stopRules: stopRulesAnswer
  },
  { title: 'AgentBroadcastDetail' }
)
