// Tells the mailer, the audit log, the hooks and the operators of trips and resumes: each change in its turn.
import { systemActor } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { BreakerContext } from '../breaker-context.ts'
import { bucketId, bucketSlug, HOLD } from '../buckets/bucket-row.ts'
import { errors } from '../errors.ts'
import type { ChangeRow } from './change-row.ts'

/** Who announces. */
const ANNOUNCER = systemActor('circuit-breaker', 'announce')

/** The changes of a process that died are announced by another after it. */
const LEASE = { seconds: 60 }
/** Changes of one call; the next tick goes on. */
const BATCH = 100

/** Under which name the broadcasts of a domain are paused. */
export const pauseName = (senderDomain: string): string => `circuit-breaker:${senderDomain}`

/**
 * Announces what is pending, oldest first. What a killed process left is announced again when its lease is over.
 * Changes of one bucket never overtake each other.
 */
export async function announceChanges(context: BreakerContext): Promise<void> {
  const pending = await pendingChanges(context, {})
  for (const bucket of new Map(pending.map((change) => [bucketId(change), change])).values()) {
    const { senderDomain, kind } = bucket
    await context.lease(`announce/${bucketId(bucket)}`, LEASE, async ({ keep }) => {
      for (const change of await pendingChanges(context, { senderDomain, kind })) {
        await keep()
        await announce(context, change)
      }
    })
  }
}

const pendingChanges = ({ changes }: BreakerContext, of: Filter<ChangeRow>) =>
  changes
    .find({ ...of, isPending: true })
    .sort({ at: 1 })
    .limit(BATCH)
    .toArray()

async function announce(context: BreakerContext, change: ChangeRow): Promise<void> {
  await steerBroadcasts(context, change)
  // Of a resume, an entry that the operation has written already, unless its process ended before.
  await context.mailer.as({ ...ANNOUNCER, name: change.actor }).audit(auditEntryOf(change))
  await callHooks(context, change)
  await notifyOperator(context, change)
  await context.changes.updateOne({ _id: change._id }, { $unset: { isPending: '' } })
}

/** Broadcasts follow the bucket as it is now: it may have changed again since. */
async function steerBroadcasts(context: BreakerContext, change: ChangeRow): Promise<void> {
  const { senderDomain, kind, reason } = change
  // Without a domain every broadcast would be paused.
  if (kind !== 'marketing' || senderDomain === null) return
  const by = pauseName(senderDomain)
  const mailer = context.mailer.as(ANNOUNCER)
  const row = await context.health.findOne({ _id: bucketId(change) }, { projection: { status: 1 } })
  if (row?.status !== 'tripped') await mailer.resumeBroadcasts(by)
  else
    await mailer.pauseBroadcasts({ by, senderDomain, cause: HOLD, message: reason ?? 'Tripped.' })
}

/** The audit entry of a change, the same for every call. */
export function auditEntryOf(change: ChangeRow) {
  const { _id, action, reason, said, rates } = change
  const resource = {
    collection: 'circuit_breaker_health',
    id: bucketId(change),
    slug: bucketSlug(change)
  }
  const after = { reason, ...(said && { said }), rates }
  return { action, resource, after, dedupeKey: `circuit-breaker:${_id}` }
}

async function callHooks({ hooks, log }: BreakerContext, change: ChangeRow): Promise<void> {
  const { _id, isPending: _pending, ...announced } = change
  for (const hook of hooks()) {
    try {
      await hook.onChange(announced)
    } catch (error) {
      log.error({ err: error, hook: hook.name }, 'a hook of the circuit breaker failed')
    }
  }
}

/** @throws when the mail may be sent later: the change stays pending */
async function notifyOperator(context: BreakerContext, change: ChangeRow): Promise<void> {
  const { settings, mailer, notify, log } = context
  const { alertEmail: to = '' } = settings
  if (to === '' || change.action !== 'health.trip') return
  const bucket = `${change.kind} mail from ${change.senderDomain ?? 'addresses without a domain'}`
  const id = `circuit-breaker:${change._id}`
  const mail = () =>
    mailer.as(ANNOUNCER).notify({
      to,
      subject: `The circuit breaker tripped for ${bucket}`,
      text: `${change.reason}\n\nMarketing mail of a tripped domain is held, and its broadcasts are paused. Find the cause, then resume on the page Health.`,
      dedupeKey: id
    })
  const sent = await notify({ id, mail })
  if (sent.state === 'again') throw errors.CBR_MAIL_WAITS({ problem: sent.problem })
  if (sent.state === 'ended')
    log.error({ to, problem: sent.problem }, 'the mail about a trip was refused')
}
