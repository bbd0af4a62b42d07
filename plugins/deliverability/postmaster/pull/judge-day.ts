// Whether Gmail's figures of a day are a reason to stop or to warn. Pure.
import { defineSentences, type Said, type Sentence } from '@keelson/sdk'
import type { DayStats } from '../api/day-stats.ts'

/** Percentages of mails that people report as spam. */
export interface SpamLimits {
  readonly spamRatePctTrip: number
  readonly spamRatePctWarn: number
}

/** By code; pages have the same in other languages. */
export const gmailSentences = {
  'gmail.over': 'Gmail users report {rate}% of the mails as spam; the limit is {limit}%.',
  'gmail.near': 'Gmail users report {rate}% of the mails as spam; keep it under {limit}%.',
  'gmail.bad': 'Gmail gives the domain the reputation “bad”.',
  'gmail.low': 'Gmail gives the domain the reputation “low”.'
} as const

const say = defineSentences(gmailSentences)

/** What to do, and why. */
export interface DayVerdict {
  readonly level: 'ok' | 'warn' | 'trip'
  /** One sentence; empty when all is well. */
  readonly reason: string
  /** The reason by its code; empty when all is well. */
  readonly said: Said
}

export function judgeDay(
  day: Pick<DayStats, 'userReportedSpamRatio' | 'domainReputation'>,
  { spamRatePctTrip, spamRatePctWarn }: SpamLimits
): DayVerdict {
  const { userReportedSpamRatio, domainReputation } = day
  const percent = (userReportedSpamRatio ?? 0) * 100
  const rate = Number(percent.toFixed(3))
  if (domainReputation === 'BAD') {
    return verdict('trip', say('gmail.bad'))
  }
  if (percent > spamRatePctTrip) {
    return verdict('trip', say('gmail.over', { rate, limit: spamRatePctTrip }))
  }
  if (percent > spamRatePctWarn) {
    return verdict('warn', say('gmail.near', { rate, limit: spamRatePctWarn }))
  }
  if (domainReputation === 'LOW') {
    return verdict('warn', say('gmail.low'))
  }
  return { level: 'ok', reason: '', said: [] }
}

const verdict = (level: DayVerdict['level'], { message, said }: Sentence): DayVerdict => ({
  level,
  reason: message,
  said
})

const FRESH_MS = 7 * 86_400_000

/** Older figures say nothing about the mail of today. */
export const isFresh = ({ date }: Pick<DayStats, 'date'>, now: Date): boolean =>
  now.getTime() - Date.parse(date) <= FRESH_MS
