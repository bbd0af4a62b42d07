// The recurring work of a mailer, part by part: one that fails does not keep the others from theirs.

import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'

/** A part of the tick. It must be safe to repeat and to run in several processes. */
export interface TickPart {
  /** Shown in logs. */
  readonly name: string
  run(context: MailerContext, signal: AbortSignal): Promise<unknown>
}

/** Runs the parts in order. Returns the names of those that failed; they run again with the next tick. */
export async function runTick(
  context: MailerContext,
  parts: readonly TickPart[],
  signal: AbortSignal
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, run } of parts) {
    if (signal.aborted) break
    try {
      await run(context, signal)
    } catch (error) {
      failed.push(name)
      context.log.error({ err: error }, `mailer: ${name} failed in this tick: ${messageOf(error)}`)
    }
  }
  return failed
}
