// The schedule of a process: roles, the test kit's steps, and the close.
import type { JobHandler, ManifestJob } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { openTestDatabase } from '../storage/testing/test-database.ts'
import { createManualTicker } from './manual-ticker.ts'
import { createSchedule, type ScheduleOptions } from './schedule.ts'
import { movableClock, tally } from './testing/queue-bench.ts'
import { rememberingLog } from './testing/silent-log.ts'

type Jobs = readonly [Partial<ManifestJob>, JobHandler][]

async function open(t: Test, jobs: Jobs, more: Partial<ScheduleOptions> & { isManual?: boolean }) {
  const { isManual = false, ...options } = more
  const clock = movableClock()
  const { log } = rememberingLog()
  const schedule = createSchedule({
    storage: await openTestDatabase(t),
    clock,
    role: 'all',
    log,
    ...(isManual && { ticker: createManualTicker(clock) }),
    ...options
  })
  for (const [at, [spec, handler]] of jobs.entries()) {
    const full = { name: `job-${at}`, every: '1 second', ...spec }
    schedule.job({ plugin: 'alpha', log }, full, handler)
  }
  t.teardown(() => schedule.drain(2_000))
  await schedule.start()
  return { schedule, clock }
}

for (const [role, expected] of [
  ['all', ['sweep', 'refresh']],
  ['worker', ['sweep', 'refresh']],
  ['web', ['refresh']]
] as const) {
  test(`in the role ${role} these jobs run: ${expected.join(', ')}`, async (t) => {
    const runs = tally<string>()
    const { schedule, clock } = await open(
      t,
      [
        [{ runsIn: 'worker' }, () => runs.add('sweep')],
        [{ runsIn: 'all' }, () => runs.add('refresh')]
      ],
      { isManual: true, role }
    )
    await schedule.runDue(clock.now())
    t.same([...runs.seen].sort(), [...expected].sort())
  })
}

test('by itself it runs jobs of the platform and of the process', async (t) => {
  const runs = tally<string>()
  await open(
    t,
    [
      [{ runsIn: 'worker' }, () => runs.add('sweep')],
      [{ runsIn: 'all' }, () => runs.add('refresh')]
    ],
    {}
  )
  while (!(runs.seen.includes('sweep') && runs.seen.includes('refresh'))) {
    await runs.reached(runs.seen.length + 1)
  }
  t.pass()
})

test('the next due time is that of the next job', async (t) => {
  const { schedule, clock } = await open(t, [[{ every: '1 hour' }, () => {}]], { isManual: true })
  const now = clock.now()
  await schedule.runDue(now)
  t.same(await schedule.nextDueAt(), new Date(now.getTime() + 3_600_000))
})

test('without jobs and queues nothing is due', async (t) => {
  const { schedule } = await open(t, [], { isManual: true })
  t.equal(await schedule.nextDueAt(), undefined)
})

test('a schedule that runs by itself cannot be moved by hand', async (t) => {
  const { schedule, clock } = await open(t, [], {})
  await t.rejects(schedule.runDue(clock.now()), { code: 'KRN_TICKER_REAL' })
  await t.rejects(schedule.nextDueAt(), { code: 'KRN_TICKER_REAL' })
})

test('the close aborts a job that does not end, and does not wait for it', async (t) => {
  const started = tally<AbortSignal>()
  const { schedule } = await open(
    t,
    [
      [
        { runsIn: 'all' },
        ({ signal }) => {
          started.add(signal)
          return new Promise(() => {})
        }
      ]
    ],
    {}
  )
  await started.reached(1)
  t.equal(started.seen[0]?.aborted, false)
  await schedule.drain(2_000)
  t.equal(started.seen[0]?.aborted, true)
})

test('the close waits for a job that ends', async (t) => {
  const started = tally<string>()
  let ended = false
  const { schedule } = await open(
    t,
    [
      [
        { runsIn: 'all' },
        async () => {
          started.add('x')
          await new Promise((resolve) => setTimeout(resolve, 100))
          ended = true
        }
      ]
    ],
    {}
  )
  await started.reached(1)
  await schedule.drain(5_000)
  t.equal(ended, true)
})

test('a ticker that cannot stop does not hold up the close', async (t) => {
  const { log, lines } = rememberingLog()
  const schedule = createSchedule({
    storage: await openTestDatabase(t),
    clock: movableClock(),
    role: 'all',
    log,
    ticker: {
      start: async () => {},
      stop: async () => {
        throw new Error('no luck')
      }
    }
  })
  await schedule.start()
  await schedule.drain(2_000)
  t.match(lines, [{ msg: 'a step of the drain failed', err: { message: 'no luck' } }])
})

test('a job that is run by hand excludes a run of a host, and is free again afterwards', async (t) => {
  const storage = await openTestDatabase(t)
  const started = tally<string>()
  let end = () => {}
  const handler = () => {
    started.add('run')
    return new Promise<void>((resolve) => {
      end = resolve
    })
  }
  const { log } = rememberingLog()
  const idle = { start: async () => {}, stop: async () => {} }
  const processOf = () => {
    const clock = movableClock()
    const schedule = createSchedule({ storage, clock, role: 'worker', log, ticker: idle })
    schedule.job({ plugin: 'alpha', log }, { name: 'sweep', every: '1 hour' }, handler)
    t.teardown(() => schedule.drain(2_000))
    return schedule
  }
  const [first, second] = [processOf(), processOf()]
  const running = first.runJob('alpha', 'sweep')
  await started.reached(1)
  t.equal(await second.runJob('alpha', 'sweep'), undefined)
  t.equal(await first.runJob('alpha', 'sweep'), undefined)
  end()
  t.match(await running, { outcome: { kind: 'done' }, durationMs: Number })
  const again = second.runJob('alpha', 'sweep')
  await started.reached(2)
  end()
  t.match(await again, { outcome: { kind: 'done' } })
  t.throws(() => first.runJob('alpha', 'other'), { code: 'KRN_JOB_UNKNOWN' })
})

test('a job that may run several times at once is run by hand as often', async (t) => {
  const ran = tally<string>()
  const { schedule } = await open(t, [[{ concurrency: 2 }, () => ran.add('run')]], {
    isManual: true
  })
  const results = await Promise.all([
    schedule.runJob('alpha', 'job-0'),
    schedule.runJob('alpha', 'job-0')
  ])
  t.match(results, [{ outcome: { kind: 'done' } }, { outcome: { kind: 'done' } }])
  t.equal(ran.seen.length, 2)
})
