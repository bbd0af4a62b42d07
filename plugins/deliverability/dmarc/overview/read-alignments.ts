// How the mail of each domain aligns, by day, and what the next policy asks for.
import type { PublishedPolicy } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import {
  currentPolicy,
  type PublishedRecord,
  type StepConditions,
  stepConditions
} from './policy-progression.ts'
import { readDomains, seriesOf, shareOf } from './read-domains.ts'

/** What is read. */
export type AlignmentContext = Pick<DmarcContext, 'collections' | 'clock' | 'config'>

/** What the reports of a domain say. */
export interface Alignment {
  readonly rate: number | null
  readonly messages: number
  readonly currentPolicy: PublishedPolicy['p']
  readonly series: ReturnType<typeof seriesOf>
  readonly conditions: StepConditions | null
}

/** By domain; one without reports is missing. */
export async function readAlignments(
  context: AlignmentContext
): Promise<ReadonlyMap<string, Alignment>> {
  const now = context.clock.now()
  const domains = await readDomains(context)
  const checks = await context.collections.dnsChecks
    .find({ _id: { $in: domains.map(({ domain }) => domain) } })
    .project<PublishedRecord & { readonly _id: string }>({ record: 1, recordAt: 1 })
    .toArray()
  const published = new Map(checks.map((check) => [check._id, check]))
  return new Map(
    domains.map(({ domain, days, policy, recent, passCount, totalMessages }) => {
      const current = currentPolicy(domain, policy, published.get(domain))
      const alignment: Alignment = {
        rate: shareOf(passCount, totalMessages),
        messages: totalMessages,
        currentPolicy: policy.p,
        series: seriesOf(days, now),
        conditions: stepConditions({ ...recent, current })
      }
      return [domain, alignment]
    })
  )
}
