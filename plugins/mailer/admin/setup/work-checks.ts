// Setup checks of what runs: the database, the queues, the workers, and the tasks of the tick.

import type { JobFailures } from '@keelson/sdk'
import { readPause } from '../../campaigns/marketing-pause.ts'
import type { SetupCheck, SetupItem, SetupResult } from '../../contracts/mailer-setup-check.ts'
import { type WaitingMails, waitingMails } from '../../delivery/outages/measure-waiting.ts'
import { UNKNOWN } from '../../delivery/sends/bring-back.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type MarketingPause, type StateRow, TICK_ROW } from '../../ledger/state-row.ts'

const LATE_MS = 5 * 60_000
const LEAST_STALE_SECONDS = 30

/** Checks of the work that runs. */
export function workChecks(context: MailerContext): readonly SetupCheck[] {
  const { collections, config, extensions } = context
  return [
    {
      name: 'mongo',
      label: 'Database',
      async run() {
        await collections.state.findOne({ _id: TICK_ROW })
        return { severity: 'ok', message: 'The database answers.' }
      }
    },
    {
      name: 'queue',
      label: 'Urgent mail',
      run: async ({ now }) => queueResult(await oldestUrgent(context), now)
    },
    {
      name: 'provider_unavailable',
      label: 'Mail providers',
      run: async () => providersResult(await waitingMails(context))
    },
    {
      name: 'unknown_sends',
      label: 'Mail of unknown outcome',
      run: async () => unknownResult(await countUnknown(context))
    },
    {
      name: 'marketing_pause',
      label: 'Marketing mail',
      run: async () => pauseResult(await readPause(context))
    },
    ...(config.queue.driver === 'noop' ? [] : [heartbeatCheck(context)]),
    {
      name: 'tick_tasks',
      label: 'Recurring tasks',
      async run() {
        const tasks = extensions.tickTasks()
        const states = await Promise.all(
          tasks.map(async ({ name, failures }) => ({ name, failures: await failures() }))
        )
        return tasksResult(states)
      }
    }
  ]
}

/** When the urgent mail that waits longest should have left. */
async function oldestUrgent({ collections }: MailerContext): Promise<Date | undefined> {
  const row = await collections.sends.findOne(
    { lane: 'urgent', dueAt: { $exists: true } },
    { sort: { lane: 1, dueAt: 1 }, projection: { dueAt: 1 } }
  )
  return row?.dueAt
}

function queueResult(dueAt: Date | undefined, now: Date): SetupResult {
  if (dueAt === undefined || now.getTime() - dueAt.getTime() < LATE_MS)
    return { severity: 'ok', message: 'Urgent mail leaves on time.' }
  return {
    severity: 'warn',
    message: `Urgent mail has been due since ${dueAt.toISOString()}.`,
    hint: 'Look whether workers run, and at the provider of that mail.'
  }
}

function providersResult(waiting: readonly WaitingMails[]): SetupResult {
  if (waiting.length === 0) return { severity: 'ok', message: 'The providers take mail.' }
  const names = waiting.map(({ provider }) => provider).join(', ')
  return {
    severity: 'error',
    message: `Mail waits, because a provider takes none: ${names}.`,
    hint: 'It leaves by itself when the provider answers. Check credentials, limits and network.',
    items: waiting.map(({ provider, count, since, reason, nextProbeAt }) => ({
      label: provider,
      severity: 'error',
      message: `${count} mails wait since ${since.toISOString()}: ${reason}`,
      hint: `It is asked again at ${nextProbeAt.toISOString()}.`
    }))
  }
}

/** Counted to so many. */
const MOST_UNKNOWN = 10_000

const countUnknown = ({ collections }: MailerContext): Promise<number> =>
  collections.sends.countDocuments(UNKNOWN, { limit: MOST_UNKNOWN })

function unknownResult(count: number): SetupResult {
  if (count === 0) return { severity: 'ok', message: 'It is known of each mail whether it left.' }
  const many = count === 1 ? '1 mail' : `${count < MOST_UNKNOWN ? count : `${count} or more`} mails`
  return {
    severity: 'warn',
    message: `It is unknown whether ${many} left: the answer of the provider was lost.`,
    hint: 'Look them up at the provider, then resolve them. They are not sent again by themselves.',
    href: '/admin/mailer/sends?status=unknown'
  }
}

function pauseResult(pause: MarketingPause | null): SetupResult {
  if (pause === null) return { severity: 'ok', message: 'Marketing mail is not paused.' }
  return {
    severity: 'warn',
    message: `${pause.by} paused all marketing mail at ${pause.at.toISOString()}: ${pause.reason}`,
    hint: 'Resume it when the reason is gone.'
  }
}

function heartbeatCheck({ collections, config }: MailerContext): SetupCheck {
  return {
    name: 'workers_heartbeat',
    label: 'Workers',
    async run({ now }) {
      const row = await collections.state.findOne({ _id: TICK_ROW })
      return heartbeatResult(row ?? undefined, config.tickIntervalSeconds, now)
    }
  }
}

/** A worker is missing when three ticks were left out. */
export function heartbeatResult(
  { startedAt, failures, reason }: Omit<StateRow, '_id'> = {},
  tickSeconds: number,
  now: Date
): SetupResult {
  const hint = 'Start a process in the role worker or all.'
  if (startedAt === undefined) return { severity: 'warn', message: 'No worker has run yet.', hint }
  const staleMs = Math.max(3 * tickSeconds, LEAST_STALE_SECONDS) * 1000
  if (now.getTime() - startedAt.getTime() > staleMs) {
    const message = `No worker has run since ${startedAt.toISOString()}.`
    return { severity: 'error', message, hint }
  }
  if (failures !== undefined) {
    const message = `Parts of the tick failed ${failures} times in a row: ${reason}.`
    return { severity: 'warn', message, hint: 'The log of the worker says why.' }
  }
  return { severity: 'ok', message: `A worker ran at ${startedAt.toISOString()}.` }
}

/** A task, and how its last runs failed. */
interface TaskState {
  readonly name: string
  readonly failures: JobFailures | undefined
}

/** What setup status says of the tasks of other plugins. */
export function tasksResult(tasks: readonly TaskState[]): SetupResult {
  const { length: count } = tasks
  const items = tasks.flatMap(({ name: label, failures }): SetupItem[] => {
    if (failures === undefined) return []
    const message = `Failed ${failures.count} times in a row: ${failures.reason}`
    return [{ label, severity: 'warn', message }]
  })
  if (items.length > 0)
    return { severity: 'warn', message: `${items.length} of ${count} tasks fail.`, items }
  const message = count === 0 ? 'No plugin has a task.' : `All ${count} tasks run.`
  return { severity: 'ok', message }
}
