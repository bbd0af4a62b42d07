// One tick: the mailer's own parts, then what other plugins put into it.

import type { MailerContext } from '../../ledger/context.ts'
import { TICK_ROW } from '../../ledger/state-row.ts'
import { tickParts } from '../assemble.ts'
import { runTick } from './run-tick.ts'
import { createTickTasks } from './tick-tasks.ts'

/** The tick of one process. */
export interface Tick {
  /** `signal` ends the own parts, `lasting` (default `signal`) the tasks of other plugins. */
  run(signal: AbortSignal, lasting?: AbortSignal): Promise<void>
  /** Resolves when no task is at work. */
  idle(): Promise<void>
}

/** Makes the tick of one process. `onFailure` is called with the name of a part or task that failed. */
export function createTick(context: MailerContext, onFailure?: (name: string) => void): Tick {
  const tasks = createTickTasks(context, onFailure)
  return {
    async run(signal, lasting = signal) {
      await noteTick(context, { $set: { startedAt: context.clock.now() } })
      const failed = await runTick(context, tickParts, signal)
      for (const name of failed) onFailure?.(name)
      if (signal.aborted) return
      const reason = failed.join(', ')
      await noteTick(
        context,
        failed.length > 0
          ? { $inc: { failures: 1 }, $set: { reason } }
          : { $unset: { failures: '', reason: '' } }
      )
      await tasks.run(lasting)
    },
    idle: () => tasks.idle()
  }
}

/** Setup status reads it. A database that is away must not keep the tick from the rest. */
async function noteTick({ collections, log }: MailerContext, update: object): Promise<void> {
  try {
    await collections.state.updateOne({ _id: TICK_ROW }, update, { upsert: true })
  } catch (error) {
    log.warn({ err: error }, 'mailer: the tick could not be noted')
  }
}
