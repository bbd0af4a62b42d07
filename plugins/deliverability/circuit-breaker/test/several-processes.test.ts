// Several processes, and processes that are killed: everything counts once, and one of them trips.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { MailAuditEntry } from '@keelson/mailer/contracts'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { bucketId } from '../buckets/bucket-row.ts'
import { countOutcomes, recordHealthCounter } from '../buckets/count-outcomes.ts'
import { getBucketStatus, readHealth } from '../buckets/health-report.ts'
import { announceChanges } from '../changes/announce-changes.ts'
import { resumeBucket, tripBucket } from '../changes/change-bucket.ts'
import { evaluateHealth } from '../changes/evaluate-health.ts'
import { errors } from '../errors.ts'
import { contextOn, prepare } from './breaker-bench.ts'
import { outcomes } from './outcome.ts'

const CHILD = fileURLToPath(new URL('./counting-child.js', import.meta.url))
const KILLS = 4
const marketing = { senderDomain: 'acme.test', kind: 'marketing' } as const

test('processes that count at the same time count every outcome once, and one trips', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  const occurredAt = new Date()
  const feed = [
    ...outcomes(400, { type: 'accepted', occurredAt }),
    ...outcomes(20, { type: 'hard_bounce', occurredAt })
  ]
  const audited: MailAuditEntry[] = []
  const mailer = { audit: async (entry: MailAuditEntry) => void audited.push(entry) }
  const contexts = Array.from({ length: 4 }, () => contextOn(database, { feed, mailer }))
  await Promise.all(contexts.map((context) => countAll(context, feed.length)))
  const tripped = await Promise.all(contexts.map((context) => evaluateHealth(context)))
  const [context] = contexts
  if (context === undefined) return
  t.match((await readHealth(context)).counters, { sent: 400, hardBounced: 20 })
  t.equal(tripped.flatMap((each) => each.tripped).length, 1)
  t.match(audited, [{ action: 'health.trip' }])
  t.equal(audited.length, 1)
})

/** The feed of the bench gives short pages, which end a call. */
async function countAll(context: Parameters<typeof countOutcomes>[0], until: number) {
  for (;;) {
    await countOutcomes(context)
    const { counters } = await readHealth(context)
    if ((counters?.sent ?? 0) + (counters?.hardBounced ?? 0) >= until) return
  }
}

test('processes that are killed while they count lose nothing and count nothing twice', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  const uri = await databaseUri()
  const count = 1000
  const start = () => spawn(process.execPath, [CHILD, uri, database.db.databaseName, `${count}`])
  for (let round = 0; round < KILLS; round++) {
    const child = start()
    // A line for each page that is counted: the kill falls somewhere into one of the next.
    let pages = 0
    child.stdout.on('data', () => {
      pages += 1
      if (pages === 1 + round) child.kill('SIGKILL')
    })
    child.stderr.on('data', (text) => t.fail(String(text)))
    await once(child, 'close')
    // The database ends the transaction of a killed process after a minute: no need to wait for that.
    await database.db.admin().command({ killAllSessions: [] })
  }
  const last = start()
  last.stdout.resume()
  await once(last, 'close')
  const health = await readHealth(contextOn(database, { feed: [] }))
  t.equal(health.counters?.sent, count)
  t.equal(health.buckets[0]?.counters.sent, count)
})

test('a trip is announced once: by another process when the first fails, dies or is too slow', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  let now = new Date()
  const audited: MailAuditEntry[] = []
  const pauses: object[] = []
  const mailer = {
    audit: async (entry: MailAuditEntry) => void audited.push(entry),
    pauseBroadcasts: async (pause: object) => ({ paused: pauses.push(pause) })
  }
  const context = contextOn(database, { feed: [], mailer, now: () => now })
  t.ok(await tripBucket(context, marketing, { reason: 'Bad', actor: 'system:test' }))
  const isAway = new Error('the process ends here')
  const broken = contextOn(database, {
    feed: [],
    now: () => now,
    mailer: { pauseBroadcasts: () => Promise.reject(isAway) }
  })
  await t.rejects(announceChanges(broken), isAway)
  await broken.lease(`announce/${bucketId(marketing)}`, { seconds: 60 }, async () => {
    await announceChanges(context)
    t.same(audited, [], 'the other process may still be at it')
    now = new Date(now.getTime() + 61_000)
    await announceChanges(context)
  })
  await announceChanges(context)
  t.match([audited.length, pauses.length], [1, 1])
})

test('a mail about a trip that is refused does not hold up the change; one that may be sent later does', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  let failure: Error | undefined = new Error('the mailer is away')
  let mails = 0
  const mailer = {
    async notify() {
      mails++
      if (failure !== undefined) throw failure
      return { queued: true } as never
    }
  }
  const config = { alertEmail: 'ops@acme.test' }
  const context = contextOn(database, { feed: [], mailer, config })
  const pending = () => context.changes.countDocuments({ isPending: true })
  await tripBucket(context, marketing, { reason: 'Bad', actor: 'system:test' })
  await t.rejects(announceChanges(context), {
    code: 'CBR_MAIL_WAITS',
    message: /the mailer is away/
  })
  t.equal(await pending(), 1)
  failure = errors.CBR_EVIDENCE_INVALID({ by: 'x', path: 'x', problem: 'x' })
  await announceChanges(context)
  t.same([await pending(), mails], [0, 2])
})

test('a bucket that was resumed while it was judged does not trip on what was judged', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  const context = contextOn(database, { feed: [] })
  await tripBucket(context, marketing, { reason: 'Bad', actor: 'system:test' })
  const judged = await context.health.findOne({ status: 'tripped' })
  await resumeBucket(context, marketing, 'human:ada')
  if (judged === null) return
  const trip = { reason: 'Old', actor: 'system:circuit-breaker', judged }
  t.notOk(await tripBucket(context, marketing, trip))
  t.equal(await getBucketStatus(context, marketing), 'healthy')
})

test('a host can count by hand', async (t) => {
  const database = await testDatabase(t)
  await prepare(database.db)
  const context = contextOn(database, { feed: [] })
  t.equal(await getBucketStatus(context, marketing), null)
  await recordHealthCounter(context, { ...marketing, counter: 'sent', times: 100 })
  await recordHealthCounter(context, { ...marketing, counter: 'complained' })
  t.match((await evaluateHealth(context)).tripped, [marketing])
  t.equal(await getBucketStatus(context, marketing), 'tripped')
})

test('reads go by the indexes', async (t) => {
  const { db } = await testDatabase(t)
  await prepare(db)
  const health = db.collection('circuit_breaker_health')
  const changes = db.collection('circuit_breaker_changes')
  const plan = async (cursor: { explain(): Promise<unknown> }) =>
    JSON.stringify(await cursor.explain())
  t.match(await plan(health.find({ status: 'tripped' })), /"indexName":"status"/)
  t.match(await plan(changes.find().sort({ at: -1 }).limit(50)), /"indexName":"time"/)
  const pending = await plan(changes.find({ isPending: true }).sort({ at: 1 }).limit(100))
  t.match(pending, /"indexName":"(pending|time)"/)
  t.notMatch(pending, /"SORT"/)
})
