// The overview: domains with their next step, failing sources, and the newest reports.
import type { DmarcContext } from '../context.ts'
import { readTags } from '../sources/read-tags.ts'
import { readReverseNames } from '../sources/reverse-names.ts'
import type { FindTag } from '../sources/source-tags.ts'
import type { ReportRow } from '../storage/rows.ts'
import { boundSources } from './bound-sources.ts'
import {
  currentPolicy,
  isReady,
  PROGRESSION_DAYS,
  type Progression,
  type PublishedRecord,
  stepConditions,
  suggestPolicyProgression
} from './policy-progression.ts'
import {
  type DomainSums,
  daysBefore,
  readDomains,
  readRecentReports,
  seriesOf,
  shareOf
} from './read-domains.ts'
import { hasUnknownFailures, readSourceRows } from './read-sources.ts'

const SOURCES = 100
const RECENT_REPORTS = 30

type ReadContext = Pick<
  DmarcContext,
  'collections' | 'clock' | 'config' | 'knownSources' | 'withTransaction'
>

/** Everything that the DMARC page shows first. */
export async function readOverview(context: ReadContext) {
  const { clock, config } = context
  const now = clock.now()
  const [domains, rows, recent, findTag] = await Promise.all([
    readDomains(context),
    readSourceRows(context.collections, SOURCES),
    readRecentReports(context, RECENT_REPORTS),
    readTags(context)
  ])
  const bounds = new Map(domains.map((one) => [one.domain, one.bounds]))
  const sources = boundSources(rows, (domain) => bounds.get(domain))
  const names = await readReverseNames(
    context,
    sources.map(({ sourceIp }) => sourceIp)
  )
  const checks = await context.collections.dnsChecks
    .find({ _id: { $in: domains.map(({ domain }) => domain) } })
    .project<PublishedRecord & { readonly _id: string }>({ record: 1, recordAt: 1 })
    .toArray()
  const published = new Map(checks.map((check) => [check._id, check]))
  const shown = []
  for (const domain of domains) {
    const current = currentPolicy(domain.domain, domain.policy, published.get(domain.domain))
    shown.push({
      ...domainView(domain, now),
      conditions: stepConditions({ ...domain.recent, current }),
      progression: await progressionOf(context, domain, {
        findTag,
        published: published.get(domain.domain)
      })
    })
  }
  return {
    domains: shown,
    sources: sources.map((source) => {
      const { label = null, ignored = false, tagSource = null } = findTag(source.sourceIp) ?? {}
      return { ...source, ptr: names.get(source.sourceIp) ?? null, label, ignored, tagSource }
    }),
    recentReports: recent.map(reportView),
    retentionDays: config.retentionDays
  }
}

/** What the next step depends on besides the reports. */
export interface ProgressionOptions {
  readonly findTag: FindTag
  /** Of the newest DNS check; undefined: none yet. */
  readonly published: PublishedRecord | undefined
}

/** The next step of a domain. Its sources are only read where everything else allows it. */
export async function progressionOf(
  context: ReadContext,
  { domain, recent, policy }: DomainSums,
  { findTag, published }: ProgressionOptions
): Promise<Progression | null> {
  const facts = {
    ...recent,
    current: currentPolicy(domain, policy, published),
    hasUnknownFailures: false
  }
  if (!isReady(facts) || suggestPolicyProgression(facts) === null) return null
  const now = context.clock.now()
  const unknown = await hasUnknownFailures(
    context,
    { domain, endedSince: daysBefore(now, PROGRESSION_DAYS) },
    findTag
  )
  return unknown ? null : suggestPolicyProgression(facts)
}

function domainView(
  { days, policy, recent: _, bounds: _all, reporters, ...sums }: DomainSums,
  now: Date
) {
  return {
    ...sums,
    reporters: reporters.map(({ counted, ...reporter }) => ({
      ...reporter,
      counted,
      share: shareOf(counted, sums.totalMessages)
    })),
    alignmentRate: shareOf(sums.passCount, sums.totalMessages),
    currentPolicy: policy.p,
    currentPct: policy.pct,
    currentTesting: policy.testing,
    subdomainPolicy: policy.sp,
    series: seriesOf(days, now)
  }
}

/** A report in lists. */
export function reportView({ _id: key, policy, errors, contact: _, ...report }: ReportRow) {
  const { p, pct, sp, np, testing, discoveryMethod } = policy
  return { key, ...report, errors: [...errors], policy: p, pct, sp, np, testing, discoveryMethod }
}
