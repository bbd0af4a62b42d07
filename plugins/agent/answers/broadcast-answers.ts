// A broadcast as the agent API answers it: within an object, its progress beside it.
import type { MailerAnswer } from '@keelson/mailer/contracts'
import { Type } from '@keelson/sdk'
import type { TObject, TOptional, TUnsafe } from '@keelson/sdk/typebox'
import type { MailerSchemas } from './mailer-schemas.ts'
import { counts } from './shapes.ts'

/** A broadcast. */
export type Broadcast = MailerAnswer<'mailer.broadcasts.create'>

type Detail = MailerAnswer<'mailer.broadcasts.read'>

/** A broadcast. */
export const broadcastSchema = (mailer: MailerSchemas): TUnsafe<Broadcast> =>
  mailer.answer('mailer.broadcasts.create')

/** A broadcast that was made or changed. */
export const changedBroadcastSchema = (
  mailer: MailerSchemas
): TObject<{ broadcast: TUnsafe<Broadcast> }> =>
  Type.Object({ broadcast: broadcastSchema(mailer) }, { title: 'AgentBroadcast' })

/** A broadcast with its progress. */
export function broadcastProgressSchema(mailer: MailerSchemas): TObject<{
  broadcast: TUnsafe<Broadcast>
  stats: TUnsafe<Detail['stats']>
  statusBreakdown: typeof counts
  capProgress: TUnsafe<Detail['capProgress']>
  retryable: TUnsafe<number>
  waiting: TUnsafe<Detail['waiting']>
  variants: TOptional<TUnsafe<NonNullable<Detail['variants']>>>
  stopRules: TUnsafe<Detail['stopRules']>
}> {
  const id = 'mailer.broadcasts.read'
  return Type.Object(
    {
      broadcast: broadcastSchema(mailer),
      stats: mailer.answerField(id, 'stats'),
      statusBreakdown: counts,
      capProgress: mailer.answerField(id, 'capProgress'),
      retryable: mailer.answerField(id, 'retryable'),
      waiting: mailer.answerField(id, 'waiting'),
      variants: Type.Optional(mailer.answerField(id, 'variants')),
      stopRules: mailer.answerField(id, 'stopRules')
    },
    { title: 'AgentBroadcastProgress' }
  )
}
