// A broadcast as the agent API answers it: within an object, its progress beside it.
import { type BroadcastRow, broadcastDetailSchema, broadcastSchema } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { counts } from './shapes.ts'

const { stats, capProgress, retryable, waiting, variants } = broadcastDetailSchema.properties

/** A broadcast that was made or changed. */
export const changedBroadcastSchema = Type.Object(
  { broadcast: broadcastSchema },
  { title: 'AgentBroadcast' }
)

/** A broadcast with its progress. */
export const broadcastProgressSchema = Type.Object(
  {
    broadcast: broadcastSchema,
    stats,
    statusBreakdown: counts,
    capProgress,
    retryable,
    waiting,
    variants,
    stopRules: broadcastSchema.properties.stopRules
  },
  { title: 'AgentBroadcastProgress' }
)

/** A row of the mailer; rows of before have no revision. */
export const broadcastAnswer = (
  broadcast: BroadcastRow
): BroadcastRow & { readonly revision: number } => ({ revision: 0, ...broadcast })
