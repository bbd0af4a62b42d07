// Broadcasts as the admin API answers them.
import type { AsJson } from '@keelson/ui'
import type { MailCounts } from '../../campaigns/broadcasts/count-mails.ts'
import type {
  BroadcastDetail,
  RecipientOutcome
} from '../../campaigns/broadcasts/read-broadcasts.ts'
import type { BroadcastRow, BroadcastStatus } from '../../ledger/broadcast-row.ts'

/** A broadcast in the list. */
export type BroadcastLine = AsJson<Omit<BroadcastRow, 'segmentDefinition'>> & {
  readonly segmentDefinition: unknown
}

/** A broadcast with its progress. */
export type BroadcastAnswer = BroadcastLine & AsJson<Omit<BroadcastDetail, 'broadcast'>>

/** `GET …/results`. */
export interface ResultsAnswer {
  readonly total: MailCounts
  readonly variants?: readonly (MailCounts & {
    readonly name: string
    readonly templateSlug: string
    readonly isWinner: boolean
  })[]
}

/** `POST …/segment/count`. */
export interface CountAnswer {
  readonly recipientCount: number
  readonly uncappedRecipientCount: number
  readonly eligible: number
  readonly alreadySent: number
  readonly heldSends: number
  readonly computedMs: number
}

/** What became of a recipient. */
export type RecipientAnswer = AsJson<RecipientOutcome>

/** The colour of a status. */
export const STATUS_TONES: Readonly<Record<BroadcastStatus, string>> = {
  draft: '',
  scheduled: 'info',
  sending: 'accent',
  paused: 'warn',
  sent: 'good',
  cancelled: '',
  failed: 'bad'
}
