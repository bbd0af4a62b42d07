// Tasks that other plugins put into the tick: when they are due, and what one that fails changes.
import { setTimeout as pause } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { heartbeatResult } from '../../admin/setup/work-checks.ts'
import type { TickTask } from '../../contracts/mailer-tick.ts'
import { testContext } from '../../test/test-context.ts'
import { createTickTasks } from './tick-tasks.ts'

const never = new AbortController().signal

async function open(t: Test, tasks: readonly TickTask[]) {
  const kit = await testContext(t, { extensions: { tickTasks: () => tasks } })
  const row = (name: string) => kit.context.collections.state.findOne({ _id: `task:${name}` })
  return { ...kit, row }
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
  const { context, pass } = await open(t, [every.task, hourly.task])
  const tasks = createTickTasks(context)
  for (const seconds of [0, 15, 3600]) {
    pass(seconds * 1000)
    await tasks.run(never)
  }
  t.equal(every.runs.length, 3)
  t.equal(hourly.runs.length, 2)
})

test('a task is due when the clock was set back since it ran', async (t) => {
  const hourly = counted('hourly', { everySeconds: 3600 })
  const { context, pass } = await open(t, [hourly.task])
  const tasks = createTickTasks(context)
  await tasks.run(never)
  pass(-30 * 86_400_000)
  await tasks.run(never)
  await tasks.run(never)
  t.equal(hourly.runs.length, 2)
})

test('a task that fails is noted until it succeeds, and the others run', async (t) => {
  let isBroken = true
  const failed: string[] = []
  const fine = counted('fine')
  const broken: TickTask = {
    name: 'broken',
    run() {
      if (isBroken) throw new Error('no luck')
    }
  }
  const { context, row, logged } = await open(t, [broken, fine.task])
  const tasks = createTickTasks(context, (name) => failed.push(name))
  await tasks.run(never)
  await tasks.run(never)
  t.equal(fine.runs.length, 2)
  t.same(failed, ['broken', 'broken'])
  t.match(await row('broken'), { failures: 2, reason: 'no luck' })
  t.match(logged, [{ level: 'error', fields: { task: 'broken' } }, { level: 'error' }])
  isBroken = false
  await tasks.run(never)
  t.equal((await row('broken'))?.failures, undefined)
})

test('a task that does not end in time fails, sees its signal aborted, and does not run twice', async (t) => {
  const signals: AbortSignal[] = []
  const ends = new AbortController()
  const slow: TickTask = {
    name: 'slow',
    timeoutSeconds: 0.05,
    run({ signal }) {
      signals.push(signal)
      return new Promise((resolve) => ends.signal.addEventListener('abort', () => resolve()))
    }
  }
  const { context, row, pass } = await open(t, [slow])
  const tasks = createTickTasks(context)
  await tasks.run(never)
  t.match(await row('slow'), { failures: 1, reason: /0\.05 s/ })
  t.ok(signals[0]?.aborted)
  await tasks.run(never)
  await createTickTasks(context).run(never)
  t.equal(signals.length, 1, 'it is still at work, for this process and for others')
  ends.abort()
  await tasks.idle()
  pass(60_000)
  await tasks.run(never)
  t.equal(signals.length, 2)
})

test('a task with a long time limit does not keep the tick waiting', async (t) => {
  const ends = new AbortController()
  const long: TickTask = {
    name: 'long',
    timeoutSeconds: 300,
    run: ({ signal }) => pause(300_000, undefined, { signal }).catch(() => undefined)
  }
  const { context } = await open(t, [long])
  const tasks = createTickTasks(context)
  await tasks.run(ends.signal)
  ends.abort()
  await tasks.idle()
  t.pass()
})

test('a task that is cut by the close is waited for, freed, and has not failed', async (t) => {
  const ends = new AbortController()
  const failed: string[] = []
  const long: TickTask = {
    name: 'long',
    timeoutSeconds: 300,
    run: ({ signal }) => pause(300_000, undefined, { signal })
  }
  const { context, row } = await open(t, [long])
  const tasks = createTickTasks(context, (task) => failed.push(task))
  await tasks.run(ends.signal)
  // Its claim is still on the way.
  ends.abort()
  await tasks.idle()
  const { startedAt, failures } = (await row('long')) ?? {}
  t.ok(startedAt instanceof Date)
  t.same([failures, failed], [undefined, []])
  t.match(await context.lease('task/long', { seconds: 1 }, () => 'free'), { value: 'free' })
})

test('of two processes one runs a task', async (t) => {
  const { task, runs } = counted('one', { everySeconds: 60 })
  const { context } = await open(t, [task])
  await Promise.all([createTickTasks(context).run(never), createTickTasks(context).run(never)])
  t.equal(runs.length, 1)
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
