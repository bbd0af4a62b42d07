// How a segment is read: which filters the host's adapter applies, and what the rest needs per page. Pure.

import type { MailContact, SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { ContactFilter } from '../../ledger/adapter.ts'
import { compares, isNear } from './compare.ts'
import type { Engagement } from './find-behaviour.ts'
import type { EventMatch, LeafFilter, SegmentDefinition, SegmentFilter } from './segment-schema.ts'

/** How a segment is read. */
export interface SegmentPlan {
  /** For the adapter: at most one filter of each kind that it knows. */
  readonly host: ContactFilter
  /** Checked for each contact of a page. */
  readonly rest: readonly SegmentFilter[]
  /** What `rest` looks up, each once per page. */
  readonly needsTags: boolean
  readonly events: readonly string[]
  /** Events with a property, each looked up once per page. */
  readonly matches: readonly EventMatch[]
  /** Template slugs; null: any template; empty: no look-up. */
  readonly templates: readonly string[] | null
  /** Slugs of broadcasts whose mails contacts got; null: of any mail; empty: no look-up. */
  readonly received: readonly string[] | null
}

/** What is known about a contact of a page. */
export interface MemberFacts {
  readonly contact: MailContact
  readonly status: SubscriptionStatus | null
  readonly subscribedAt: Date | null
  /** The latest time of each event, and of each with a property, by `eventKey`. */
  readonly events: ReadonlyMap<string, Date>
  /** Mails that a person opened or clicked. */
  readonly engaged: readonly Engagement[]
  /** Mails that were handed over and did not bounce. */
  readonly received: readonly Engagement[]
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
  const aboutMail = leaves.filter(isAboutMail)
  const slugs = aboutMail.flatMap((leaf) => (isAboutReceipt(leaf) ? [] : [leaf.templateSlug]))
  const broadcasts = aboutMail.filter(isAboutReceipt).map(({ broadcastSlug }) => broadcastSlug)
  const fired = leaves.filter(isAboutEvent)
  const named = slugs.filter((slug) => slug !== undefined)
  return {
    host,
    rest,
    needsTags: leaves.some(({ kind }) => kind === 'hasTag' || kind === 'notHasTag'),
    events: [
      ...new Set(
        fired.flatMap(({ eventName, property }) => (property === undefined ? [eventName] : []))
      )
    ],
    matches: [...new Map(fired.flatMap(matchIn)).values()],
    templates: named.length < slugs.length ? null : [...new Set(named)],
    received: broadcasts.includes(undefined) ? null : [...new Set(broadcasts as string[])]
  }
}

type AboutReceipt = Extract<LeafFilter, { kind: 'received' | 'notReceived' }>
type AboutMail =
  | Extract<LeafFilter, { kind: 'opened' | 'notOpened' | 'clicked' | 'notClicked' }>
  | AboutReceipt
type AboutEvent = Extract<LeafFilter, { kind: 'firedEvent' | 'notFiredEvent' }>

const MAIL_KINDS: ReadonlySet<string> = new Set([
  ...['opened', 'notOpened', 'clicked', 'notClicked'],
  ...['received', 'notReceived']
])
const isAboutReceipt = (leaf: AboutMail): leaf is AboutReceipt =>
  leaf.kind === 'received' || leaf.kind === 'notReceived'
const isAboutMail = (leaf: LeafFilter): leaf is AboutMail => MAIL_KINDS.has(leaf.kind)
const isAboutEvent = (leaf: LeafFilter): leaf is AboutEvent =>
  leaf.kind === 'firedEvent' || leaf.kind === 'notFiredEvent'

function matchIn(leaf: AboutEvent): readonly (readonly [string, EventMatch])[] {
  const { eventName, property } = leaf
  return property === undefined ? [] : [[eventKey(leaf), { eventName, property }]]
}

/** What the times of an event are kept by: its name, with the property that matters. */
export const eventKey = ({
  eventName,
  property
}: Pick<AboutEvent, 'eventName' | 'property'>): string =>
  property === undefined
    ? eventName
    : JSON.stringify([eventName, property.name, property.operator, property.value])

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
  if (filter.kind === 'any' || filter.kind === 'all') return filter.filters.flatMap(leavesOf)
  return filter.kind === 'not' ? leavesOf(filter.filter) : [filter]
}

/** Whether a filter holds for a contact. */
export function filterHolds(filter: SegmentFilter, facts: MemberFacts, now: Date): boolean {
  const { contact, status, subscribedAt } = facts
  switch (filter.kind) {
    case 'any':
      return filter.filters.some((one) => filterHolds(one, facts, now))
    case 'all':
      return filter.filters.every((one) => filterHolds(one, facts, now))
    case 'not':
      return !filterHolds(filter.filter, facts, now)
    case 'segment':
      // Put in place of its name before: see named-segments.ts.
      return false
    case 'fieldEquals':
      return own(contact, filter.field) === filter.value
    case 'fieldIn':
      return (filter.values as readonly unknown[]).includes(own(contact, filter.field))
    case 'fieldExists':
      return (own(contact, filter.field) ?? null) !== null
    case 'fieldCompare':
      return compares(own(contact, filter.field), filter.operator, filter.value)
    case 'fieldWithinDays':
      return isNear(own(contact, filter.field), filter, now)
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
    case 'received':
      return hasEngaged('receivedAt', filter, facts, now)
    case 'notReceived':
      return !hasEngaged('receivedAt', filter, facts, now)
    case 'opened':
      return hasEngaged('openedAt', filter, facts, now)
    case 'notOpened':
      return !hasEngaged('openedAt', filter, facts, now)
    case 'clicked':
      return hasEngaged('clickedAt', filter, facts, now)
    case 'notClicked':
      return !hasEngaged('clickedAt', filter, facts, now)
  }
}

function hasFired(filter: AboutEvent, { events }: MemberFacts, now: Date): boolean {
  const last = events.get(eventKey(filter))
  return last !== undefined && isWithin(last, filter.withinDays, now)
}

function hasEngaged(
  field: 'openedAt' | 'clickedAt' | 'receivedAt',
  { templateSlug, broadcastSlug, withinDays }: AboutMail,
  { engaged, received }: MemberFacts,
  now: Date
): boolean {
  return (field === 'receivedAt' ? received : engaged).some((mail) => {
    const at = mail[field]
    return (
      (templateSlug === undefined || mail.templateSlug === templateSlug) &&
      (broadcastSlug === undefined || mail.broadcastSlug === broadcastSlug) &&
      at !== undefined &&
      isWithin(at, withinDays, now)
    )
  })
}

const isWithin = (at: Date, days: number | undefined, now: Date): boolean =>
  days === undefined || at.getTime() >= now.getTime() - days * DAY

const own = ({ fields }: MailContact, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined
