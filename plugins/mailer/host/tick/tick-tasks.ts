// Runs the tasks that other plugins put into the tick: side by side, each within its time, one process at a time.
import { within } from '@keelson/sdk'
import type { UpdateFilter } from 'mongodb'
import type { TickTask } from '../../contracts/mailer-tick.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { type StateRow, taskRow } from '../../ledger/state-row.ts'
import { type DueTask, dueTasks } from './plan-tasks.ts'

const DEFAULT_TIMEOUT_SECONDS = 10
/** Kept over the time limit, for writing how a run ended. */
const GRACE_SECONDS = 30

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
  const running = new Map<string, Promise<unknown>>()
  /** From the claim of each task to the end of its row. */
  const begun = new Set<Promise<void>>()
  const work = async ({ task, row }: DueTask, signal: AbortSignal): Promise<void> => {
    if (!(await claim(context, { task, row }))) return
    const controller = new AbortController()
    const run = started(context, task, AbortSignal.any([signal, controller.signal]))
    // A run that outlives its time keeps its place: runs of one task never overlap.
    running.set(task.name, run)
    const ended = () => void running.delete(task.name)
    run.then(ended, ended)
    try {
      await within(run, { deadline: deadlineOf(task) })
      await settle(context, task, { $unset: { claimedUntil: '', failures: '', reason: '' } })
    } catch (error) {
      const isEnded = !running.has(task.name)
      const freed = isEnded ? { $unset: { claimedUntil: '' as const } } : {}
      // The close has cut it: the task has not failed.
      if (signal.aborted && isEnded) return void (await settle(context, task, freed))
      onFailure(task.name)
      context.log.error({ err: error, task: task.name }, 'mailer: a task of the tick failed')
      const update = { $inc: { failures: 1 }, $set: { reason: messageOf(error) } }
      await settle(context, task, { ...update, ...freed })
    } finally {
      controller.abort()
    }
  }
  const begin = (due: DueTask, signal: AbortSignal): Promise<void> => {
    const all = work(due, signal)
      .catch((error) => {
        const { name } = due.task
        context.log.error({ err: error, task: name }, 'mailer: a task of the tick was not noted')
      })
      .finally(() => begun.delete(all))
    begun.add(all)
    return all
  }
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
      await Promise.allSettled([...begun, ...running.values()])
    }
  }
}

const secondsOf = ({ timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: TickTask) => timeoutSeconds
const isShort = (task: TickTask) => secondsOf(task) <= DEFAULT_TIMEOUT_SECONDS

function deadlineOf(task: TickTask) {
  const seconds = secondsOf(task)
  return { ms: seconds * 1000, overdue: () => new Error(`it did not end within ${seconds} s`) }
}

async function started({ clock, log, core }: MailerContext, task: TickTask, signal: AbortSignal) {
  const { name, run } = task
  await run.call(task, { now: clock.now(), signal, log: log.child({ task: name }), mailer: core })
}

/** False when another process began it since the row was read. */
async function claim(
  { collections, clock }: MailerContext,
  { task, row }: DueTask
): Promise<boolean> {
  const startedAt = clock.now()
  const claimedUntil = new Date(startedAt.getTime() + (secondsOf(task) + GRACE_SECONDS) * 1000)
  const seen = { _id: taskRow(task.name), startedAt: row?.startedAt ?? { $exists: false } }
  try {
    const { matchedCount, upsertedCount } = await collections.state.updateOne(
      seen,
      { $set: { startedAt, claimedUntil } },
      { upsert: row === undefined }
    )
    return matchedCount + upsertedCount > 0
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === DUPLICATE_KEY) return false
    throw error
  }
}

const DUPLICATE_KEY = 11_000

const settle = (
  { collections }: MailerContext,
  task: TickTask,
  update: UpdateFilter<StateRow>
): Promise<unknown> => collections.state.updateOne({ _id: taskRow(task.name) }, update)
