// Setup checks of what runs: the database, the queues, the workers, and the tasks of the tick.

import type { JobFailures } from '@keelson/sdk'
import { readPause } from '../../campaigns/marketing-pause.ts'
import type { SetupCheck, SetupItem, SetupResult } from '../../contracts/mailer-setup-check.ts'
import { type WaitingMails, waitingMails } from '../../delivery/outages/measure-waiting.ts'
import { UNKNOWN } from '../../delivery/sends/bring-back.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type MarketingPause, type StateRow, TICK_ROW } from '../../ledger/state-row.ts'
import { fine, line, say } from './sentences.ts'

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
        return fine(say('setup.database'))
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
    return fine(say('setup.onTime'))
  return line('warn', say('setup.late', { since: dueAt.toISOString() }), say('setup.lateHint'))
}

function providersResult(waiting: readonly WaitingMails[]): SetupResult {
  if (waiting.length === 0) return fine(say('setup.providers'))
  const names = waiting.map(({ provider }) => provider).join(', ')
  return {
    ...line('error', say('setup.providersDown', { names }), say('setup.providersHint')),
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
  if (count === 0) return fine(say('setup.known'))
  const several = count < MOST_UNKNOWN ? 'setup.unknown' : 'setup.unknownMany'
  const found = count === 1 ? say('setup.unknownOne') : say(several, { count })
  return {
    ...line('warn', found, say('setup.unknownHint')),
    href: '/admin/mailer/sends?status=unknown'
  }
}

function pauseResult(pause: MarketingPause | null): SetupResult {
  if (pause === null) return fine(say('setup.notPaused'))
  const { by, at, reason } = pause
  const found = say('setup.paused', { by, at: at.toISOString(), reason })
  return line('warn', found, say('setup.pausedHint'))
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
  const hint = say('setup.startWorker')
  if (startedAt === undefined) return line('warn', say('setup.noWorker'), hint)
  const staleMs = Math.max(3 * tickSeconds, LEAST_STALE_SECONDS) * 1000
  if (now.getTime() - startedAt.getTime() > staleMs) {
    return line('error', say('setup.workerGone', { since: startedAt.toISOString() }), hint)
  }
  if (failures !== undefined) {
    const found = say('setup.tickFails', { count: failures, reason: String(reason) })
    return line('warn', found, say('setup.tickHint'))
  }
  return fine(say('setup.worker', { at: startedAt.toISOString() }))
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
    return { ...line('warn', say('setup.tasksFail', { count: items.length, all: count })), items }
  return fine(count === 0 ? say('setup.noTasks') : say('setup.tasks', { count }))
}
