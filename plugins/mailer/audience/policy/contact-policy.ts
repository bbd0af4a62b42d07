// The contact policy: when the next marketing mail may reach a contact. Pure.
import { isTimeZone, momentAt, wallTime } from '@keelson/sdk/zoned-time'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import { DEFAULTS } from '../../ledger/schema.ts'

/** The rules of a mailer, as its config gives them. */
export type ContactPolicy = NonNullable<ResolvedConfig['contactPolicy']>

/** The rules of a category. */
export type CategoryPolicy = Pick<ContactPolicy, 'minGapHours' | 'maxPerRollingDays' | 'quietHours'>

/** The rule that makes a mail wait. */
export type PolicyCause =
  | 'min_gap'
  | 'max_per_days'
  | 'category_min_gap'
  | 'category_max_per_days'
  | 'quiet_hours'
  | 'blackout'

/** What is known about a mail and its recipient. */
export interface PolicyFacts {
  readonly now: Date
  /** Since when the mail wants to leave. */
  readonly queuedAt: Date
  /** Of the contact; one that is unknown counts as missing. */
  readonly timezone?: string | undefined
  /** When marketing mail was handed over to the address, in any order. */
  readonly recent: readonly Date[]
  /** Of the category of the mail: its rules, and when mail of it was handed over to the address. */
  readonly category?: { readonly policy: CategoryPolicy; readonly recent: readonly Date[] }
}

/** `go` lets the mail leave; otherwise the rule that lasts longest is named. */
export type PolicyVerdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly until: Date; readonly cause: PolicyCause }
  /** It waited as long as it may. A blackout alone never ends a mail. */
  | { readonly kind: 'expired'; readonly cause: PolicyCause }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Rules that push each other on settle within a few rounds; a year of blackouts takes more. */
const MAX_ROUNDS = 100

/** Milliseconds back in time that the rules look at. */
export function policyReach({ minGapHours = 0, maxPerRollingDays }: CategoryPolicy): number {
  return Math.max(minGapHours * HOUR, (maxPerRollingDays?.days ?? 0) * DAY)
}

/** What the policy says about a mail now. */
export function judgePolicy(policy: ContactPolicy, facts: PolicyFacts): PolicyVerdict {
  const { now, queuedAt } = facts
  const zone = zoneOf(policy, facts.timezone)
  const start = now.getTime()
  let until = start
  let last: PolicyCause | undefined
  let isDroppable = false
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pushed = nextPush(policy, facts, { at: until, zone })
    if (pushed === undefined) break
    until = pushed.until
    last = pushed.cause
    isDroppable ||= pushed.cause !== 'blackout'
  }
  if (last === undefined) return { kind: 'go' }
  const maxHours = policy.deferral?.maxHours ?? DEFAULTS.deferralMaxHours
  const isOver = until > queuedAt.getTime() + maxHours * HOUR
  if (isOver && isDroppable) return { kind: 'expired', cause: last }
  return { kind: 'wait', until: new Date(until), cause: last }
}

interface Moment {
  readonly at: number
  readonly zone: string
}

/** The first rule that forbids the moment, and when it ends. */
function nextPush(
  policy: ContactPolicy,
  { recent, category }: PolicyFacts,
  moment: Moment
): { readonly until: number; readonly cause: PolicyCause } | undefined {
  const ends: readonly (readonly [PolicyCause, number])[] = [
    ['min_gap', gapEnd(policy, recent, moment.at)],
    ['max_per_days', capEnd(policy, recent, moment.at)],
    ...categoryEnds(category, moment.at),
    ['quiet_hours', quietEnd(category?.policy.quietHours ?? policy.quietHours, moment)],
    ['blackout', blackoutEnd(policy, moment)]
  ]
  const found = ends.find(([, end]) => end > moment.at)
  return found && { cause: found[0], until: found[1] }
}

function categoryEnds(
  category: PolicyFacts['category'],
  at: number
): readonly (readonly [PolicyCause, number])[] {
  if (category === undefined) return []
  const { policy, recent } = category
  return [
    ['category_min_gap', gapEnd(policy, recent, at)],
    ['category_max_per_days', capEnd(policy, recent, at)]
  ]
}

function gapEnd({ minGapHours = 0 }: CategoryPolicy, recent: readonly Date[], at: number): number {
  const latest = Math.max(...recent.map(Number).filter((time) => time <= at), -Infinity)
  return latest + minGapHours * HOUR
}

/** When the oldest of the newest `count` mails leaves the window. */
function capEnd(
  { maxPerRollingDays }: CategoryPolicy,
  recent: readonly Date[],
  at: number
): number {
  if (maxPerRollingDays === undefined) return at
  const { days, count } = maxPerRollingDays
  const inWindow = recent.map(Number).filter((time) => time <= at && time + days * DAY > at)
  const sorted = inWindow.sort((left, right) => right - left)
  const oldest = sorted[count - 1]
  return oldest === undefined ? at : oldest + days * DAY
}

/** Quiet hours are clock times of the contact and may pass midnight. */
function quietEnd(quietHours: ContactPolicy['quietHours'], { at, zone }: Moment): number {
  if (quietHours === undefined || quietHours.start === quietHours.end) return at
  const [start, end] = [minutesOf(quietHours.start), minutesOf(quietHours.end)]
  const wall = wallTime(at, zone)
  const midnight = Math.floor(wall / DAY) * DAY
  const minute = (wall - midnight) / 60_000
  const isInside = start < end ? minute >= start && minute < end : minute >= start || minute < end
  if (!isInside) return at
  const isTomorrow = start > end && minute >= start
  return momentAt(midnight + (isTomorrow ? DAY : 0) + end * 60_000, zone)
}

function blackoutEnd({ blackoutDates = [] }: ContactPolicy, { at, zone }: Moment): number {
  const midnight = Math.floor(wallTime(at, zone) / DAY) * DAY
  const day = new Date(midnight).toISOString().slice(0, 10)
  return blackoutDates.includes(day) ? momentAt(midnight + DAY, zone) : at
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

function zoneOf(policy: ContactPolicy, timezone: string | undefined): string {
  const zones = [timezone, policy.defaultTimezone]
  return zones.find((zone) => zone !== undefined && isTimeZone(zone)) ?? 'UTC'
}
