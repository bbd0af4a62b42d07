// The health of sender domains in the mailer's admin API: rates, trips, and the resume.

import { adminAccess, askingFirst, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { BreakerContext } from '../breaker-context.ts'
import { type BucketKey, HOLD } from '../buckets/bucket-row.ts'
import { type BucketReport, readHealth } from '../buckets/health-report.ts'
import { announceChanges, auditEntryOf, pauseName } from '../changes/announce-changes.ts'
import { resumeBucket } from '../changes/change-bucket.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { healthSchema, resumedSchema, resumeSchema, tripsSchema } from './health-answers.ts'

/** What the operations are served with. */
export interface HealthHost {
  /** Makes the context of one call. */
  open(): BreakerContext
}

const TRIPS = 50

const read = operation({
  id: 'circuit-breaker.health.read',
  method: 'GET',
  base,
  path: '/health',
  summary: 'Rates and status of every sender domain and kind',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  query: Type.Object({
    trips: Type.Optional(
      Type.Boolean({
        description:
          'With the last 50 trips and resumes, newest first, and what each tripped domain holds.'
      })
    )
  }),
  answer: healthSchema,
  async run({ query }, { host }: Call<HealthHost>) {
    const context = host.open()
    if (query.trips !== true) return healthOf(context)
    const [health, trips] = await Promise.all([healthOf(context), readTrips(context)])
    const buckets = await Promise.all(health.buckets.map((bucket) => explained(context, bucket)))
    return { ...health, buckets, trips }
  }
})

const isHeld = ({ status, kind }: BucketReport): boolean =>
  // Only marketing mail is held.
  status === 'tripped' && kind === 'marketing'

/** With the mails that a resume of each tripped domain lets go, beside those of its broadcasts. */
async function healthOf(context: BreakerContext) {
  const health = await readHealth(context)
  const buckets = health.buckets.map(async (bucket) => {
    if (!isHeld(bucket)) return bucket
    const { senderDomain } = bucket
    return { ...bucket, held: await context.mailer.countHeld({ senderDomain, error: HOLD }) }
  })
  return { ...health, buckets: await Promise.all(buckets) }
}

/** With the broadcasts that wait for a resume, and the one that the mails that tripped the domain are from. */
async function explained<Bucket extends BucketReport>(
  { mailer, settings }: BreakerContext,
  bucket: Bucket
) {
  const { senderDomain, rates } = bucket
  if (!isHeld(bucket) || senderDomain === null) return bucket
  const isOver = (rate: number | null, limitPct: number) => (rate ?? 0) * 100 >= limitPct
  const isComplained =
    !isOver(rates.hardBounceRate, settings.hardBounceRatePctTrip) &&
    isOver(rates.complaintRate, settings.complaintRatePctTrip)
  const [broadcasts, origin] = await Promise.all([
    mailer.heldBroadcasts(pauseName(senderDomain)),
    mailer.broadcastBehind({ senderDomain, status: isComplained ? 'complained' : 'bounced' })
  ])
  return { ...bucket, broadcasts: [...broadcasts], origin }
}

/** The last trips and resumes, newest first. */
async function readTrips({ changes }: BreakerContext) {
  return (await changes.find().sort({ at: -1 }).limit(TRIPS).toArray()).map(tripOf)
}

const trips = operation({
  id: 'circuit-breaker.trips.list',
  method: 'GET',
  base,
  path: '/health/trips',
  summary: 'The last 50 trips and resumes, newest first',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: tripsSchema,
  run: (_input, { host }: Call<HealthHost>) => readTrips(host.open())
})

const resume = operation({
  id: 'circuit-breaker.health.resume',
  method: 'POST',
  base,
  path: '/health/resume',
  summary: 'Resumes one tripped bucket, or all of them',
  access: adminAccess.sendBroadcasts,
  effect: 'release',
  hints: { idempotent: true },
  body: resumeSchema,
  answer: resumedSchema,
  async run({ body: { senderDomain, kind } }, { host, actor }: Call<HealthHost>) {
    const context = host.open()
    const mailer = context.mailer.as(actor)
    const keys =
      senderDomain === undefined || kind === undefined
        ? await trippedBuckets(context)
        : [{ senderDomain: senderDomain?.toLowerCase() ?? null, kind }]
    let resumed = 0
    for (const key of keys) {
      const change = await resumeBucket(context, key, actor.name)
      if (change === null) continue
      resumed += 1
      // With the address of the caller. A process that ends before this leaves it to the announcement.
      await mailer.audit(auditEntryOf(change))
    }
    await announceChanges(context)
    return { ok: true as const, resumed }
  }
})

/** The operations of the plugin. */
export const healthOperations: readonly Operation<HealthHost>[] = askingFirst(
  [read, trips, resume],
  (host) => host.open().mailer
)

function trippedBuckets({ health }: BreakerContext): Promise<BucketKey[]> {
  return health
    .find({ status: 'tripped' })
    .project<BucketKey>({ senderDomain: 1, kind: 1 })
    .toArray()
}

/** As the audit log shows it. */
function tripOf(change: ChangeRow) {
  const { dedupeKey: _key, ...entry } = auditEntryOf(change)
  return { id: change._id, at: change.at, actor: change.actor, ...entry }
}
