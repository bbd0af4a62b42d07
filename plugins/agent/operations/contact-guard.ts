// Finds the contact of a call, and holds the boundary of test contacts.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import { type Refusal, refused } from '../answers/refusal.ts'
import type { AgentContext } from './operation.ts'

/** A contact that may be acted on. */
export interface FoundContact {
  readonly ok: true
  readonly contact: MailContact
}

/** The contact with this id. */
export async function contactOf(
  { context }: AgentContext,
  externalId: string
): Promise<FoundContact | Refusal> {
  const contact = await context.adapter.getById(externalId)
  if (contact !== null) return { ok: true, contact }
  return refused('contact_not_found', { message: `There is no contact ${externalId}.` })
}

/** The contact, if it is a test contact. */
export async function testContactOf(
  agent: AgentContext,
  externalId: string
): Promise<FoundContact | Refusal> {
  if (!agent.boundary.isConfigured) return refused('test_contacts_not_configured')
  const found = await contactOf(agent, externalId)
  if (!found.ok) return found
  const refusal = agent.boundary.refusal(found.contact.email)
  return refusal === undefined ? found : refused(refusal)
}

/** A contact as answers name it. */
export const contactReference = ({ externalId, email }: MailContact) => ({ externalId, email })
