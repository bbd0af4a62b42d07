// One job in one process.
import type { JobHandler, ManifestJob } from '@keelson/sdk'
import { test } from 'tap'
import { createJob } from './job.ts'
import type { RunReport } from './run-report.ts'
import { rememberingLog } from './testing/silent-log.ts'

function open(spec: Partial<ManifestJob>, handler: JobHandler, isElsewhere = false) {
  const { log, lines } = rememberingLog()
  const reports: RunReport[] = []
  const noted: string[] = []
  const cut = new AbortController()
  const job = createJob(
    { plugin: 'alpha', log },
    { name: 'sweep', every: '1 second', ...spec },
    handler,
    {
      cut: cut.signal,
      onRun: (report) => void reports.push(report),
      lease: async (_name, { signal = cut.signal }, fn) => {
        if (isElsewhere) return { held: false }
        return { held: true, value: await fn({ owner: 'one', signal, keep: async () => {} }) }
      },
      failures: {
        failed: async (_part, error) => void noted.push(String(error)),
        succeeded: async () => void noted.push('succeeded')
      }
    }
  )
  return {
    job,
    reports,
    noted,
    cut,
    lines,
    outcomes: () => reports.map((report) => report.outcome)
  }
}

/** A handler that waits until the test releases it. */
function gate() {
  const waiting: (() => void)[] = []
  let most = 0
  let now = 0
  const handler = async () => {
    now++
    most = Math.max(most, now)
    await new Promise<void>((resolve) => void waiting.push(resolve))
    now--
  }
  const release = () => {
    for (const go of waiting.splice(0)) go()
  }
  return { handler, release, most: () => most }
}

test('a tick carries the name of plugin and job and the times of the manifest', async (t) => {
  const { tick } = open({ every: '5 minutes', runsIn: 'all' }, () => {}).job
  t.match(tick, {
    name: 'alpha/sweep',
    times: { kind: 'every', intervalMs: 300_000 },
    scope: 'process'
  })
})

test('a cron expression that cannot be read is refused with plugin and reason', async (t) => {
  t.throws(
    () =>
      createJob(
        { plugin: 'alpha', log: rememberingLog().log },
        { name: 'x', cron: '61 * * * *' },
        () => {},
        {
          cut: new AbortController().signal,
          onRun() {},
          failures: { failed: async () => {}, succeeded: async () => {} },
          lease: async () => ({ held: false })
        }
      ),
    {
      code: 'KRN_JOB_CRON',
      plugin: 'alpha',
      message: /minute: 61/
    }
  )
})

test('a run is reported with plugin, name and outcome', async (t) => {
  const { job, reports } = open({}, () => {})
  await job.tick.run()
  t.match(reports, [{ plugin: 'alpha', kind: 'job', name: 'sweep', outcome: 'done' }])
})

test('the handler gets a log that names the job', async (t) => {
  const { job, lines } = open({}, ({ log }) => log.info('swept'))
  await job.tick.run()
  t.match(lines, [{ msg: 'swept', job: 'sweep' }])
})

test('a handler that fails is reported and logged, and the next run is not held up', async (t) => {
  let runs = 0
  const { job, outcomes, lines } = open({}, () => {
    if (runs++ === 0) throw new Error('no luck')
  })
  await job.tick.run()
  await job.tick.run()
  t.same(outcomes(), ['failed', 'done'])
  t.match(lines, [{ level: 50, msg: 'the job failed', err: { message: 'no luck' } }])
})

test('with one place a second tick is skipped while the first runs', async (t) => {
  const { handler, release, most } = gate()
  const { job, outcomes } = open({}, handler)
  const first = job.tick.run()
  await Promise.resolve()
  await job.tick.run()
  t.same(outcomes(), ['skipped'])
  release()
  await first
  t.equal(most(), 1)
  t.same(outcomes(), ['skipped', 'done'])
})

test('with two places two runs overlap and a third is skipped', async (t) => {
  const { handler, release, most } = gate()
  const { job, outcomes } = open({ concurrency: 2 }, handler)
  await job.tick.run()
  await job.tick.run()
  await job.tick.run()
  release()
  await job.idle()
  t.equal(most(), 2)
  t.same(outcomes(), ['skipped', 'done', 'done'])
})

test('a handler that ignores its time limit keeps its place until it ends', async (t) => {
  const { handler, release, most } = gate()
  const { job, outcomes, cut } = open({ timeout: 0.02 }, handler)
  const first = job.tick.run()
  t.teardown(() => cut.abort())
  while (outcomes().length === 0) await new Promise((resolve) => setImmediate(resolve))
  await job.tick.run()
  release()
  await first
  t.same(outcomes(), ['timeout', 'skipped'])
  t.equal(most(), 1)
})

test('a handler that never ends loses its place in the end', async (t) => {
  const { job, outcomes } = open({ timeout: 0.005 }, () => new Promise(() => {}))
  await job.tick.run()
  await job.tick.run()
  t.same(outcomes(), ['timeout', 'timeout'])
})

test('the close does not wait for a handler that has outlived its time', async (t) => {
  const { job, cut } = open({ timeout: 0.01 }, () => new Promise(() => {}))
  const run = job.tick.run()
  cut.abort()
  await run
  await job.idle()
  t.pass()
})

test('nothing runs after the cut', async (t) => {
  const { job, reports, cut } = open({}, () => {})
  cut.abort()
  await job.tick.run()
  t.same(reports, [])
})

test('what a run says about the job is stored before its place is free', async (t) => {
  const outcomes = [() => {}, () => Promise.reject(new Error('no luck'))]
  const { job, noted } = open({}, () => outcomes[noted.length]?.())
  await job.tick.run()
  await job.tick.run()
  t.same(noted, ['succeeded', 'Error: no luck'])
})

test('a job that runs in another process is not begun here', async (t) => {
  const { job, outcomes } = open({}, () => void t.fail('two runs'), true)
  t.equal(await job.runOnce(), undefined)
  await job.tick.run()
  t.same(outcomes(), [])
})
