// Lists and searches contacts for operators.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { MailerContext } from '../context.ts'
import type { ContactPage } from './adapter.ts'
import { isMailable } from './address.ts'
import { withTags } from './tags.ts'

const MAX_LIMIT = 200

/** Which contacts to list. */
export interface ContactSearch {
  /** A whole id or address, any case; the page then has those contacts alone. */
  readonly search?: string
  /** At most and by default 200. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** A page of contacts with their tags, in the order of the adapter. */
export async function listContacts(
  context: MailerContext,
  { search = '', limit = MAX_LIMIT, cursor }: ContactSearch = {}
): Promise<ContactPage> {
  const text = search.trim()
  if (text !== '') return { contacts: await withTags(context, await find(context, text)) }
  const wanted = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_LIMIT)
  const query = { limit: wanted, ...(cursor !== undefined && { cursor }) }
  const { contacts, nextCursor } = await context.adapter.query({}, query)
  const tagged = await withTags(context, contacts)
  return nextCursor === undefined ? { contacts: tagged } : { contacts: tagged, nextCursor }
}

/** By id and by address, each once. */
async function find({ adapter }: MailerContext, text: string): Promise<readonly MailContact[]> {
  const byId = text.length <= 256 ? await adapter.getById(text) : null
  const byEmail = isMailable(text) ? await adapter.getByEmail(text) : null
  const found = [byId, byEmail].filter((contact) => contact !== null)
  return [...new Map(found.map((contact) => [contact.externalId, contact])).values()]
}
