// A process for program-crash.test: enters subjects by their events, looks at their runs, and sends their mails.
import { people, templates } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { createEventHandler } from '../campaigns/flows/event-handler.ts'
import { recoverParkedRuns } from '../campaigns/flows/recover-parked-runs.ts'
import { createProgramRunHandler } from '../campaigns/programs/look-handler.ts'
import { createSendHandler } from '../campaigns/send-handler.ts'
import { recoverParked } from '../delivery/sends/recover-parked.ts'
import { runCrashWorker, workerArgs } from './crash-worker.ts'

const [count = '0'] = workerArgs()
/** Longer than any lease, and until mails on their way are looked at. */
const NEXT_LOOK = 16 * 60_000

await runCrashWorker(
  {
    contacts: people(Number(count)),
    templates,
    nameOf: ({ to, subject }) => `${subject} ${to}`,
    handlers: (made) => ({
      events: createEventHandler(made),
      programRuns: createProgramRunHandler(made),
      bulkSends: createSendHandler(made)
    })
  },
  async ({ context, queues, pass }) => {
    await recoverParked(context)
    await recoverParkedRuns(context)
    for (const queue of [queues.events, queues.programRuns, queues.bulkSends]) await queue.runDue()
    const { events, programRuns } = context.collections
    const isWaiting =
      (await events.findOne({ state: { $ne: 'done' } })) ??
      (await programRuns.findOne({ status: 'active' }))
    if (isWaiting === null) return true
    pass(NEXT_LOOK)
    return false
  }
)
