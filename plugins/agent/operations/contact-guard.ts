// Finds the contact of a call, and holds the boundary of test contacts.

import type { MailContact } from '@keelson/mailer/contracts'
import type { Refused } from '@keelson/sdk'
import type { Acting } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import type { BoundaryRefusal } from '../boundary/test-contacts.ts'

/** A contact that may be acted on. */
export interface FoundContact {
  readonly ok: true
  readonly contact: MailContact
}

/** Words that the guard refuses with. */
export const TEST_CONTACT_FAULTS = [
  'contact_not_found',
  'test_contacts_not_configured',
  'not_a_test_contact'
] as const

/** The contact with this id. */
export async function contactOf(
  { host, actor }: Acting,
  externalId: string
): Promise<FoundContact | Refused<'contact_not_found'>> {
  const contact = await host.workbench.as(actor).contact(externalId)
  if (contact !== null) return { ok: true, contact }
  return refusals.refuse('contact_not_found', { message: `There is no contact ${externalId}.` })
}

/** The contact, if it is a test contact. */
export async function testContactOf(
  call: Acting,
  externalId: string
): Promise<FoundContact | Refused<'contact_not_found' | BoundaryRefusal>> {
  const { isConfigured, refusal } = call.host.boundary
  if (!isConfigured) return refusals.refuse('test_contacts_not_configured')
  const found = await contactOf(call, externalId)
  if (!found.ok) return found
  const word = refusal(found.contact.email)
  return word === undefined ? found : refusals.refuse(word)
}

/** A contact as answers name it. */
export const contactReference = ({ externalId, email }: MailContact) => ({ externalId, email })
