// Runs the tasks that other plugins put into the tick: side by side, each within its time, one process at a time.
import { within } from '@keelson/sdk'
import { type Outcome, startRun } from '@keelson/sdk/queue'
import type { UpdateFilter } from 'mongodb'
import type { TickTask } from '../../contracts/mailer-tick.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { type StateRow, taskRow } from '../../ledger/state-row.ts'
import { type DueTask, dueTasks } from './plan-tasks.ts'

const DEFAULT_TIMEOUT_SECONDS = 10
/** After a process died, another may run its tasks. */
const LEASE = { seconds: 30 }
/** A run that outlives its time keeps its place: runs of one task never overlap. But not for ever. */
const GIVE_UP_TIMEOUTS = 10

/** The tasks of one process. */
export interface TickTasks {
  /**
   * Begins the tasks that are due and waits for those with a short time limit; the others do not keep the
   * next tick waiting. `signal` is aborted when the process closes.
   */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when no task is at work, and what came of each is written. */
  idle(): Promise<void>
}

/** Makes the tasks of one process. `onFailure` is called with the name of a task that failed. */
export function createTickTasks(
  context: MailerContext,
  onFailure: (task: string) => void = () => undefined
): TickTasks {
  /** By name, from the lease of each task to the end of its run. */
  const running = new Map<string, Promise<void>>()
  /** Resolves when it is written what came of it; the run may go on beyond its time. */
  const begin = (due: DueTask, signal: AbortSignal): Promise<void> =>
    new Promise((settled) => {
      const { name } = due.task
      const work = context
        .lease(`task/${name}`, { ...LEASE, signal }, (lease) =>
          runTask(context, due, { signal: lease.signal, onFailure, settled })
        )
        .then(
          () => undefined,
          (error) => {
            context.log.error(
              { err: error, task: name },
              'mailer: a task of the tick was not noted'
            )
          }
        )
        .finally(() => {
          running.delete(name)
          settled()
        })
      running.set(name, work)
    })
  return {
    async run(signal) {
      const tasks = context.extensions.tickTasks().filter(({ name }) => !running.has(name))
      if (tasks.length === 0) return
      const ids = tasks.map(({ name }) => taskRow(name))
      const rows = await context.collections.state.find({ _id: { $in: ids } }).toArray()
      const due = dueTasks(tasks, rows, context.clock.now())
      const runs = due.map((one) => ({ task: one.task, run: begin(one, signal) }))
      await Promise.all(runs.filter(({ task }) => isShort(task)).map(({ run }) => run))
    },
    async idle() {
      await Promise.all(running.values())
    }
  }
}

const secondsOf = ({ timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: TickTask) => timeoutSeconds
const isShort = (task: TickTask) => secondsOf(task) <= DEFAULT_TIMEOUT_SECONDS

interface Running {
  /** Aborted by the close, and when the lease is lost. */
  readonly signal: AbortSignal
  onFailure(task: string): void
  settled(): void
}

async function runTask(
  context: MailerContext,
  due: DueTask,
  { signal, onFailure, settled }: Running
): Promise<void> {
  if (!(await noteStart(context, due))) return
  const { task } = due
  const { clock, log, core: mailer } = context
  const seconds = secondsOf(task)
  const timeoutError = () => new Error(`it did not end within ${seconds} s`)
  const limits = { seconds, log: log.child({ task: task.name }), cut: signal, timeoutError }
  const run = startRun(limits, (given) => task.run({ now: clock.now(), mailer, ...given }))
  const outcome = await run.outcome
  if ('error' in outcome) {
    onFailure(task.name)
    log.error({ err: outcome.error, task: task.name }, 'mailer: a task of the tick failed')
  }
  await noteEnd(context, task, outcome)
  if (outcome.kind !== 'timeout') return
  settled()
  const deadline = { ms: seconds * 1000 * GIVE_UP_TIMEOUTS, overdue: timeoutError }
  await within(run.ended, { deadline, signal }).catch(() => {})
}

/** False when another process began it since the row was read. */
async function noteStart(
  { collections, clock }: MailerContext,
  { task, row }: DueTask
): Promise<boolean> {
  const seen = { _id: taskRow(task.name), startedAt: row?.startedAt ?? { $exists: false } }
  try {
    const { matchedCount, upsertedCount } = await collections.state.updateOne(
      seen,
      { $set: { startedAt: clock.now() } },
      { upsert: row === undefined }
    )
    return matchedCount + upsertedCount > 0
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === DUPLICATE_KEY) return false
    throw error
  }
}

const DUPLICATE_KEY = 11_000

/** A task that the close has cut has not failed. */
async function noteEnd(
  { collections }: MailerContext,
  { name }: TickTask,
  outcome: Outcome
): Promise<void> {
  if (outcome.kind === 'returned') return
  const update: UpdateFilter<StateRow> =
    outcome.kind === 'done'
      ? { $unset: { failures: '', reason: '' } }
      : { $inc: { failures: 1 }, $set: { reason: messageOf(outcome.error) } }
  await collections.state.updateOne({ _id: taskRow(name) }, update)
}
