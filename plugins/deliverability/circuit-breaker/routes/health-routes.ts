// The routes of the circuit breaker below the mailer's admin API.
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { BreakerContext } from '../breaker-context.ts'
import type { BucketKey } from '../buckets/bucket-row.ts'
import { readHealth } from '../buckets/health-report.ts'
import { announceChanges, auditEntryOf } from '../changes/announce-changes.ts'
import { resumeBucket } from '../changes/change-bucket.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { healthSchema, resumedSchema, resumeSchema, tripsSchema } from './schemas.ts'

const TRIPS = 50

/** The routes; `open` makes a context for one call. */
export function healthRoutes(open: () => BreakerContext): readonly AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/health',
      summary: 'Rates and status of every sender domain and kind',
      schema: { response: { 200: healthSchema } },
      handler: async () => ({ body: await readHealth(open()) })
    }),
    adminRoute({
      method: 'GET',
      path: '/health/trips',
      summary: 'The last 50 trips and resumes, newest first',
      schema: { response: { 200: tripsSchema } },
      handler: async () => ({ body: await latestChanges(open()) })
    }),
    adminRoute({
      method: 'POST',
      path: '/health/resume',
      summary: 'Resumes one tripped bucket, or all of them',
      permission: 'sendBroadcasts',
      schema: { body: resumeSchema, response: { 200: resumedSchema } },
      async handler({ body: { senderDomain, kind }, actor, audit }) {
        const context = open()
        const keys =
          senderDomain === undefined || kind === undefined
            ? await trippedBuckets(context)
            : [{ senderDomain: senderDomain?.toLowerCase() ?? null, kind }]
        let resumed = 0
        for (const key of keys) {
          const change = await resumeBucket(context, key, actor)
          if (change === null) continue
          resumed += 1
          // With the address of the caller. A process that ends before this leaves it to the announcement.
          await audit(auditEntryOf(change))
        }
        await announceChanges(context)
        return { body: { ok: true, resumed } }
      }
    })
  ]
}

function trippedBuckets({ health }: BreakerContext): Promise<BucketKey[]> {
  return health
    .find({ status: 'tripped' })
    .project<BucketKey>({ senderDomain: 1, kind: 1 })
    .toArray()
}

async function latestChanges({ changes }: BreakerContext) {
  const rows = await changes.find().sort({ at: -1 }).limit(TRIPS).toArray()
  return rows.map(rowOf)
}

/** As the audit log shows it. */
function rowOf(change: ChangeRow) {
  const { dedupeKey: _key, ...entry } = auditEntryOf(change)
  return { id: change._id, at: change.at, actor: change.actor, ...entry }
}
