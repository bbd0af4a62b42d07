// Reads the contacts of a segment in pages: broadcasts, counts and triggers all read this one stream.

import type { MailContact } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import type { ContactSort } from '../../ledger/adapter.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { SubscriptionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { findSubscriptions } from '../contacts/find-subscriptions.ts'
import { findSuppressions } from '../contacts/find-suppressions.ts'
import { suppressionThatBlocks } from '../contacts/suppression-rules.ts'
import { withTags } from '../contacts/tags.ts'
import { checkSegment } from './check-segment.ts'
import { findEngagement, findLastEvents, findLastMatch, findReceived } from './find-behaviour.ts'
import { findMailed } from './find-mailed.ts'
import { expandSegments } from './named-segments.ts'
import { eventKey, filterHolds, planSegment, type SegmentPlan } from './plan-segment.ts'

/** A contact of a segment whom marketing mail may reach: subscribed, and not suppressed. */
export interface SegmentMember {
  readonly contact: MailContact
  readonly subscription: SubscriptionRow
}

/** A contact of a segment whom marketing mail must not reach, and why. */
export interface ExcludedContact {
  readonly contact: MailContact
  readonly reason: 'not_subscribed' | 'suppressed' | 'no_address' | 'never_mailed'
  /** The status of the subscription, or why the address is suppressed. Left out without a subscription. */
  readonly detail?: string
}

/** A page of a segment. It may hold fewer members than its limit, or none, and not be the last. */
export interface SegmentPage {
  readonly members: readonly SegmentMember[]
  /** The other contacts that the definition selects. */
  readonly excluded: readonly ExcludedContact[]
  /** Contacts of the page that the definition selects, also those whom mail must not reach. */
  readonly matched: number
  /** Left out on the last page. */
  readonly nextCursor?: string
}

/** Which page. */
export interface SegmentPageOptions {
  readonly cursor?: string
  /** Contacts that the adapter is asked for. Default and maximum 2000. */
  readonly limit?: number
  /** Only for adapters with `supportsSort`. */
  readonly sort?: ContactSort
  /** Leaves out contacts who opted out of this category. */
  readonly category?: string
  /** Leaves out addresses that no mail was handed over to yet. */
  readonly onlyMailed?: boolean
}

/** Why contacts of a segment are left out: those who did not confirm yet apart. */
export const EXCLUDED_REASONS = [
  'not_subscribed',
  'not_confirmed',
  'suppressed',
  'no_address',
  'never_mailed'
] as const

/** How many contacts of a segment marketing mail must not reach, by reason. */
export type ExcludedCounts = Readonly<Record<(typeof EXCLUDED_REASONS)[number], number>>

/** How many contacts a segment selects, and how many of them marketing mail may reach. */
export interface SegmentCount {
  readonly matched: number
  readonly eligible: number
  /** `matched` less `eligible`, by reason. */
  readonly excluded: ExcludedCounts
}

const PAGE = 2000

/**
 * One page, in an order that stays the same from page to page. The number of queries does not depend on the
 * number of contacts.
 *
 * @throws MLR_SEGMENT_INVALID, MLR_FILTER_UNSUPPORTED
 */
export async function pageOfSegment(
  context: MailerContext,
  definition: unknown,
  options: SegmentPageOptions = {}
): Promise<SegmentPage> {
  const plan = await planOf(context, definition)
  const { cursor, sort, limit = PAGE } = options
  if (sort !== undefined && context.adapter.supportsSort !== true)
    throw errors.MLR_FILTER_UNSUPPORTED({ filter: 'sort', problem: 'it cannot sort contacts' })
  const { contacts, nextCursor } = await context.adapter.query(plan.host, {
    limit: Math.min(limit, PAGE),
    ...(cursor !== undefined && { cursor }),
    ...(sort !== undefined && { sort })
  })
  const subscriptions = await findSubscriptions(
    context,
    contacts.map(({ externalId }) => externalId)
  )
  const matched = await matchedOf(context, plan, contacts, subscriptions)
  const judged = await judgeContacts(context, matched, subscriptions, options)
  return { ...judged, matched: matched.length, ...(nextCursor !== undefined && { nextCursor }) }
}

/** Counts exactly, by reading the segment whole. */
export async function countSegment(
  context: MailerContext,
  definition: unknown,
  options: Pick<SegmentPageOptions, 'category' | 'onlyMailed'> = {}
): Promise<SegmentCount> {
  const excluded = Object.fromEntries(EXCLUDED_REASONS.map((reason) => [reason, 0])) as {
    -readonly [reason in keyof ExcludedCounts]: number
  }
  let matched = 0
  let eligible = 0
  let cursor: string | undefined
  do {
    const page = await pageOfSegment(context, definition, {
      ...options,
      ...(cursor !== undefined && { cursor })
    })
    matched += page.matched
    eligible += page.members.length
    for (const { reason, detail } of page.excluded)
      excluded[detail === 'pending_doi' ? 'not_confirmed' : reason] += 1
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { matched, eligible, excluded }
}

async function planOf(context: MailerContext, value: unknown): Promise<SegmentPlan> {
  const checked = checkSegment(value)
  if (!checked.ok) throw errors.MLR_SEGMENT_INVALID({ problem: checked.message })
  const definition = await expandSegments(context, checked.definition)
  const { adapter } = context
  return planSegment(definition, {
    adapterHasTags: adapter.addTags !== undefined && adapter.removeTags !== undefined
  })
}

async function matchedOf(
  context: MailerContext,
  plan: SegmentPlan,
  contacts: readonly MailContact[],
  subscriptions: ReadonlyMap<string, SubscriptionRow>
): Promise<readonly MailContact[]> {
  if (plan.rest.length === 0) return contacts
  const externalIds = contacts.map(({ externalId }) => externalId)
  const [tagged, events, engaged, received, matches] = await Promise.all([
    plan.needsTags ? withTags(context, contacts) : contacts,
    findLastEvents(context, externalIds, plan.events),
    findEngagement(context, externalIds, plan.templates),
    findReceived(context, externalIds, plan.received),
    Promise.all(plan.matches.map((match) => findLastMatch(context, externalIds, match)))
  ])
  const now = context.clock.now()
  return tagged.filter((contact) => {
    const { externalId } = contact
    const subscription = subscriptions.get(externalId)
    const facts = {
      contact,
      status: subscription?.status ?? null,
      subscribedAt: subscription?.subscribedAt ?? null,
      events: new Map([
        ...(events.get(externalId) ?? []),
        ...plan.matches.flatMap((match, at): [string, Date][] => {
          const last = matches[at]?.get(externalId)
          return last === undefined ? [] : [[eventKey(match), last]]
        })
      ]),
      engaged: engaged.get(externalId) ?? [],
      received: received.get(externalId) ?? []
    }
    return plan.rest.every((filter) => filterHolds(filter, facts, now))
  })
}

async function judgeContacts(
  context: MailerContext,
  contacts: readonly MailContact[],
  subscriptions: ReadonlyMap<string, SubscriptionRow>,
  { category, onlyMailed = false }: SegmentPageOptions
): Promise<Pick<SegmentPage, 'members' | 'excluded'>> {
  const subscribed: SegmentMember[] = []
  const excluded: ExcludedContact[] = []
  for (const contact of contacts) {
    const subscription = subscriptions.get(contact.externalId)
    if (!isMailable(contact.email)) excluded.push({ contact, reason: 'no_address' })
    else if (subscription?.status === 'subscribed') subscribed.push({ contact, subscription })
    else {
      const detail = subscription === undefined ? {} : { detail: subscription.status }
      excluded.push({ contact, reason: 'not_subscribed', ...detail })
    }
  }
  if (subscribed.length === 0) return { members: [], excluded }
  const now = context.clock.now()
  const suppressions = await findSuppressions(
    context,
    subscribed.map(({ contact }) => contact.email)
  )
  const emails = subscribed.map(({ contact }) => normalAddress(contact.email))
  const mailed = onlyMailed ? await findMailed(context, emails) : undefined
  const members = subscribed.filter(({ contact }) => {
    const rows = suppressions.get(contact.email) ?? []
    const blocking = suppressionThatBlocks(rows, 'marketing', category, now)
    if (blocking !== undefined)
      excluded.push({ contact, reason: 'suppressed', detail: blocking.reason })
    else if (mailed?.has(normalAddress(contact.email)) === false)
      excluded.push({ contact, reason: 'never_mailed' })
    else return true
    return false
  })
  return { members, excluded }
}
