// Tells batches under way, in any process, that something was paused or cancelled.
import type { MailerContext } from '../ledger/context.ts'
import { STOPS_ROW } from '../ledger/state-row.ts'

/** Call it after the pause is written: within a second, mails that no provider has are judged anew. */
export async function noteStop({ collections }: Pick<MailerContext, 'collections'>): Promise<void> {
  await collections.state.updateOne({ _id: STOPS_ROW }, { $inc: { changes: 1 } }, { upsert: true })
}
