// The complaint rate of sender domains, for the readiness checklist. Pure.
import type { SenderFacts } from '@keelson/mailer/contracts'
import type { HealthReport } from './health-report.ts'

/** Of all mail of a domain in the window; domains without mail are left out. */
export function complaintFacts(
  { buckets }: Pick<HealthReport, 'buckets'>,
  domains: readonly string[]
): readonly SenderFacts[] {
  return domains.flatMap((domain) => {
    const own = buckets.filter(({ senderDomain }) => senderDomain === domain)
    const sent = own.reduce((sum, { counters }) => sum + counters.sent, 0)
    const complained = own.reduce((sum, { counters }) => sum + counters.complained, 0)
    return sent === 0 ? [] : [{ domain, complaintRate: { rate: complained / sent, sent } }]
  })
}
