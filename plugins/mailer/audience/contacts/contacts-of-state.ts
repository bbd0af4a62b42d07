// Finds the contacts of one state, page by page, by the indexes of subscriptions and suppressions.
import { InvalidInput, readNewest } from '@keelson/sdk'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { ContactAdapter, ContactPage } from '../../ledger/adapter.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { SubscriptionRow, SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type ContactState, type StateSource, sourcesOf, stateOf } from './contact-states.ts'
import { findSubscriptions } from './find-subscriptions.ts'
import { findSuppressions } from './find-suppressions.ts'
import { suppressionThatBlocks } from './suppression-rules.ts'

/** Contacts that share an address are few; an adapter answers at most this many for a page of addresses. */
const MOST_SHARED = 1_000

/** A contact with whether it gets marketing mail. */
export interface ContactWithState extends MailContact {
  readonly state: ContactState
  /** When it subscribed, as far as it is subscribed. */
  readonly subscribedAt?: Date
}

interface Known {
  readonly contact: ContactWithState
  readonly subscription: SubscriptionRow | undefined
  /** The suppression that decides. */
  readonly blocking: SuppressionRow | undefined
}

/** Contacts with their state, in their order. Two queries. */
export async function withStates(
  context: MailerContext,
  contacts: readonly MailContact[]
): Promise<readonly ContactWithState[]> {
  return (await knownOf(context, contacts)).map(({ contact }) => contact)
}

/**
 * A page of the contacts of a state: of each step, those that have it. A page may be empty and not the last one.
 *
 * @throws InvalidInput for a cursor of another list
 */
export async function contactsOfState(
  context: MailerContext,
  state: ContactState,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string }
): Promise<ContactPage & { readonly contacts: readonly ContactWithState[] }> {
  const sources = sourcesOf(state)
  const { at, inner } = placeOf(cursor, sources.length)
  const source = sources[at] as StateSource
  const page = await candidates(context, source, { limit, ...(inner !== '' && { cursor: inner }) })
  const known = await knownOf(context, page.contacts)
  const earlier = sources.slice(0, at)
  const contacts = known
    .filter(
      (one) =>
        one.contact.state === state &&
        (page.rows === undefined || page.rows.has(one.blocking?._id ?? '')) &&
        !earlier.some((before) => isFoundBy(before, one))
    )
    .map(({ contact }) => contact)
  if (page.nextCursor !== undefined) return { contacts, nextCursor: `${at}:${page.nextCursor}` }
  return at + 1 < sources.length ? { contacts, nextCursor: `${at + 1}:` } : { contacts }
}

/** At most how many contacts a state has, by the keys of indexes alone. */
export async function mostOfState(context: MailerContext, state: ContactState): Promise<number> {
  const { collections, adapter } = context
  const counts = await Promise.all(
    sourcesOf(state).map((source) => {
      if (source.of === 'contacts') return adapter.count({})
      if (source.of === 'suppressions')
        return collections.suppressions.countDocuments(source.filter)
      return collections.subscriptions.countDocuments({ status: source.status })
    })
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

function placeOf(cursor = '0:', sources: number) {
  const [, digits = '', inner = ''] = /^(\d):(.*)$/s.exec(cursor) ?? []
  const at = digits === '' ? sources : Number(digits)
  if (at < sources) return { at, inner }
  const message = 'must be the nextCursor of an earlier page'
  throw new InvalidInput('querystring', [{ path: 'cursor', message }])
}

const isFoundBy = (source: StateSource, { subscription }: Known): boolean =>
  source.of === 'subscriptions' && subscription?.status === source.status

type Asked = { readonly limit: number; readonly cursor?: string }

interface Candidates extends ContactPage {
  /**
   * The suppressions that found them. One that another suppression of the address outweighs is passed over: that
   * one finds the contact, once.
   */
  readonly rows?: ReadonlySet<string>
}

async function candidates(
  context: MailerContext,
  source: StateSource,
  asked: Asked
): Promise<Candidates> {
  if (source.of === 'contacts') return context.adapter.query({}, asked)
  if (source.of === 'subscriptions') return bySubscription(context, source.status, asked)
  const page = await readNewest(context.collections.suppressions, source.filter, {
    ...asked,
    time: 'addedAt',
    maxLimit: asked.limit
  })
  const emails = [...new Set(page.rows.flatMap(({ email }) => (isMailable(email) ? [email] : [])))]
  const contacts = emails.length === 0 ? [] : await byAddresses(context.adapter, emails)
  const rows = new Set(page.rows.map(({ _id }) => _id))
  const { nextCursor } = page
  return { contacts, rows, ...(nextCursor !== undefined && { nextCursor }) }
}

/** In the order of the addresses. */
async function byAddresses(
  adapter: ContactAdapter,
  emails: readonly string[]
): Promise<readonly MailContact[]> {
  const contacts =
    adapter.getByEmails === undefined
      ? (await adapter.query({ emailIn: emails }, { limit: MOST_SHARED })).contacts
      : await adapter.getByEmails(emails)
  const places = new Map(emails.map((email, at) => [normalAddress(email), at]))
  const placeOf = ({ email }: MailContact) => places.get(normalAddress(email)) ?? emails.length
  return contacts.toSorted((a, b) => placeOf(a) - placeOf(b))
}

async function bySubscription(
  { collections, adapter }: MailerContext,
  status: SubscriptionRow['status'],
  { limit, cursor = '' }: Asked
): Promise<ContactPage> {
  const rows = await collections.subscriptions
    .find({ status, externalId: { $gt: cursor } }, { projection: { externalId: 1 } })
    .sort({ externalId: 1 })
    .limit(limit + 1)
    .toArray()
  const ids = rows.slice(0, limit).map(({ externalId }) => externalId)
  const found = await adapter.getBatch(ids)
  const contacts = ids.flatMap((id) => found.get(id) ?? [])
  const last = ids.at(-1)
  return rows.length > limit && last !== undefined ? { contacts, nextCursor: last } : { contacts }
}

async function knownOf(
  context: MailerContext,
  contacts: readonly MailContact[]
): Promise<readonly Known[]> {
  const now = context.clock.now()
  const [subscriptions, suppressions] = await Promise.all([
    findSubscriptions(
      context,
      contacts.map(({ externalId }) => externalId)
    ),
    findSuppressions(
      context,
      contacts.map(({ email }) => email)
    )
  ])
  return contacts.map((contact) => {
    const subscription = subscriptions.get(contact.externalId)
    const rows = suppressions.get(contact.email) ?? []
    const state = stateOf(subscription, rows, now)
    const subscribedAt = state === 'subscribed' ? subscription?.subscribedAt : undefined
    return {
      contact: { ...contact, state, ...(subscribedAt !== undefined && { subscribedAt }) },
      subscription,
      blocking: suppressionThatBlocks(rows, 'marketing', undefined, now)
    }
  })
}
