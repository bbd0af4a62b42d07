// Which policy a domain is ready for: the ladder of `pct` where the record has it, else the one of `t=y`. Pure.
import type { Said } from '@keelson/sdk'
import type { DmarcPolicy, PublishedPolicy } from '../aggregate/report.ts'
import { readDmarcRecord } from '../dns/dmarc-record.ts'
import { say } from './sentences.ts'

/** The policy that DNS has, or else the one that reporters found last. */
export interface CurrentPolicy {
  readonly policy: DmarcPolicy
  /** Null when the record has none, as since RFC 9989. */
  readonly pct: number | null
  readonly testing: boolean
}

/** The last 30 days of a domain. */
export interface ProgressionFacts {
  readonly current: CurrentPolicy | null
  readonly reports: number
  readonly messages: number
  readonly passed: number
  /** Failing messages from sources that have no tag. */
  readonly hasUnknownFailures: boolean
}

/** The next step. */
export interface Progression {
  readonly policy: DmarcPolicy
  readonly pct: number | null
  readonly testing: boolean
  /** For people. */
  readonly reason: string
  /** The reason by its code, for pages in other languages. */
  readonly said: Said
  readonly current: CurrentPolicy
}

interface Step {
  readonly policy: DmarcPolicy
  readonly pct: number | null
  readonly testing: boolean
  /** The least alignment, in thousandths. */
  readonly permille: number
}

export const PROGRESSION_DAYS = 30
export const MIN_REPORTS = 30
export const MIN_MESSAGES = 1_000

/** The step that the facts allow; null when there is none, or not yet. */
export function suggestPolicyProgression(facts: ProgressionFacts): Progression | null {
  const { reports, messages, passed } = facts
  const step = isReady(facts) ? nextStep(facts.current ?? UNPUBLISHED) : null
  // Whole numbers: 99 % of 2,000 is exactly 1,980.
  if (step === null || passed * 1_000 < messages * step.permille) return null
  const { policy, pct, testing, permille } = step
  const rate = Math.floor((passed / messages) * 10_000) / 100
  const { message: reason, said } = say('policy.ready', {
    reports,
    days: PROGRESSION_DAYS,
    messages,
    rate,
    needed: permille / 10
  })
  return { policy, pct, testing, reason, said, current: facts.current ?? UNPUBLISHED }
}

/** How far a domain is on the way to its next policy. */
export interface StepConditions {
  readonly days: number
  readonly reports: number
  readonly minReports: number
  readonly messages: number
  readonly minMessages: number
  /** Fractions, rounded down: a share below its limit never looks like it. null without messages. */
  readonly aligned: number | null
  readonly minAligned: number
}

/** What the next step asks for, beside what there is; null when there is no next step. */
export function stepConditions({
  current,
  reports,
  messages,
  passed
}: Pick<ProgressionFacts, 'current' | 'reports' | 'messages' | 'passed'>): StepConditions | null {
  const step = nextStep(current ?? UNPUBLISHED)
  if (step === null) return null
  return {
    days: PROGRESSION_DAYS,
    reports,
    minReports: MIN_REPORTS,
    messages,
    minMessages: MIN_MESSAGES,
    aligned: messages === 0 ? null : Math.floor((passed * 1_000) / messages) / 1_000,
    minAligned: step.permille / 1_000
  }
}

/** Whether the gates hold that are the same for every step. */
export function isReady({
  reports,
  messages,
  hasUnknownFailures
}: Pick<ProgressionFacts, 'reports' | 'messages' | 'hasUnknownFailures'>): boolean {
  return reports >= MIN_REPORTS && messages >= MIN_MESSAGES && !hasUnknownFailures
}

/** The record that was found in DNS for a domain, and where it is. */
export interface PublishedRecord {
  readonly record: string | null
  readonly recordAt: string | null
}

/**
 * The policy that a domain has. The record in DNS decides where it is known: reporters of RFC 7489 fill in
 * `pct` where the record has none.
 */
export function currentPolicy(
  domain: string,
  reported: Pick<PublishedPolicy, 'p' | 'pct' | 'testing'>,
  published: PublishedRecord | undefined
): CurrentPolicy {
  const read = published?.record == null ? undefined : readDmarcRecord(published.record)
  if (read === undefined || 'problem' in read)
    return { policy: reported.p, pct: reported.pct, testing: reported.testing }
  const policy = published?.recordAt === domain ? read.p : (read.sp ?? read.p)
  return { policy, pct: read.pct, testing: read.testing }
}

const UNPUBLISHED: CurrentPolicy = { policy: 'none', pct: null, testing: false }

function nextStep(current: CurrentPolicy): Step | null {
  return current.pct === null ? nextByTesting(current) : nextByPercent(current.policy, current.pct)
}

/** RFC 7489: a share of the failing mail. */
function nextByPercent(policy: DmarcPolicy, pct: number): Step | null {
  const step = (next: DmarcPolicy, share: number, permille: number) =>
    ({ policy: next, pct: share, testing: false, permille }) as const
  if (policy === 'none') return step('quarantine', 10, 990)
  if (policy === 'reject') return null
  const share = [10, 25, 50, 100].find((each) => pct < each)
  return share === undefined ? step('reject', 100, 999) : step('quarantine', share, 995)
}

/** RFC 9989: a policy under test first, which acts as the next weaker one. */
function nextByTesting({ policy, testing }: CurrentPolicy): Step | null {
  const step = (next: DmarcPolicy, isTesting: boolean, permille: number) =>
    ({ policy: next, pct: null, testing: isTesting, permille }) as const
  if (policy === 'none') return step('quarantine', true, 990)
  if (policy === 'quarantine') {
    return testing ? step('quarantine', false, 995) : step('reject', true, 999)
  }
  return testing ? step('reject', false, 999) : null
}
