// Stores a report about one mail, once.
import { DURABLE } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import type { FeedbackReport } from '../failures/feedback-report.ts'
import type { Via } from '../storage/rows.ts'
import { failureKey } from './report-keys.ts'

/** A stored report about one mail. */
export interface StoredFeedback {
  readonly kind: 'failure'
  readonly filename: string
  readonly report: FeedbackReport
  readonly key: string
  readonly duplicate: boolean
}

export async function storeFeedback(
  { collections, clock }: Pick<DmarcContext, 'collections' | 'clock'>,
  report: FeedbackReport,
  { via, filename }: { readonly via: Via; readonly filename: string }
): Promise<StoredFeedback> {
  const key = failureKey(report)
  const made = await collections.failures.updateOne(
    { _id: key },
    { $setOnInsert: { ...report, receivedAt: clock.now(), via } },
    { upsert: true, ...DURABLE }
  )
  return { kind: 'failure', filename, report, key, duplicate: made.upsertedCount === 0 }
}
