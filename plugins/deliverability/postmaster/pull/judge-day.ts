// Whether Gmail's figures of a day are a reason to stop or to warn. Pure.
import type { DayStats } from '../api/day-stats.ts'

/** Percentages of mails that people report as spam. */
export interface SpamLimits {
  readonly spamRatePctTrip: number
  readonly spamRatePctWarn: number
}

/** What to do, and why. */
export interface DayVerdict {
  readonly level: 'ok' | 'warn' | 'trip'
  /** One sentence; empty when all is well. */
  readonly reason: string
}

export function judgeDay(
  day: Pick<DayStats, 'userReportedSpamRatio' | 'domainReputation'>,
  { spamRatePctTrip, spamRatePctWarn }: SpamLimits
): DayVerdict {
  const { userReportedSpamRatio, domainReputation } = day
  const percent = (userReportedSpamRatio ?? 0) * 100
  const rate = `Gmail users report ${Number(percent.toFixed(3))} % of the mails as spam`
  if (domainReputation === 'BAD') {
    return { level: 'trip', reason: 'Gmail gives the domain the reputation BAD.' }
  }
  if (percent > spamRatePctTrip) {
    return { level: 'trip', reason: `${rate}; the limit is ${spamRatePctTrip} %.` }
  }
  if (percent > spamRatePctWarn) {
    return { level: 'warn', reason: `${rate}; keep it under ${spamRatePctWarn} %.` }
  }
  if (domainReputation === 'LOW') {
    return { level: 'warn', reason: 'Gmail gives the domain the reputation LOW.' }
  }
  return { level: 'ok', reason: '' }
}

const FRESH_MS = 7 * 86_400_000

/** Older figures say nothing about the mail of today. */
export const isFresh = ({ date }: Pick<DayStats, 'date'>, now: Date): boolean =>
  now.getTime() - Date.parse(date) <= FRESH_MS
