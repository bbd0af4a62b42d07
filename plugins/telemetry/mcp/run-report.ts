// Answers a report with the read that its page shows.
import type { Queries } from '../queries/queries.ts'
import type { Redact } from './redact.ts'
import { type ReportSpec, readReport } from './reports.ts'

const ROWS = 50
const HOURLY_UP_TO_MS = 2 * 86_400_000

export async function runReport(
  queries: Queries,
  scope: string,
  report: ReportSpec,
  now: Date,
  redact: Redact
): Promise<object> {
  const { range, display, rollup, filters } = readReport(report, now)
  if (rollup !== undefined) return queries.rollups(scope, { as: rollup, ...range, limit: ROWS })
  if (display === 'series') {
    const length = range.to.getTime() - range.from.getTime()
    const interval = length <= HOURLY_UP_TO_MS ? 'hour' : 'day'
    return queries.series(scope, { ...range, filters, interval })
  }
  const page = await queries.records(scope, { ...range, filters, limit: ROWS })
  return { ...page, items: page.items.map(redact) }
}
