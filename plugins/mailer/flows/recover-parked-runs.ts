// Runs that the queue set aside because every process that held them died: they end where people see it.
import type { MailerContext } from '../context.ts'
import { DURABLE } from '../storage/durable.ts'
import { MAX_HISTORY } from './runs/settle-run.ts'

const REASON = 'workers_lost'

/** Ends parked runs as failed. Called with each tick. */
export async function recoverParkedRuns({ collections, clock }: MailerContext): Promise<void> {
  const now = clock.now()
  const entry = { at: now, path: '$path', action: 'failed', detail: { reason: REASON } }
  const history = { $slice: [{ $concatArrays: ['$history', [entry]] }, -MAX_HISTORY] }
  await collections.flowRuns.updateMany(
    { parkedAt: { $exists: true }, status: 'active' },
    [
      { $unset: ['parkedAt', 'waitingFor', 'waitSince', 'nextActionAt'] },
      { $set: { status: 'failed', exitReason: REASON, exitedAt: now, state: 'done', history } }
    ],
    DURABLE
  )
}
