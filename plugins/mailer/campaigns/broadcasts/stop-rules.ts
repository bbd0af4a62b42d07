// When a broadcast stops by itself, and how far it is from that. Pure.
import type { StopRules } from '../../ledger/broadcast-row.ts'

/** What is known of the mails of a broadcast. */
export interface StopCounts {
  readonly delivered: number
  readonly bounced: number
  readonly hardBounces: number
  readonly complaints: number
  readonly unsubscribes: number
}

/** What a rule looks at. */
export type StopRule = 'hard_bounce' | 'complaint' | 'unsubscribe'

/** A rate over its limit. */
export interface Breach {
  readonly rule: StopRule
  readonly count: number
  /** Delivered and bounced mails. */
  readonly sample: number
  /** Per cent of `sample`. */
  readonly ratePct: number
  readonly limitPct: number
  readonly message: string
}

/** How far a rate is from its limit. */
export interface StopMeter {
  readonly rule: StopRule
  readonly count: number
  /** Delivered and bounced mails. */
  readonly sample: number
  readonly ratePct: number
  readonly limitPct: number
  /** How many more pause the broadcast, once it counts; 0 when the limit is passed. */
  readonly left: number
}

const RULES = [
  ['hard_bounce', 'Hard bounces', 'hardBounces', 'hardBounceRatePct'],
  ['complaint', 'Complaints', 'complaints', 'complaintRatePct'],
  ['unsubscribe', 'Unsubscribes', 'unsubscribes', 'unsubscribeRatePct']
] as const

/** The first rule that is broken. Rates are per delivered and bounced mails, from `minSample` of them on. */
export function breachOf(rules: StopRules, counts: StopCounts): Breach | undefined {
  const sample = counts.delivered + counts.bounced
  if (!rules.enabled || sample === 0 || sample < rules.minSample) return undefined
  for (const [rule, label, counted, limited] of RULES) {
    const [count, limitPct] = [counts[counted], rules[limited]]
    const percent = (count / sample) * 100
    if (percent <= limitPct) continue
    const ratePct = Number(percent.toFixed(2))
    const message = `${label} are ${ratePct}% of ${sample} mails; the limit is ${limitPct}%.`
    return { rule, count, sample, ratePct, limitPct, message }
  }
  return undefined
}

/** How far each rate is from its limit; none where the rules are off. */
export function metersOf(rules: StopRules, counts: StopCounts): readonly StopMeter[] {
  if (!rules.enabled) return []
  const sample = counts.delivered + counts.bounced
  const judged = Math.max(sample, rules.minSample)
  return RULES.map(([rule, , counted, limited]) => {
    const [count, limitPct] = [counts[counted], rules[limited]]
    const most = Math.floor((judged * limitPct) / 100 + 1e-9)
    const ratePct = sample === 0 ? 0 : Number(((count / sample) * 100).toFixed(2))
    return { rule, count, sample, ratePct, limitPct, left: Math.max(0, most - count + 1) }
  })
}

/** What was counted since a resume that begins the counting anew. */
export function countedSince(counts: StopCounts, base: StopCounts | undefined): StopCounts {
  if (base === undefined) return counts
  const names = Object.keys(counts) as (keyof StopCounts)[]
  const entries = names.map((name) => [name, Math.max(0, counts[name] - base[name])])
  return Object.fromEntries(entries) as unknown as StopCounts
}
