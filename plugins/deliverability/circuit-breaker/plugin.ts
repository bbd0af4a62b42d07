// The kernel plugin: counts in the mailer's tick, gates marketing mail, serves health and resume.

import {
  type BreakerEvidence,
  mailerAdminApi,
  mailerBreaker,
  mailerCore,
  mailerSenderFacts,
  mailerSendGate,
  mailerSetupCheck,
  mailerTick,
  type SendBatch,
  type SendHold
} from '@keelson/mailer/contracts'
import {
  bindOperations,
  definePlugin,
  type Host,
  saidSchema,
  schemaFault,
  Type
} from '@keelson/sdk'
import type { BreakerContext } from './breaker-context.ts'
import { type BucketRow, bucketId, HOLD } from './buckets/bucket-row.ts'
import { complaintFacts } from './buckets/complaint-facts.ts'
import { countOutcomes } from './buckets/count-outcomes.ts'
import { readHealth } from './buckets/health-report.ts'
import { announceChanges } from './changes/announce-changes.ts'
import { tripBucket } from './changes/change-bucket.ts'
import type { ChangeRow } from './changes/change-row.ts'
import { evaluateHealth } from './changes/evaluate-health.ts'
import { type BreakerSettings, configSchema } from './config.ts'
import { mailerBreakerHook } from './contracts.ts'
import { errors } from './errors.ts'
import { healthOperations } from './operations/health-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { judgeSetup } from './setup-check.ts'

function register(host: Host, settings: BreakerSettings): void {
  const health = host.collection<BucketRow>('circuit_breaker_health')
  const changes = host.collection<ChangeRow>('circuit_breaker_changes')
  const open = (): BreakerContext => ({
    health,
    changes,
    settings,
    withTransaction: (fn) => host.withTransaction(fn),
    lease: host.lease,
    notify: host.notify,
    clock: host.clock,
    log: host.log,
    mailer: host.use(mailerCore),
    hooks: () => host.contributions(mailerBreakerHook)
  })
  host.provide(mailerBreaker, {
    trip: (evidence) => tripByEvidence(open(), evidence),
    health: async () => readHealth(open())
  })
  host.extend(mailerSendGate, {
    name: 'circuit-breaker',
    checkBatch: (batch) => holdOf(open(), batch)
  })
  host.extend(mailerTick, {
    name: 'circuit-breaker',
    timeoutSeconds: 60,
    async run({ signal }) {
      const context = open()
      await countOutcomes(context, signal)
      await evaluateHealth(context)
    }
  })
  host.extend(mailerSetupCheck, {
    name: 'circuit_breaker',
    label: 'Circuit breaker',
    run: async () => judgeSetup(await readHealth(open()))
  })
  host.extend(mailerSenderFacts, {
    name: 'circuit-breaker',
    read: async (domains) => complaintFacts(await readHealth(open()), domains)
  })
  host.serve(healthOperations, { open })
  host.extend(mailerAdminApi, {
    name: 'circuit-breaker',
    operations: bindOperations(healthOperations, { open })
  })
}

/** One read by id for a batch: a resume counts at once, in every process. */
async function holdOf({ health }: BreakerContext, batch: SendBatch): Promise<SendHold | null> {
  const tripped = await health.findOne(
    { _id: bucketId(batch), status: 'tripped' },
    { projection: { trippedReason: 1 } }
  )
  if (tripped === null) return null
  return { error: HOLD, message: `Held: ${tripped.trippedReason}` }
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const evidenceSchema = Type.Object({
  senderDomain: text(253),
  kind: Type.Enum(['marketing', 'transactional']),
  by: text(64),
  reason: text(500),
  evidenceId: text(256),
  said: Type.Optional(saidSchema)
})

async function tripByEvidence(
  context: BreakerContext,
  evidence: BreakerEvidence
): Promise<{ readonly isNew: boolean }> {
  const fault = schemaFault(evidenceSchema, evidence)
  if (fault !== undefined) throw errors.CBR_EVIDENCE_INVALID({ by: 'a plugin', ...fault })
  const { senderDomain, kind, by, reason, said, evidenceId } = evidence
  const key = { senderDomain: senderDomain.toLowerCase(), kind }
  const isNew = await tripBucket(context, key, { reason, said, actor: `system:${by}`, evidenceId })
  await announceChanges(context)
  return { isNew }
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: healthOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
