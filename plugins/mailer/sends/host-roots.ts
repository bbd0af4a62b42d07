// Variables of the host for one mail.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { MailerContext } from '../context.ts'
import type { SendRow } from './send-row.ts'

type Roots = Readonly<Record<string, unknown>>

/** Empty when the host has no adapter for variables. @throws what the adapter throws. */
export async function hostRoots(
  { config }: MailerContext,
  contact: MailContact,
  { templateSlug, flowSlug, event }: SendRow
): Promise<Roots> {
  const { varsAdapter } = config
  if (varsAdapter === undefined) return {}
  return varsAdapter.resolve(contact, {
    reason: 'send',
    templateSlug,
    ...(flowSlug !== undefined && { flowSlug }),
    ...(event !== undefined && { eventName: event.name, eventProperties: event.properties })
  })
}
