// Takes back what a test left of a contact: runs, mails, events and suppressions, so that it can be tested again.
import { DURABLE } from '@keelson/sdk'
import { addressHashes } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import { type Author, resubscribe } from './subscribe.ts'

/** What is taken back; everything by default. */
export interface ResetOptions {
  readonly runs?: boolean
  readonly sends?: boolean
  /** All of them, or those with these names. */
  readonly events?: boolean | readonly string[]
  readonly suppressions?: boolean
  /** Subscribes the contact again. */
  readonly subscribe?: boolean
}

/** How many rows went. */
export interface Removed {
  readonly runs: number
  readonly sends: number
  readonly events: number
  readonly suppressions: number
}

/** For test contacts: an erased address stays erased. It may be called again after a crash. */
export async function resetContact(
  context: MailerContext,
  contact: { readonly externalId: string; readonly email: string },
  options: ResetOptions,
  author: Author
): Promise<Removed> {
  const { runs = true, sends = true, events = true, suppressions = true } = options
  const { externalId, email } = contact
  const { collections } = context
  const count = async (isWanted: boolean, remove: () => Promise<{ deletedCount: number }>) =>
    isWanted ? (await remove()).deletedCount : 0
  const named = Array.isArray(events) ? { name: { $in: [...events] } } : {}
  const emailHash = { $in: addressHashes(email) }
  const removed = {
    runs: await count(runs, () => collections.flowRuns.deleteMany({ externalId }, DURABLE)),
    sends: await count(sends, () => collections.sends.deleteMany({ externalId }, DURABLE)),
    events: await count(events !== false, () =>
      collections.events.deleteMany({ externalId, ...named }, DURABLE)
    ),
    suppressions: await count(suppressions, () =>
      collections.suppressions.deleteMany({ emailHash, reason: { $ne: 'gdpr_forget' } }, DURABLE)
    )
  }
  if (runs) await collections.flowMembers.deleteMany({ externalId }, DURABLE)
  if (options.subscribe !== false) {
    await resubscribe(context, { externalId, source: 'agent', scope: 'all' }, author)
  }
  const resource = { collection: collections.subscriptions.collectionName, id: externalId }
  await audit(context, { ...author, action: 'contact.reset', resource, after: removed })
  return removed
}
