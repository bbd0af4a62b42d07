// Broadcasts as the admin API answers them, and the colours of their states.
import type { Static } from '@keelson/sdk'
import type {
  broadcastDetailSchema,
  broadcastLineSchema,
  broadcastSchema,
  leftOutSchema,
  recipientCountSchema,
  reportSchema,
  resultsSchema
} from '../../admin/broadcast-answers.ts'
import type { recipientSchema } from '../../admin/send-answers.ts'

/** A broadcast in the list. */
export type BroadcastLine = Static<typeof broadcastLineSchema>
/** A broadcast. */
export type Broadcast = Static<typeof broadcastSchema>
/** A broadcast with its progress. */
export type BroadcastDetail = Static<typeof broadcastDetailSchema>
/** How far its mails came. */
export type BroadcastResults = Static<typeof resultsSchema>
/** Links that were clicked, and what happened by the hour. */
export type BroadcastReport = Static<typeof reportSchema>
/** Who would be mailed. */
export type RecipientCount = Static<typeof recipientCountSchema>
/** What became of a recipient. */
export type Recipient = Static<typeof recipientSchema>

/** A contact that was left out. */
export type LeftOutContact = Static<typeof leftOutSchema>

/** The colour of a status. */
export const STATUS_TONES: Readonly<Record<Broadcast['status'], string>> = {
  draft: '',
  scheduled: 'info',
  sending: 'accent',
  paused: 'warn',
  sent: 'good',
  cancelled: '',
  failed: 'bad'
}
