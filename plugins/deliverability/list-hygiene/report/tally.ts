// Sums of a walk over all contacts: adds one contact after the other. Pure.
import type { Subscriber } from '@keelson/mailer/contracts'
import { type ContactRow, dayOf, type MailCounts } from '../counts/contact-row.ts'

/** Days without engagement after which a contact is a candidate for sunset. */
export const SUNSET_DAYS = 180
/** Days that the impact is projected from. */
export const RECENT_DAYS = 90

/** Where engagement buckets end, in days; then come longer, and never. */
export const BUCKET_DAYS = [30, 60, 90, SUNSET_DAYS] as const

type Sums = Required<MailCounts>

/** What a walk has found so far. */
export interface Tally {
  readonly totalSubscribers: number
  readonly totalWithSends: number
  /** Engaged within each of BUCKET_DAYS, longer ago, never. */
  readonly buckets: readonly number[]
  readonly sunset: number
  readonly sunsetLifetime: Sums
  readonly sunsetRecent: Sums
  readonly recent: Sums
}

const NONE: Sums = { sent: 0, bounced: 0, hardBounced: 0, complained: 0 }

/** A walk that has found nothing. */
export const EMPTY_TALLY: Tally = {
  totalSubscribers: 0,
  totalWithSends: 0,
  buckets: [...BUCKET_DAYS, 0, 0].map(() => 0),
  sunset: 0,
  sunsetLifetime: NONE,
  sunsetRecent: NONE,
  recent: NONE
}

/** A contact of a walk: subscribed or not, with mail or not. */
export interface WalkedContact {
  readonly subscriber?: Subscriber | undefined
  readonly row?: ContactRow | undefined
}

/** Whether a contact should no longer be mailed: engaged too long ago, or never in all that time. */
export function isSunset({ status, firstSentAt, lastEngagedAt }: Subscriber, now: Date): boolean {
  const last = lastEngagedAt ?? firstSentAt
  return (
    status === 'subscribed' &&
    firstSentAt !== null &&
    last !== null &&
    daysAgo(last, now) > SUNSET_DAYS
  )
}

/** The tally with one more contact. */
export function addContact(tally: Tally, { subscriber, row }: WalkedContact, now: Date): Tally {
  const recent = recentOf(row, now)
  const all = { ...tally, recent: add(tally.recent, recent) }
  if (subscriber?.status !== 'subscribed') return all
  const counted = { ...all, totalSubscribers: tally.totalSubscribers + 1 }
  if (subscriber.firstSentAt === null) return counted
  const place = bucketOf(subscriber.lastEngagedAt, now)
  const mailed = {
    ...counted,
    totalWithSends: tally.totalWithSends + 1,
    buckets: tally.buckets.map((count, at) => (at === place ? count + 1 : count))
  }
  if (!isSunset(subscriber, now)) return mailed
  return {
    ...mailed,
    sunset: tally.sunset + 1,
    sunsetLifetime: add(tally.sunsetLifetime, row?.lifetime ?? {}),
    sunsetRecent: add(tally.sunsetRecent, recent)
  }
}

const DAY_MS = 86_400_000

const daysAgo = (at: Date, now: Date): number => (now.getTime() - at.getTime()) / DAY_MS

function bucketOf(engagedAt: Date | null, now: Date): number {
  if (engagedAt === null) return BUCKET_DAYS.length + 1
  const days = daysAgo(engagedAt, now)
  const place = BUCKET_DAYS.findIndex((limit) => days <= limit)
  return place === -1 ? BUCKET_DAYS.length : place
}

/** Whether a day is within the recent ones. */
export const isRecent = (day: number, now: Date): boolean => day > dayOf(now) - RECENT_DAYS

function recentOf(row: ContactRow | undefined, now: Date): Sums {
  return Object.entries(row?.days ?? {})
    .filter(([day]) => isRecent(Number(day), now))
    .reduce((sums, [, counts]) => add(sums, counts), NONE)
}

function add(
  sums: Sums,
  { sent = 0, bounced = 0, hardBounced = 0, complained = 0 }: MailCounts
): Sums {
  return {
    sent: sums.sent + sent,
    bounced: sums.bounced + bounced,
    hardBounced: sums.hardBounced + hardBounced,
    complained: sums.complained + complained
  }
}
