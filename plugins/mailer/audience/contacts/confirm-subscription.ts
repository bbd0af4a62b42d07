// Confirms a subscription under double opt-in, with the token of the confirmation mail.

import { systemActor } from '@keelson/sdk'
import { addressHashes } from '../../ledger/address.ts'
import type { SubscriptionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { appendSteps } from './consent-steps.ts'
import { tokenHash } from './decide-subscription.ts'
import { readConfirmation } from './unsubscribe-token.ts'

/** The contact confirms; the event that follows is the mailer's own. */
const DOUBLE_OPT_IN = systemActor('mailer', 'double-opt-in')

/** The reason of events that are parked until their contact confirms. */
export const AWAITS_CONFIRMATION = 'awaits_confirmation'

/** Where a confirmation token stands. `replaced`: a later mail has another one, or the contact left since. */
export type ConfirmationState = 'open' | 'already_confirmed' | 'replaced' | 'expired' | 'invalid'

/** From where a contact confirmed. */
export interface ConfirmationOrigin {
  readonly ip?: string
  readonly userAgent?: string
}

/** What a confirmation page shows; changes nothing. */
export async function readConfirmationState(
  context: MailerContext,
  token: string
): Promise<ConfirmationState> {
  return (await readState(context, token)).state
}

/**
 * Subscribes the contact that the token was made for, takes its unsubscribes back, fires `subscription.confirmed` and lets its waiting
 * events go on. `open` is never returned: the subscription is confirmed now, or the token cannot do it.
 */
export async function confirmSubscription(
  context: MailerContext,
  token: string,
  origin: ConfirmationOrigin = {}
): Promise<'confirmed' | Exclude<ConfirmationState, 'open'>> {
  const found = await readState(context, token)
  if (found.state !== 'open') return found.state
  const isConfirmed = await confirm(context, found.externalId, token, origin)
  return isConfirmed ? 'confirmed' : 'already_confirmed'
}

type Found =
  | { readonly state: 'open'; readonly externalId: string }
  | { readonly state: Exclude<ConfirmationState, 'open'> }

async function readState(
  { config, clock, collections }: MailerContext,
  token: string
): Promise<Found> {
  const { unsubscribeSecret } = config
  const externalId = readConfirmation(token, unsubscribeSecret, clock.now())
  if (externalId === undefined) {
    const isGenuine = readConfirmation(token, unsubscribeSecret, new Date(0)) !== undefined
    return { state: isGenuine ? 'expired' : 'invalid' }
  }
  const row = await collections.subscriptions.findOne({ externalId })
  const state = row === null ? 'invalid' : stateOf(row, token)
  return state === 'open' ? { state, externalId } : { state }
}

function stateOf({ status, doiTokenHash }: SubscriptionRow, token: string) {
  if (status === 'subscribed') return 'already_confirmed'
  return status === 'pending_doi' && doiTokenHash === tokenHash(token) ? 'open' : 'replaced'
}

async function confirm(
  context: MailerContext,
  externalId: string,
  token: string,
  { ip, userAgent }: ConfirmationOrigin
): Promise<boolean> {
  const { clock, collections, core, queues } = context
  const now = clock.now()
  const from = defined({ ip: ip?.slice(0, 64), userAgent: userAgent?.slice(0, 256) })
  return context.withTransaction(async (session) => {
    const confirmed = await collections.subscriptions.findOneAndUpdate(
      { externalId, status: 'pending_doi', doiTokenHash: tokenHash(token) },
      {
        $set: {
          status: 'subscribed',
          subscribedAt: now,
          doiConfirmedAt: now,
          updatedAt: now,
          resubscribed: { at: now, scope: 'marketing' },
          ...defined({ doiIp: from.ip, doiUserAgent: from.userAgent })
        },
        ...appendSteps([{ at: now, what: 'confirmed', ...from }])
      },
      { session }
    )
    if (confirmed === null) return false
    // Who confirms takes back that they left, as `resubscribe` does; bounces and complaints stay.
    await collections.suppressions.deleteMany(
      {
        emailHash: { $in: addressHashes(confirmed.emailAtSubscribe ?? '') },
        reason: 'unsubscribed',
        scope: { $in: ['marketing', 'all'] }
      },
      { session }
    )
    const key = `subscription.confirmed:${externalId}:${now.toISOString()}`
    await core
      .as(DOUBLE_OPT_IN)
      .fireFromSession(session, 'subscription.confirmed', externalId, {}, key)
    const parked = { externalId, reason: AWAITS_CONFIRMATION }
    await queues.events.reschedule(parked, { session })
    return true
  })
}
