// Lists, searches and counts contacts for operators.
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { ContactPage } from '../../ledger/adapter.ts'
import { isMailable } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { ContactState } from './contact-states.ts'
import {
  type ContactWithState,
  contactsOfState,
  mostOfState,
  withStates
} from './contacts-of-state.ts'
import { withTags } from './tags.ts'

const MAX_LIMIT = 200
/** No id is longer. */
const MAX_TEXT = 256
/** How many steps of a list are looked through for a page that has a contact. */
const MOST_STEPS = 10
/** Up to here the contacts of a state are counted one by one. */
const COUNTED = 1_000

/** Which contacts to list. */
export interface ContactSearch {
  /**
   * A whole id or address, any case; where the adapter can search, also how an address or a name begins. The
   * pages then have those contacts alone, whole matches first.
   */
  readonly search?: string
  /** Those with this state alone. */
  readonly state?: ContactState
  /** At most and by default 200. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** A page of contacts, each with its tags and its state. */
export interface ListedContacts {
  readonly contacts: readonly ContactWithState[]
  /** Left out on the last page. A page before it may be empty. */
  readonly nextCursor?: string
}

/** A page of contacts: in the order of the adapter, of a state in the order of what says it. */
export async function listContacts(
  context: MailerContext,
  { limit = MAX_LIMIT, cursor, ...search }: ContactSearch = {}
): Promise<ListedContacts> {
  const wanted = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_LIMIT)
  let place = cursor
  for (let step = 1; ; step++) {
    const query = { limit: wanted, ...(place !== undefined && { cursor: place }) }
    const page = await readStep(context, search, query)
    place = page.nextCursor
    if (page.contacts.length === 0 && place !== undefined && step < MOST_STEPS) continue
    const contacts = (await withTags(context, page.contacts)) as readonly ContactWithState[]
    return place === undefined ? { contacts } : { contacts, nextCursor: place }
  }
}

/** How many contacts there are. */
export interface ContactCount {
  readonly count: number
  /** Otherwise there are at most so many. */
  readonly isExact: boolean
}

/** Counts the contacts, or those of a state: exactly up to 1,000, beyond that as an upper bound. */
export async function countContacts(
  context: MailerContext,
  { state }: Pick<ContactSearch, 'state'> = {}
): Promise<ContactCount> {
  if (state === undefined) return { count: await context.adapter.count({}), isExact: true }
  const most = await mostOfState(context, state)
  if (most > COUNTED) return { count: most, isExact: false }
  let count = 0
  let cursor: string | undefined
  do {
    const page = await contactsOfState(context, state, {
      limit: MAX_LIMIT,
      ...(cursor && { cursor })
    })
    count += page.contacts.length
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { count, isExact: true }
}

async function readStep(
  context: MailerContext,
  { search = '', state }: ContactSearch,
  query: { readonly limit: number; readonly cursor?: string }
): Promise<ListedContacts> {
  const text = search.trim().slice(0, MAX_TEXT)
  if (text === '' && state !== undefined) return contactsOfState(context, state, query)
  const { contacts, ...more } =
    text === '' ? await context.adapter.query({}, query) : await find(context, text, query)
  const known = await withStates(context, contacts)
  return { ...more, contacts: known.filter((one) => state === undefined || one.state === state) }
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
