// Computes the report, as far as it gets in the time it has.
import { countOutcomes } from '../counts/count-outcomes.ts'
import type { HygieneContext } from '../rows.ts'
import type { HygieneReport } from './report.ts'
import { walkContacts } from './walk-contacts.ts'

/**
 * Counts what is new in the feed of outcomes, then walks over the subscriptions. No sends are read, and work
 * that the signal ends is continued by the next call.
 *
 * @returns the new report; the last one when this call did not come to the end; null when there is none yet
 */
export async function computeListHygiene(
  context: HygieneContext,
  signal: AbortSignal = new AbortController().signal
): Promise<HygieneReport | null> {
  const isCounted = await countOutcomes(context, signal)
  const fresh = isCounted ? await walkContacts(context, signal) : undefined
  return fresh ?? (await lastReport(context))
}

/** The report of the last walk. */
export async function lastReport({
  reports
}: Pick<HygieneContext, 'reports'>): Promise<HygieneReport | null> {
  return (await reports.findOne({ _id: 'report' }))?.report ?? null
}
