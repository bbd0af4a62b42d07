// When a broadcast stops by itself. Pure.
import type { StopRules } from '../../ledger/broadcast-row.ts'

/** What is known of the mails of a broadcast. */
export interface StopCounts {
  readonly delivered: number
  readonly bounced: number
  readonly hardBounces: number
  readonly complaints: number
  readonly unsubscribes: number
}

/** A rate over its limit. */
export interface Breach {
  readonly rule: 'hard_bounce' | 'complaint' | 'unsubscribe'
  readonly message: string
}

/** The first rule that is broken. Rates are per delivered and bounced mails, from `minSample` of them on. */
export function breachOf(rules: StopRules, counts: StopCounts): Breach | undefined {
  const sample = counts.delivered + counts.bounced
  if (!rules.enabled || sample === 0 || sample < rules.minSample) return undefined
  const rates = [
    ['hard_bounce', 'Hard bounces', counts.hardBounces, rules.hardBounceRatePct],
    ['complaint', 'Complaints', counts.complaints, rules.complaintRatePct],
    ['unsubscribe', 'Unsubscribes', counts.unsubscribes, rules.unsubscribeRatePct]
  ] as const
  for (const [rule, label, count, limit] of rates) {
    const percent = (count / sample) * 100
    if (percent <= limit) continue
    const rate = Number(percent.toFixed(2))
    return { rule, message: `${label} are ${rate} % of ${sample} mails; the limit is ${limit} %.` }
  }
  return undefined
}
