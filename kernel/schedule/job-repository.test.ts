// What agenda leaves under way when a host closes.
import { type Test, test } from 'tap'
import { openTestDatabase } from '../storage/testing/test-database.ts'
import { createAgendaTicker } from './agenda-ticker.ts'
import { FrugalRepository, JOBS_COLLECTION } from './job-repository.ts'
import { silentLog } from './testing/silent-log.ts'
import { countingTick } from './testing/ticker-cases.ts'

const NAME = 'a/sweep'

async function open(t: Test) {
  const database = await openTestDatabase(t)
  const failures: unknown[] = []
  const repository = new FrugalRepository(database.db, {
    names: [NAME],
    onError: (error) => void failures.push(error)
  })
  await repository.connect()
  const jobs = database.db.collection(JOBS_COLLECTION)
  const due = { name: NAME, type: 'single', priority: 0, nextRunAt: new Date(0), lockedAt: null }
  const { insertedId } = await jobs.insertOne(due)
  const claim = () =>
    repository.getNextJobToRun(NAME, new Date(), new Date(0), undefined, undefined)
  const lockedAt = async () => (await jobs.findOne({ _id: insertedId }))?.['lockedAt'] ?? null
  return { database, repository, failures, claim, lockedAt }
}

test('a job whose claim is under way when the host closes is given back', async (t) => {
  const { repository, claim, lockedAt } = await open(t)
  const claimed = claim()
  await repository.settle()
  t.equal(await claimed, undefined)
  t.equal(await lockedAt(), null)
})

test('a command that agenda does not wait for fails without ending the process', async (t) => {
  const { repository, failures, claim } = await open(t)
  const job = await claim()
  t.ok(job)
  const closed = Object.assign(new Error('closed'), { name: 'MongoClientClosedError' })
  Object.assign(repository.collection, { updateOne: () => Promise.reject(closed) })
  if (job !== undefined) await repository.unlockJob(job)
  t.same(failures, [closed])
})

test('the close waits for commands in hand, and nothing is sent after it', async (t) => {
  const { database, repository, claim, lockedAt } = await open(t)
  const job = await claim()
  t.ok(job)
  if (job === undefined) return
  void repository.unlockJob(job)
  await repository.settle()
  t.equal(await lockedAt(), null, 'the unlock is done')
  const before = database.commands.length
  await repository.unlockJob(job)
  await repository.saveJobState(job, undefined)
  t.equal(await claim(), undefined)
  t.equal(database.commands.length, before)
})

test('a run in hand gives its lock back before the close ends', async (t) => {
  const database = await openTestDatabase(t)
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const ticker = createAgendaTicker({ db: database.db, log: silentLog })
  const { tick, ran } = countingTick(NAME, {}, () => finished)
  await ticker.start([tick])
  await ran(1)
  await ticker.stop()
  finish()
  await ticker.settle?.()
  const job = await database.db.collection(JOBS_COLLECTION).findOne({ name: NAME })
  t.equal(job?.['lockedAt'] ?? null, null)
})
