// Tasks that other plugins put into the tick run as jobs, and setup status says how they go.
import { standaloneHost } from '@keelson/kernel/standalone'
import { definePlugin, type Host } from '@keelson/sdk'
import { testDatabase } from '@keelson/sdk/testing'
import pino from 'pino'
import { type Test, test } from 'tap'
import { heartbeatResult, tasksResult } from '../../admin/setup/work-checks.ts'
import type { MailerCore } from '../../contracts/mailer-core.ts'
import { mailerTick, type TickTask } from '../../contracts/mailer-tick.ts'
import type { ScheduledTask } from '../../ledger/extensions.ts'
import { addTaskJobs } from './task-jobs.ts'

const START = Date.UTC(2026, 2, 1, 10)
const mailer = {} as MailerCore

const manifest = (id: string) => ({
  manifestVersion: 1,
  id,
  name: id,
  version: '1.0.0',
  kernel: '*',
  description: 'A sample.',
  license: 'MIT'
})

/** The tasks on a host whose clock is moved. */
async function open(t: Test, tasks: readonly TickTask[]) {
  const { db } = await testDatabase(t)
  let now = START
  const clock = { now: () => new Date(now) }
  const host = standaloneHost({ db, log: pino({ level: 'silent' }), clock })
  t.teardown(() => host.close())
  let scheduled: readonly ScheduledTask[] = []
  const jobs = [{ name: 'task', every: '15 seconds', timeout: 10, inParts: true }]
  const extensionPoints = [mailerTick.id]
  host.add(
    definePlugin({
      manifest: { ...manifest('mailer'), extensionPoints, jobs } as never,
      register: (own) =>
        own.onRegistered(() => {
          scheduled = addTaskJobs(own, mailer, { tickSeconds: 15 })
        })
    })
  )
  const adding = (own: Host) => {
    for (const task of tasks) own.extend(mailerTick, task)
  }
  host.add(
    definePlugin({
      manifest: { ...manifest('other'), uses: [mailerTick.id] } as never,
      register: adding
    })
  )
  await host.open()
  return {
    /** Runs what is due so much later. */
    async later(seconds: number) {
      now += seconds * 1000
      await host.runDue()
    },
    status: async () =>
      tasksResult(
        await Promise.all(
          scheduled.map(async ({ name, failures }) => ({ name, failures: await failures() }))
        )
      )
  }
}

/** A task that notes its runs. */
function counted(name: string, more: Partial<TickTask> = {}) {
  const runs: Date[] = []
  const task: TickTask = { name, run: ({ now }) => void runs.push(now), ...more }
  return { task, runs }
}

test('a task without a time runs with every tick, another one when its time has come', async (t) => {
  const every = counted('every')
  const hourly = counted('hourly', { everySeconds: 3600 })
  const { later, status } = await open(t, [every.task, hourly.task])
  for (const seconds of [0, 15, 15, 3600]) await later(seconds)
  t.same([every.runs.length, hourly.runs.length], [4, 2])
  t.match(await status(), { severity: 'ok', message: 'All 2 tasks run.' })
})

test('a task that fails is shown until it succeeds, and the others run', async (t) => {
  let isBroken = true
  const fine = counted('fine')
  const broken: TickTask = {
    name: 'broken',
    run() {
      if (isBroken) throw new Error('no luck')
    }
  }
  const { later, status } = await open(t, [broken, fine.task])
  await later(0)
  await later(15)
  t.equal(fine.runs.length, 2)
  t.match(await status(), {
    severity: 'warn',
    message: '1 of 2 tasks fail.',
    items: [{ label: 'broken', severity: 'warn', message: 'Failed 2 times in a row: no luck' }]
  })
  isBroken = false
  await later(15)
  t.match(await status(), { severity: 'ok' })
})

test('a task that does not end in time fails, and sees its signal aborted', async (t) => {
  const signals: AbortSignal[] = []
  const slow: TickTask = {
    name: 'slow',
    timeoutSeconds: 0.05,
    run: ({ signal }) =>
      new Promise((resolve) => {
        signals.push(signal)
        signal.addEventListener('abort', () => resolve())
      })
  }
  const { later, status } = await open(t, [slow])
  await later(0)
  t.ok(signals[0]?.aborted)
  t.match(await status(), { items: [{ label: 'slow', message: /0\.05 s/ }] })
})

test('without tasks setup status says so', (t) => {
  t.match(tasksResult([]), { severity: 'ok', message: 'No plugin has a task.' })
  t.end()
})

test('a worker is missing after three ticks, or 30 seconds', async (t) => {
  const now = new Date()
  const severity = (seconds: number, tickSeconds: number) =>
    heartbeatResult({ startedAt: new Date(now.getTime() - seconds * 1000) }, tickSeconds, now)
      .severity
  t.equal(heartbeatResult(undefined, 15, now).severity, 'warn')
  t.equal(severity(45, 15), 'ok')
  t.equal(severity(46, 15), 'error')
  t.equal(severity(30, 1), 'ok')
  t.equal(severity(31, 1), 'error')
})
