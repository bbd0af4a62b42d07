// What there is to alert about, from what was read. Pure.

import { joinSentences } from '@keelson/sdk'
import type { Monitoring } from '../config/monitoring-schema.ts'
import type { DnsFinding } from '../dns/judge-domain.ts'
import type { Progression } from '../overview/policy-progression.ts'
import type { FailingSource } from '../sources/source-sums.ts'
import type { FindTag } from '../sources/source-tags.ts'
import type { Condition } from '../storage/condition.ts'
import { say } from './sentences.ts'

/** A domain and what is known about its window. */
export interface WatchedDomain {
  readonly domain: string
  readonly messages: number
  readonly passed: number
  /** When the last report arrived; null when there never was one. */
  readonly lastReportAt: Date | null
  readonly progression: Progression | null
  readonly findings: readonly DnsFinding[]
}

export interface ConditionFacts {
  readonly now: Date
  readonly settings: Monitoring
  readonly domains: readonly WatchedDomain[]
  /** Of the window. */
  readonly sources: readonly FailingSource[]
  readonly findTag: FindTag
}

const DAY_MS = 86_400_000
/** How many times the threshold makes an unknown source critical. */
const CRITICAL_FACTOR = 10
const CRITICAL_RATE = 0.9

/** All conditions of the domains that are watched. */
export function findConditions(facts: ConditionFacts): readonly Condition[] {
  const watched = new Set(facts.domains.map(({ domain }) => domain))
  const sources = facts.sources.filter(({ domain }) => watched.has(domain))
  return [
    ...sources.flatMap((source) => sourceCondition(source, facts)),
    ...facts.domains.flatMap((domain) => [
      ...alignmentCondition(domain, sources, facts),
      ...stoppedCondition(domain, facts),
      ...readyCondition(domain),
      ...dnsCondition(domain)
    ])
  ]
}

function sourceCondition(
  { sourceIp: subject, domain, totalMessages: count }: FailingSource,
  { settings, findTag }: ConditionFacts
): Condition[] {
  const tag = findTag(subject)
  if (tag?.ignored === true) return []
  if (tag !== undefined) {
    if (count < settings.knownSourceMinMessages) return []
    const said = say('alert.knownSource', { count, label: tag.label, source: subject, domain })
    const kind = 'known_source_failing'
    return [{ kind, domain, subject, severity: 'critical', key: 'critical', ...said }]
  }
  if (count < settings.unknownSourceMinMessages) return []
  const isMany = count >= settings.unknownSourceMinMessages * CRITICAL_FACTOR
  const severity = isMany ? 'critical' : 'warning'
  const said = say('alert.unknownSource', { count, source: subject, domain })
  return [{ kind: 'unknown_source_failing', domain, subject, severity, key: severity, ...said }]
}

function alignmentCondition(
  { domain, messages, passed }: WatchedDomain,
  sources: readonly FailingSource[],
  { settings, findTag }: ConditionFacts
): Condition[] {
  const expected = sources
    .filter((source) => source.domain === domain && findTag(source.sourceIp)?.ignored === true)
    .reduce((sum, source) => sum + source.totalMessages, 0)
  const counted = messages - expected
  if (counted < settings.alignmentMinMessages) return []
  const rate = passed / counted
  if (rate >= settings.alignmentMinRate) return []
  const severity = rate < CRITICAL_RATE ? 'critical' : 'warning'
  const shown = Math.floor(rate * 1_000) / 10
  const said = say('alert.alignment', { rate: shown, domain, count: counted })
  return [{ kind: 'alignment_drop', domain, subject: '', severity, key: severity, ...said }]
}

function stoppedCondition(
  { domain, lastReportAt }: WatchedDomain,
  { now, settings: { reportsStoppedDays } }: ConditionFacts
): Condition[] {
  if (lastReportAt === null) return []
  const days = Math.floor((now.getTime() - lastReportAt.getTime()) / DAY_MS)
  if (days < reportsStoppedDays) return []
  const said = say('alert.stopped', { domain, days })
  const kind = 'reports_stopped'
  return [{ kind, domain, subject: '', severity: 'warning', key: 'stopped', ...said }]
}

function readyCondition({ domain, progression }: WatchedDomain): Condition[] {
  if (progression === null) return []
  const { policy, pct, testing, reason, said } = progression
  const next = `p=${policy}${pct === null ? '' : `; pct=${pct}`}${testing ? '; t=y' : ''}`
  const why = joinSentences([say('alert.ready', { domain, next }), { message: reason, said }])
  return [{ kind: 'policy_ready', domain, subject: '', severity: 'info', key: next, ...why }]
}

function dnsCondition({ domain, findings }: WatchedDomain): Condition[] {
  const grave = findings.filter(({ severity }) => severity === 'error')
  if (grave.length === 0) return []
  const codes = [...new Set(grave.map(({ code }) => code))].sort()
  const severity = codes.includes('dmarc_missing') ? 'critical' : 'warning'
  const kind = 'dns_misconfigured'
  const message = grave.map((finding) => finding.message).join(' ')
  // A check that an older version stored has no codes: its words stay together.
  const isSaid = grave.every(({ said = [] }) => said.length > 0)
  const said = isSaid && { said: grave.flatMap((finding) => finding.said ?? []) }
  return [{ kind, domain, subject: '', severity, key: codes.join(','), message, ...said }]
}
