// One tick: the mailer's own parts; and at once, also the tasks that other plugins put into it.

import type { MailerContext } from '../../ledger/context.ts'
import { TICK_ROW } from '../../ledger/state-row.ts'
import { tickParts } from '../assemble.ts'
import { runTick } from './run-tick.ts'

/** Runs the tick. `onFailure` is called with the name of a part that failed. */
export async function tick(
  context: MailerContext,
  signal: AbortSignal,
  onFailure: (part: string) => void = () => undefined
): Promise<void> {
  await noteTick(context, { $set: { startedAt: context.clock.now() } })
  const failed = await runTick(context, tickParts, signal)
  for (const name of failed) onFailure(name)
  if (signal.aborted) return
  const reason = failed.join(', ')
  await noteTick(
    context,
    failed.length > 0
      ? { $inc: { failures: 1 }, $set: { reason } }
      : { $unset: { failures: '', reason: '' } }
  )
}

/** Runs a tick and the tasks at once. Waits for those with a short time limit; the others go on. */
export async function tickNow(context: MailerContext, signal: AbortSignal): Promise<void> {
  await tick(context, signal)
  const { log, extensions } = context
  const runs = extensions.tickTasks().map(async ({ name: task, isShort, run }) => {
    const ran = run().catch((err) =>
      log.error({ err, task }, 'mailer: a task of the tick was not run')
    )
    if (isShort) await ran
  })
  await Promise.all(runs)
}

/** Setup status reads it. A database that is away must not keep the tick from the rest. */
async function noteTick({ collections, log }: MailerContext, update: object): Promise<void> {
  try {
    await collections.state.updateOne({ _id: TICK_ROW }, update, { upsert: true })
  } catch (error) {
    log.warn({ err: error }, 'mailer: the tick could not be noted')
  }
}
