// Variables of the host for one mail.

import type { MailContact } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { resolveVariables } from './resolve-variables.ts'

type Roots = Readonly<Record<string, unknown>>

/**
 * Empty when the host has no adapter for variables.
 *
 * @throws MLR_VARIABLES, and the mail is tried again: the host may be away for a while
 */
export async function hostRoots(
  context: MailerContext,
  contact: MailContact,
  { templateSlug, flowSlug, campaign, event }: SendRow
): Promise<Roots> {
  const resolved = await resolveVariables(context, contact, {
    reason: 'send',
    templateSlug,
    ...(flowSlug !== undefined && { flowSlug }),
    ...(campaign !== undefined && { campaign }),
    ...(event !== undefined && { eventName: event.name, eventProperties: event.properties })
  })
  if (resolved.ok) return resolved.roots
  throw errors.MLR_VARIABLES({ problem: resolved.message })
}
