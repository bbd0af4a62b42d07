// Failures of jobs and queues: counted for the whole platform, gone after a success.
import { type Test, test } from 'tap'
import { openTestDatabase } from '../storage/testing/test-database.ts'
import { createFailures, forgetFailures, type ScheduledPart } from './failures.ts'
import { createManualTicker } from './manual-ticker.ts'
import { createSchedule } from './schedule.ts'
import { many, openQueue } from './testing/queue-bench.ts'
import { rememberingLog, silentLog } from './testing/silent-log.ts'

const sweep: ScheduledPart = { plugin: 'alpha', kind: 'job', name: 'sweep' }
const own: ScheduledPart = { ...sweep, name: 'own', isOwnOfProcess: true }

async function open(t: Test) {
  const { db } = await openTestDatabase(t)
  let now = new Date('2026-03-01T10:00:00Z')
  const clock = {
    now: () => now,
    move: (ms: number) => {
      now = new Date(now.getTime() + ms)
    }
  }
  const redact = (text: string) => text.replaceAll('s3cr3t', '[secret]')
  const process = () => createFailures({ db, clock, log: silentLog, redact })
  return { db, clock, process }
}

test('failures in a row are counted over all processes, with the last reason and no secret', async (t) => {
  const { clock, process } = await open(t)
  const since = clock.now()
  await process().failed(sweep, new Error('first'))
  clock.move(60_000)
  await process().failed(sweep, new Error('the token s3cr3t is refused'))
  t.same(await process().list([sweep]), [
    { ...sweep, count: 2, reason: 'the token [secret] is refused', since, lastAt: clock.now() }
  ])
})

test('a success in any process ends them', async (t) => {
  const { process } = await open(t)
  await process().failed(sweep, new Error('no luck'))
  await process().succeeded(sweep)
  t.same(await process().list([sweep]), [])
})

test('a job that each process runs fails in its process alone', async (t) => {
  const { process } = await open(t)
  const [first, second] = [process(), process()]
  await first.failed(own, new Error('no luck'))
  await first.failed(own, new Error('no luck'))
  await second.succeeded(own)
  t.match(await first.list([own]), [{ name: 'own', count: 2 }])
  t.same(await second.list([own]), [])
  await first.succeeded(own)
  t.same(await first.list([own]), [])
})

test('only what is asked for is listed', async (t) => {
  const { db, process } = await open(t)
  const failures = process()
  await failures.failed(sweep, new Error('no luck'))
  await failures.failed({ ...sweep, plugin: 'alpha2' }, new Error('no luck'))
  t.same(await failures.list([{ ...sweep, name: 'other' }]), [])
  t.same(await failures.list([]), [])
  await forgetFailures(db, 'alpha')
  t.same(await failures.list([sweep]), [])
  t.equal((await failures.list([{ ...sweep, plugin: 'alpha2' }])).length, 1)
})

test('a failure that cannot be stored is logged and fails nothing', async (t) => {
  const { db, clock } = await open(t)
  const { log, lines } = rememberingLog()
  const away = {
    collection: () => ({ updateOne: async () => Promise.reject(new Error('the database is away')) })
  } as unknown as typeof db
  await createFailures({ db: away, clock, log, redact: (text) => text }).failed(sweep, 'no luck')
  t.match(lines, [{ level: 40, msg: /could not be stored/ }])
})

test('a job that fails and one that runs too long are listed until they succeed', async (t) => {
  const { db, clock } = await open(t)
  let isBroken = true
  const ticker = createManualTicker(clock)
  const schedule = createSchedule({ storage: { db }, clock, role: 'all', log: silentLog, ticker })
  t.teardown(() => schedule.drain(2_000))
  const owner = { plugin: 'alpha', log: silentLog }
  const every = '1 minute'
  schedule.job(owner, { name: 'sweep', every }, () => {
    if (isBroken) throw new Error('no luck')
  })
  schedule.job(owner, { name: 'slow', every, timeout: 1 }, ({ signal }) => {
    if (!isBroken) return
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  })
  schedule.job({ ...owner, plugin: 'beta' }, { name: 'gone', every }, () => {
    throw new Error('no luck')
  })
  await schedule.start()
  await schedule.runDue(clock.now())
  schedule.withdraw('beta')
  t.match(await schedule.failures(), [
    { plugin: 'alpha', kind: 'job', name: 'sweep', count: 1, reason: 'no luck' },
    { plugin: 'alpha', kind: 'job', name: 'slow', count: 1, reason: /did not end within 1 s/ }
  ])
  isBroken = false
  clock.move(60_000)
  await schedule.runDue(clock.now())
  t.same(await schedule.failures(), [])
})

test('a queue that parked items is listed for a day', async (t) => {
  const { queue, runDue, schedule, clock } = await openQueue(t, {
    isManual: true,
    attempts: 1,
    handler: () => {
      throw new Error('no luck')
    }
  })
  await queue.add(many(3))
  await runDue()
  t.match(await schedule.failures(), [
    { plugin: 'work', kind: 'queue', name: 'items', count: 3, reason: 'no luck' }
  ])
  clock.move(25 * 3_600_000)
  t.same(await schedule.failures(), [])
  await queue.add(many(1, 'later'))
  await runDue()
  t.match(await schedule.failures(), [{ count: 1 }])
})
