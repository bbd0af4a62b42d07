// Decides from the counts of a bucket whether it trips, is degraded, or deserves a warning. Pure.
import type { Sentence } from '@keelson/sdk'
import type { BreakerSettings } from '../config.ts'
import { chanceOfAtLeast } from './binomial.ts'
import type { BucketStatus } from './bucket-row.ts'
import { say } from './sentences.ts'
import type { Counters } from './window.ts'

/** Fractions from 0 to 1; null without mail. */
export interface Rates {
  readonly bounceRate: number | null
  readonly hardBounceRate: number | null
  readonly complaintRate: number | null
  readonly failureRate: number | null
}

/** What to do with a bucket that has not tripped. */
export interface Judgement {
  readonly status: BucketStatus
  /** Why it trips; null when it does not. */
  readonly reason: Sentence | null
  readonly warning: Sentence | null
}

/** Below this chance, a rate of few mails is not an accident. */
const UNLIKELY = 0.01
/** One bounce or complaint alone says nothing. */
const MIN_EVENTS = 2

/** The rates of counters. */
export function ratesOf({ sent, bounced, hardBounced, complained, failedToSend }: Counters): Rates {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  return {
    bounceRate: share(bounced, sent),
    hardBounceRate: share(hardBounced, sent),
    complaintRate: share(complained, sent),
    failureRate: share(failedToSend, sent + failedToSend)
  }
}

/** @param window counts of the window; @param week counts of the last week, for the warning alone. */
export function judgeBucket(
  { window, week }: { readonly window: Counters; readonly week: Counters },
  settings: BreakerSettings
): Judgement {
  const { minSendsBeforeEval, failedToSendRatePctDegrade } = settings
  const isEvaluated = window.sent >= minSendsBeforeEval
  const over = limitsOf(window, settings).find(({ count, limitPct }) =>
    isOver(count, window.sent, limitPct)
  )
  if (isEvaluated && over !== undefined) {
    const { id, count, limitPct: limit } = over
    const { sent } = window
    const rate = percentOf(count, sent)
    const minutes = settings.windowMinutes
    const reason = say(`breaker.trip.${id}`, { rate, sent, minutes, limit })
    return { status: 'tripped', reason, warning: null }
  }
  const handed = window.sent + window.failedToSend
  const isDegraded =
    handed >= minSendsBeforeEval && isOver(window.failedToSend, handed, failedToSendRatePctDegrade)
  return {
    status: isDegraded ? 'degraded' : 'healthy',
    reason: null,
    warning: isEvaluated ? null : warningOf(week, settings)
  }
}

interface LimitedRate {
  readonly id: 'hardBounce' | 'complaint' | 'bounce'
  readonly count: number
  readonly limitPct: number
}

/** The rates that trip, in the order they are tested. */
function limitsOf(counters: Counters, settings: BreakerSettings): readonly LimitedRate[] {
  const { hardBounceRatePctTrip, complaintRatePctTrip, combinedBounceRatePctTrip } = settings
  return [
    { id: 'hardBounce', count: counters.hardBounced, limitPct: hardBounceRatePctTrip },
    { id: 'complaint', count: counters.complained, limitPct: complaintRatePctTrip },
    { id: 'bounce', count: counters.bounced, limitPct: combinedBounceRatePctTrip }
  ]
}

/** Without division, so that a rate of exactly the limit is not over it. */
const isOver = (count: number, whole: number, limitPct: number): boolean =>
  count * 100 > limitPct * whole

/** Low volumes: warns when a sender within the limit would hardly ever see so many. */
function warningOf(week: Counters, settings: BreakerSettings): Sentence | null {
  const { sent } = week
  const found = limitsOf(week, settings).find(
    ({ count, limitPct }) =>
      count >= MIN_EVENTS && chanceOfAtLeast(Math.min(count, sent), sent, limitPct / 100) < UNLIKELY
  )
  if (found === undefined) return null
  const { id, count, limitPct: limit } = found
  return say(`breaker.warn.${id}`, { rate: percentOf(count, sent), sent, limit })
}

const percentOf = (count: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((count / whole) * 10_000) / 100

const ORDER: readonly BucketStatus[] = ['healthy', 'degraded', 'tripped']

/** The worst status of the buckets; healthy without any. */
export function effectiveOverallStatus(
  buckets: readonly { readonly status: BucketStatus }[]
): BucketStatus {
  const worst = Math.max(0, ...buckets.map(({ status }) => ORDER.indexOf(status)))
  return ORDER[worst] ?? 'healthy'
}
