// What broadcasts, flows and other campaigns say about their mails before these leave.
import type { ItemResult } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { NamedHold } from './ask-gates.ts'

/** Asked with each batch. Results and holds are by the id of the send. */
export interface CampaignRules {
  /** Results of the mails that do not leave now, because their reason is gone. */
  results(
    context: MailerContext,
    sends: readonly SendRow[]
  ): Promise<ReadonlyMap<string, ItemResult>>
  /** Holds of the mails whose campaign may not send now. */
  holds(context: MailerContext, sends: readonly SendRow[]): Promise<ReadonlyMap<string, NamedHold>>
  /** Pauses a broadcast as a hold asks. Safe to repeat. */
  pause(context: MailerContext, broadcastId: string, hold: NamedHold): Promise<void>
}
