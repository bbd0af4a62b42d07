// Every address that the mailer knows of a contact.

import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'

/**
 * The address of the adapter and those stored with the contact's subscription, mails and runs. One that
 * meanwhile belongs to another contact is left out.
 */
export async function contactAddresses(
  { adapter, collections }: MailerContext,
  externalId: string
): Promise<readonly string[]> {
  const { subscriptions, sends, flowRuns } = collections
  const contact = await adapter.getById(externalId)
  const subscription = await subscriptions.findOne({ externalId })
  const stored: readonly unknown[] = [
    subscription?.emailAtSubscribe,
    ...(await sends.distinct('emailAtSend', { externalId })),
    ...(await flowRuns.distinct('emailAtEntry', { externalId }))
  ]
  const own = isMailable(contact?.email) ? [normalAddress(contact.email)] : []
  const earlier = new Set(stored.filter(isMailable).map(normalAddress))
  for (const email of [...earlier].filter((one) => !own.includes(one))) {
    const owner = await adapter.getByEmail(email)
    if (owner === null || owner.externalId === externalId) own.push(email)
  }
  return own
}
