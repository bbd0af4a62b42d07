// Runs that the queue set aside because every process that held them died: they end where people see it.
import { DURABLE } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { MAX_HISTORY } from './runs/settle-run.ts'

const REASON = 'workers_lost'
const PARKED = { parkedAt: { $exists: true }, status: 'active' } as const
const IS_DONE = { exitReason: REASON, state: 'done' } as const

/** Ends parked runs of flows. Called with each tick. */
export async function recoverParkedRuns({ collections, clock }: MailerContext): Promise<void> {
  const now = clock.now()
  const entry = { at: now, path: '$path', action: 'failed', detail: { reason: REASON } }
  const history = { $slice: [{ $concatArrays: ['$history', [entry]] }, -MAX_HISTORY] }
  await collections.flowRuns.updateMany(
    PARKED,
    [
      { $unset: ['parkedAt', 'waitingFor', 'waitingMatch', 'waitSince', 'nextActionAt'] },
      { $set: { status: 'failed', exitedAt: now, ...IS_DONE, history } }
    ],
    DURABLE
  )
}
