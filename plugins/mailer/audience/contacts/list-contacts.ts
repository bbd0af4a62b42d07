// Lists and searches contacts for operators.
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { ContactPage } from '../../ledger/adapter.ts'
import { isMailable } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { withTags } from './tags.ts'

const MAX_LIMIT = 200
/** No id is longer. */
const MAX_TEXT = 256

/** Which contacts to list. */
export interface ContactSearch {
  /**
   * A whole id or address, any case; where the adapter can search, also how an address or a name begins. The
   * pages then have those contacts alone, whole matches first.
   */
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
  const text = search.trim().slice(0, MAX_TEXT)
  const wanted = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_LIMIT)
  const query = { limit: wanted, ...(cursor !== undefined && { cursor }) }
  const { contacts, nextCursor } =
    text === '' ? await context.adapter.query({}, query) : await find(context, text, query)
  const tagged = await withTags(context, contacts)
  return nextCursor === undefined ? { contacts: tagged } : { contacts: tagged, nextCursor }
}

/** Whole matches first, then what else the adapter finds. */
async function find(
  context: MailerContext,
  text: string,
  query: { readonly limit: number; readonly cursor?: string }
): Promise<ContactPage> {
  const whole = await findWhole(context, text)
  const first = query.cursor === undefined ? whole : []
  const found = await context.adapter.search?.(text, query)
  if (found === undefined) return { contacts: first }
  const known = new Set(whole.map(({ externalId }) => externalId))
  const others = found.contacts.filter(({ externalId }) => !known.has(externalId))
  return { ...found, contacts: [...first, ...others] }
}

/** By id and by address, each once. */
async function findWhole(
  { adapter }: MailerContext,
  text: string
): Promise<readonly MailContact[]> {
  const byId = await adapter.getById(text)
  const byEmail = isMailable(text) ? await adapter.getByEmail(text) : null
  const found = [byId, byEmail].filter((contact) => contact !== null)
  return [...new Map(found.map((contact) => [contact.externalId, contact])).values()]
}
