// How a segment is read: which filters the host's adapter applies, and what the rest needs per page. Pure.

import type { Engagement } from '../../campaigns/flows/interpret/facts.ts'
import type { MailContact, SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { ContactFilter } from '../../ledger/adapter.ts'
import type { LeafFilter, SegmentDefinition, SegmentFilter } from './segment-schema.ts'

/** How a segment is read. */
export interface SegmentPlan {
  /** For the adapter: at most one filter of each kind that it knows. */
  readonly host: ContactFilter
  /** Checked for each contact of a page. */
  readonly rest: readonly SegmentFilter[]
  /** What `rest` looks up, each once per page. */
  readonly needsTags: boolean
  readonly events: readonly string[]
  /** Template slugs; null: any template; empty: no look-up. */
  readonly templates: readonly string[] | null
}

/** What is known about a contact of a page. */
export interface MemberFacts {
  readonly contact: MailContact
  readonly status: SubscriptionStatus | null
  readonly subscribedAt: Date | null
  /** The latest time of each event. */
  readonly events: ReadonlyMap<string, Date>
  /** Mails that a person opened. */
  readonly opened: readonly Engagement[]
}

const DAY = 86_400_000

/** `adapterHasTags`: the adapter knows all tags. The mailer keeps some where it does not write them. */
export function planSegment(
  { filters }: SegmentDefinition,
  { adapterHasTags }: { readonly adapterHasTags: boolean }
): SegmentPlan {
  const host: { -readonly [key in keyof ContactFilter]: ContactFilter[key] } = {}
  const rest = filters.filter((filter) => !takeForHost(host, filter, adapterHasTags))
  const leaves = rest.flatMap(leavesOf)
  const slugs = leaves.flatMap((leaf) =>
    leaf.kind === 'opened' || leaf.kind === 'notOpened' ? [leaf.templateSlug] : []
  )
  const named = slugs.filter((slug) => slug !== undefined)
  return {
    host,
    rest,
    needsTags: leaves.some(({ kind }) => kind === 'hasTag' || kind === 'notHasTag'),
    events: [
      ...new Set(
        leaves.flatMap((leaf) =>
          leaf.kind === 'firedEvent' || leaf.kind === 'notFiredEvent' ? [leaf.eventName] : []
        )
      )
    ],
    templates: named.length < slugs.length ? null : [...new Set(named)]
  }
}

/** Whether the adapter applies the filter; it is then added to `host`. */
function takeForHost(
  host: { -readonly [key in keyof ContactFilter]: ContactFilter[key] },
  filter: SegmentFilter,
  adapterHasTags: boolean
): boolean {
  if (filter.kind in host) return false
  switch (filter.kind) {
    case 'fieldEquals':
      host.fieldEquals = { field: filter.field, value: filter.value }
      return true
    case 'fieldIn':
      host.fieldIn = { field: filter.field, values: filter.values }
      return true
    case 'fieldExists':
      host.fieldExists = filter.field
      return true
    case 'hasTag':
      if (adapterHasTags) host.hasTag = filter.tag
      return adapterHasTags
    default:
      return false
  }
}

function leavesOf(filter: SegmentFilter): readonly LeafFilter[] {
  if (filter.kind === 'any') return filter.filters.flatMap(leavesOf)
  return filter.kind === 'not' ? leavesOf(filter.filter) : [filter]
}

/** Whether a filter holds for a contact. */
export function filterHolds(filter: SegmentFilter, facts: MemberFacts, now: Date): boolean {
  const { contact, status, subscribedAt } = facts
  switch (filter.kind) {
    case 'any':
      return filter.filters.some((one) => filterHolds(one, facts, now))
    case 'not':
      return !filterHolds(filter.filter, facts, now)
    case 'fieldEquals':
      return own(contact, filter.field) === filter.value
    case 'fieldIn':
      return (filter.values as readonly unknown[]).includes(own(contact, filter.field))
    case 'fieldExists':
      return (own(contact, filter.field) ?? null) !== null
    case 'hasTag':
      return contact.tags.includes(filter.tag)
    case 'notHasTag':
      return !contact.tags.includes(filter.tag)
    case 'subscriptionStatus':
      return status === filter.equals
    case 'subscribedAfter':
      return subscribedAt !== null && subscribedAt > new Date(filter.date)
    case 'subscribedBefore':
      return subscribedAt !== null && subscribedAt < new Date(filter.date)
    case 'firedEvent':
      return hasFired(filter, facts, now)
    case 'notFiredEvent':
      return !hasFired(filter, facts, now)
    case 'opened':
      return hasOpened(filter, facts, now)
    case 'notOpened':
      return !hasOpened(filter, facts, now)
  }
}

type Within = { readonly withinDays?: number }

function hasFired(
  { eventName, withinDays }: Within & { readonly eventName: string },
  { events }: MemberFacts,
  now: Date
): boolean {
  const last = events.get(eventName)
  return last !== undefined && isWithin(last, withinDays, now)
}

function hasOpened(
  { templateSlug, withinDays }: Within & { readonly templateSlug?: string },
  { opened }: MemberFacts,
  now: Date
): boolean {
  return opened.some(
    (mail) =>
      (templateSlug === undefined || mail.templateSlug === templateSlug) &&
      mail.openedAt !== undefined &&
      isWithin(mail.openedAt, withinDays, now)
  )
}

const isWithin = (at: Date, days: number | undefined, now: Date): boolean =>
  days === undefined || at.getTime() >= now.getTime() - days * DAY

const own = ({ fields }: MailContact, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined
