// Agenda as the clock: the shared cases, and what only a clock of several processes can do.
// Runs beside the others: it waits for much of its time.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCron } from '@keelson/sdk/schedule'
import tap, { type Test, test } from 'tap'
import { openTestDatabase, reopen, type TestDatabase } from '../storage/testing/test-database.ts'
import { createAgendaTicker } from './agenda-ticker.ts'
import { JOBS_COLLECTION } from './job-repository.ts'
import { rememberingLog, silentLog } from './testing/silent-log.ts'
import { countingTick, INTERVAL_MS, testTicker } from './testing/ticker-cases.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 16

const LOCK_MS = 2_000

const tickerOn = (t: Test, database: TestDatabase) => {
  const ticker = createAgendaTicker({ db: database.db, log: silentLog, lockMs: LOCK_MS })
  t.teardown(() => ticker.stop())
  return ticker
}

testTicker('agenda ticker', async (t) => {
  const database = await openTestDatabase(t)
  return { ticker: tickerOn(t, database), advance: (ms) => sleep(ms) }
})

test('of two processes only one runs a tick', async (t) => {
  const first = await openTestDatabase(t)
  const second = await reopen(t, first)
  const times: number[] = []
  let finish = () => {}
  const over = new Promise<void>((resolve) => {
    finish = resolve
  })
  const act = async () => {
    times.push(Date.now())
    if (times.length === 4) finish()
  }
  await tickerOn(t, first).start([countingTick('a/sweep', {}, act).tick])
  await tickerOn(t, second).start([countingTick('a/sweep', {}, act).tick])
  await over
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  t.ok(
    gaps.every((gap) => gap > INTERVAL_MS / 2),
    `runs came ${gaps} ms apart`
  )
})

test('a run that takes longer than its lock is not started a second time', async (t) => {
  const first = await openTestDatabase(t)
  const second = await reopen(t, first)
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const slow = countingTick('a/slow', {}, () => finished)
  const other = countingTick('a/slow')
  await tickerOn(t, first).start([slow.tick])
  await slow.ran(1)
  await tickerOn(t, second).start([other.tick])
  await sleep(2 * LOCK_MS)
  t.same([slow.runs(), other.runs()], [1, 0])
  finish()
})

test('the job of a process that died goes on in another', async (t) => {
  const database = await openTestDatabase(t)
  const ago = new Date(Date.now() - LOCK_MS / 2)
  await database.db.collection(JOBS_COLLECTION).insertOne({
    name: 'a/sweep',
    type: 'single',
    priority: 0,
    repeatInterval: INTERVAL_MS,
    repeatTimezone: 'UTC',
    nextRunAt: ago,
    lastRunAt: ago,
    lockedAt: ago
  })
  const { tick, ran } = countingTick('a/sweep')
  await tickerOn(t, database).start([tick])
  await ran(1)
  t.ok(Date.now() - ago.getTime() >= LOCK_MS)
})

test('a later start keeps the plan of a job, another interval makes it due at once', async (t) => {
  const database = await openTestDatabase(t)
  const jobs = database.db.collection(JOBS_COLLECTION)
  const hourly = { kind: 'every', intervalMs: 3_600_000 } as const
  const first = countingTick('a/sweep', { times: hourly })
  const started = tickerOn(t, database)
  await started.start([first.tick])
  await first.ran(1)
  await started.stop()
  const planned = async () => (await jobs.findOne({ name: 'a/sweep' }))?.['nextRunAt']
  while (!((await planned()) > new Date())) await sleep(20)
  const before = await planned()
  const again = tickerOn(t, database)
  await again.start([countingTick('a/sweep', { times: hourly }).tick])
  t.same(await planned(), before)
  await again.stop()
  const { tick, ran } = countingTick('a/sweep', { times: { ...hourly, intervalMs: 60_000 } })
  await tickerOn(t, database).start([tick])
  await ran(1)
})

test('a database that does not answer is said once, and ticks go on after it', async (t) => {
  const database = await openTestDatabase(t)
  let isDown = false
  const db = new Proxy(database.db, {
    get(target, key) {
      if (key === 'collection' && isDown) throw new Error('the database does not answer')
      const found: unknown = Reflect.get(target, key)
      return typeof found === 'function' ? found.bind(target) : found
    }
  })
  const { log, lines } = rememberingLog()
  const ticker = createAgendaTicker({ db, log, lockMs: LOCK_MS })
  t.teardown(() => ticker.stop())
  const { tick, ran, runs } = countingTick('a/sweep')
  await ticker.start([tick])
  await ran(1)
  isDown = true
  while (lines.length === 0) await sleep(20)
  await sleep(3 * INTERVAL_MS)
  isDown = false
  await ran(runs() + 1)
  t.match(lines, [{ level: 40, msg: 'jobs wait: the database does not answer' }])
})

test('polls after the connection was closed are not an outage', async (t) => {
  const database = await openTestDatabase(t)
  let asked = 0
  const db = new Proxy(database.db, {
    get(target, key) {
      if (key === 'collection' && isClosed) {
        const name = ['MongoClientClosedError', 'MongoPoolClosedError'][asked++ % 2]
        throw Object.assign(new Error('closed'), { name })
      }
      const found: unknown = Reflect.get(target, key)
      return typeof found === 'function' ? found.bind(target) : found
    }
  })
  let isClosed = false
  const { log, lines } = rememberingLog()
  const ticker = createAgendaTicker({ db, log, lockMs: LOCK_MS })
  t.teardown(() => ticker.stop())
  const { tick, ran } = countingTick('a/sweep')
  await ticker.start([tick])
  await ran(1)
  isClosed = true
  while (asked < 2) await sleep(20)
  t.same(lines, [])
})

test('a cron expression is planned in UTC', async (t) => {
  const database = await openTestDatabase(t)
  const parsed = parseCron('30 5 * * *')
  if (!parsed.ok) throw new Error(parsed.reason)
  const times = { kind: 'cron', expression: '30 5 * * *', cron: parsed.cron } as const
  await tickerOn(t, database).start([countingTick('a/daily', { times }).tick])
  const job = await database.db.collection(JOBS_COLLECTION).findOne({ name: 'a/daily' })
  t.match(job?.['nextRunAt'].toISOString(), /T05:30:00\.000Z$/)
})

test('an idle poll of many jobs is one read, whatever their number', async (t) => {
  const database = await openTestDatabase(t)
  const daily = { kind: 'every', intervalMs: 86_400_000 } as const
  const often = countingTick('a/often')
  const rare = Array.from({ length: 20 }, (_, at) => countingTick(`a/rare-${at}`, { times: daily }))
  await tickerOn(t, database).start([often.tick, ...rare.map((each) => each.tick)])
  await Promise.all(rare.map((each) => each.ran(1)))
  await often.ran(2)
  const before = database.commands.length
  await often.ran(5)
  const commands = database.commands.slice(before)
  const count = (name: string) => commands.filter(({ command }) => command === name).length
  t.ok(count('findAndModify') <= 4, `${count('findAndModify')} claims for 3 ticks`)
  t.ok(count('find') <= 12, `${count('find')} reads for 3 ticks`)
})

test('agenda makes no collection and no index beside the one of its jobs', async (t) => {
  const database = await openTestDatabase(t)
  const { tick, ran } = countingTick('a/sweep')
  await tickerOn(t, database).start([tick])
  await ran(1)
  const collections = await database.db.listCollections({}, { nameOnly: true }).toArray()
  t.same(
    collections.map(({ name }) => name),
    [JOBS_COLLECTION]
  )
  const indexes = await database.db.collection(JOBS_COLLECTION).listIndexes().toArray()
  t.same(indexes.map(({ name }) => name).sort(), ['_id_', 'by_name'])
})
