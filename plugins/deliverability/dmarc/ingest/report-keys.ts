// The keys of reports: the same report has the same key, however often it arrives. Pure.
import { createHash } from 'node:crypto'
import type { AggregateReport } from '../aggregate/report.ts'
import type { FeedbackReport } from '../failures/feedback-report.ts'
import type { TlsReport } from '../tls/parse-tls-report.ts'

/** Reporters reuse ids for other domains, and different reporters use the same id. */
export function reportKey({ reportId, orgName, policy }: AggregateReport): string {
  return keyOf(reportId, orgName, policy.domain)
}

export function tlsKey({ reportId, organizationName }: TlsReport): string {
  return keyOf(reportId, organizationName)
}

/** Failure reports have no id: the same words about the same mail are the same report. */
export function failureKey(report: FeedbackReport): string {
  return keyOf(JSON.stringify(report))
}

function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
