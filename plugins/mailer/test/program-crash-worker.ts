// A process for program-crash.test: enters subjects by their events, looks at their runs, and sends their mails.
import { people, templates } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { createEventHandler } from '../campaigns/flows/event-handler.ts'
import { programsOf } from '../campaigns/programs/compose.ts'
import { campaignsOf, listenerOf } from '../campaigns/programs/contributions.ts'
import { createProgramRunHandler } from '../campaigns/programs/look-handler.ts'
import { recoverParkedRuns } from '../campaigns/programs/recover-parked-runs.ts'
import { createSendHandler } from '../campaigns/send-handler.ts'
import { recoverParked } from '../delivery/sends/recover-parked.ts'
import type { MailerContext } from '../ledger/context.ts'
import { runCrashWorker, workerArgs } from './crash-worker.ts'

const [count = '0'] = workerArgs()
const made: { context?: MailerContext } = {}
const programs = () => programsOf(made.context as MailerContext)
/** Longer than any lease, and until mails on their way are looked at. */
const NEXT_LOOK = 16 * 60_000

await runCrashWorker(
  {
    contacts: people(Number(count)),
    templates,
    nameOf: ({ to, subject }) => `${subject} ${to}`,
    extensions: {
      campaigns: () => [campaignsOf(programs())],
      eventListeners: () => [listenerOf(programs())]
    },
    handlers: (context) => {
      made.context = context
      return {
        events: createEventHandler(context),
        programRuns: createProgramRunHandler(programs),
        bulkSends: createSendHandler(context)
      }
    }
  },
  async ({ context, queues, pass }) => {
    await recoverParked(context)
    await recoverParkedRuns(programs())
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
