// Tasks that other plugins put into the tick: each is a job of the host.
import type { Host } from '@keelson/sdk'
import type { MailerCore } from '../../contracts/mailer-core.ts'
import { mailerTick } from '../../contracts/mailer-tick.ts'
import type { ScheduledTask } from '../../ledger/extensions.ts'

/** Seconds that a task may take when it does not say. */
const USUAL_S = 10

/** Times as a schedule takes them: whole seconds. */
export const everySeconds = (seconds: number): string =>
  `${Math.max(1, Math.round(seconds))} seconds`

/** Gives the host a job for each task. */
export function addTaskJobs(
  host: Host,
  mailer: MailerCore,
  { tickSeconds }: { readonly tickSeconds: number }
): readonly ScheduledTask[] {
  return host.contributions(mailerTick).map((task) => {
    const { name, everySeconds: seconds = tickSeconds, timeoutSeconds: timeout = USUAL_S } = task
    const job = host.job('task', (run) => task.run({ now: host.clock.now(), mailer, ...run }), {
      part: name,
      every: everySeconds(seconds),
      timeout
    })
    return { name, isShort: timeout <= USUAL_S, ...job }
  })
}
