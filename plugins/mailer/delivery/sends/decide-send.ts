// Whether a mail may be handed over now: decided from what is known about it. Pure.
import type { MailContact } from '../../contracts/mailer-core.ts'
import { isMailable } from '../../ledger/address.ts'
import type { BroadcastStatus } from '../../ledger/broadcast-row.ts'
import type { SubscriptionRow, SuppressionRow } from '../../ledger/contact-rows.ts'
import type { PreparedTemplate } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { HandoffState } from '../../ledger/send-status.ts'

/** What is known about a mail when it is due. */
export interface SendFacts {
  readonly send: SendRow
  /** Undefined when the adapter does not have the contact. */
  readonly contact: MailContact | undefined
  /** Undefined when there is no published version. */
  readonly template: PreparedTemplate | undefined
  readonly subscription: SubscriptionRow | undefined
  /** What blocks the address, the kind and the category of this mail. */
  readonly suppression: SuppressionRow | undefined
  /** Of the broadcast that the mail belongs to. */
  readonly broadcastStatus: BroadcastStatus | undefined
  /** Undefined when the name that the mail asks for is not configured. */
  readonly provider: string | undefined
}

/** A mail that ends here, or waits until what holds it is resumed. */
export interface SendStop {
  readonly handoff: Extract<HandoffState, 'failed' | 'suppressed' | 'cancelled' | 'held'>
  /** A stable code, kept in `exitReason`. */
  readonly reason: string
  readonly message: string
}

/** Statuses of a subscription that marketing mail must not reach. */
const CLOSED: readonly (string | undefined)[] = [
  'unsubscribed',
  'pending_doi',
  'bounced',
  'complained'
]

/** Undefined when the mail may go on to gates, policy and rendering. */
export function stopOf(facts: SendFacts): SendStop | undefined {
  return broadcastStop(facts) ?? templateStop(facts) ?? recipientStop(facts) ?? providerStop(facts)
}

function broadcastStop({ send, broadcastStatus }: SendFacts): SendStop | undefined {
  if (send.broadcastId === undefined) return undefined
  if (broadcastStatus === 'cancelled' || broadcastStatus === undefined)
    return stop('cancelled', 'broadcast_cancelled', 'The broadcast was cancelled.')
  if (broadcastStatus === 'paused')
    return stop('held', 'broadcast_paused', 'The broadcast is paused.')
  return undefined
}

function recipientStop(facts: SendFacts): SendStop | undefined {
  const { send, contact, suppression, subscription } = facts
  if (send.operatorMail !== undefined) return undefined
  if (contact === undefined)
    return stop('failed', 'contact_missing', 'The contact adapter does not have this contact.')
  if (!isMailable(contact.email))
    return stop('failed', 'no_recipient', 'The contact has no valid email address.')
  if (suppression !== undefined)
    return stop('suppressed', suppression.reason, `Suppressed: ${suppression.scope}.`)
  // The host decides about its own mails; what the mailer sends by itself needs a subscription.
  const isCampaign = send.flowRunId !== undefined || send.broadcastId !== undefined
  if (send.kind === 'marketing' && isCampaign && subscription === undefined)
    return stop('suppressed', 'not_subscribed', 'The contact has no subscription.')
  if (send.kind === 'marketing' && CLOSED.includes(subscription?.status))
    return stop('suppressed', `${subscription?.status}`, `The contact is ${subscription?.status}.`)
  return undefined
}

/** Before the recipient: the kind of a mail without a template is not known. */
function templateStop({ send, template }: SendFacts): SendStop | undefined {
  if (template !== undefined || send.operatorMail !== undefined) return undefined
  return stop('failed', 'template_missing', `Template ${send.templateSlug} is not published.`)
}

function providerStop({ provider }: SendFacts): SendStop | undefined {
  if (provider !== undefined) return undefined
  return stop('failed', 'provider_unknown', 'The provider it asks for is not configured.')
}

function stop(handoff: SendStop['handoff'], reason: string, message: string): SendStop {
  return { handoff, reason, message }
}
