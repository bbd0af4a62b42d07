// Delivers mails; what a provider certainly does not have may go to the one that takes over from it.
import { groupedBy } from '../../ledger/grouped-by.ts'
import { type Candidate, deliverAtPace } from './deliver-at-pace.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'

/** Ends when no mail has another provider to go to. */
export async function deliverWithFallbacks(
  batch: SendingBatch,
  mails: readonly Candidate[]
): Promise<void> {
  const { outlets } = batch
  let waiting = mails
  while (waiting.length > 0) {
    const byProvider = groupedBy(waiting, ({ provider }) => provider as string)
    // One that fails waits for the others: the batch must not end before their mails have results.
    const ended = await Promise.allSettled(
      [...byProvider].map(([name, group]) =>
        deliverAtPace(batch, group, outlets.get(name) as Outlet)
      )
    )
    waiting = ended.flatMap((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
  }
}
