// Runs that the queue set aside because every process that held them died: they end where people see it.
import { DURABLE } from '@keelson/sdk'
import type { ProgramContext } from '../program-context.ts'

/** Ends parked runs. Called with each tick. */
export async function recoverParkedRuns({
  collections,
  clock
}: Pick<ProgramContext, 'collections' | 'clock'>): Promise<void> {
  await collections.programRuns.updateMany(
    { parkedAt: { $exists: true }, status: 'active' },
    {
      $set: { status: 'exited', endedAt: clock.now(), exitReason: 'workers_lost', state: 'done' },
      $unset: { parkedAt: 1 }
    },
    DURABLE
  )
}
