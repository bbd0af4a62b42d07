// A process for broadcast-crash.test: queues and sends one broadcast.
import { advanceBroadcasts } from '../campaigns/broadcasts/advance-broadcasts.ts'
import { people, templates } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { createSendHandler } from '../campaigns/send-handler.ts'
import { recoverParked } from '../delivery/sends/recover-parked.ts'
import { runCrashWorker, workerArgs } from './crash-worker.ts'

const [count = '0', handOverJournalDir = ''] = workerArgs()
/** Longer than any lease. */
const LEASES_OVER = 61_000

await runCrashWorker(
  {
    contacts: people(Number(count)),
    templates,
    config: { handOverJournalDir },
    nameOf: ({ to }) => to,
    handlers: (made) => ({ bulkSends: createSendHandler(made) })
  },
  async ({ context, queues, pass }) => {
    await recoverParked(context)
    const { moved } = await advanceBroadcasts(context)
    await queues.bulkSends.runDue()
    const broadcast = await context.collections.broadcasts.findOne({})
    if (broadcast?.status === 'sent') return true
    // What is left waits for leases of processes that were killed.
    if (moved === 0) pass(LEASES_OVER)
    return false
  }
)
