// Sends what changes of state owe: signed webhooks and mails, tried again until they are sent or given up.
import { KeelsonError } from '@keelson/sdk'
import type { TelemetryLogger } from '../logger.ts'
import type { AlertDeliveryState } from '../schemas/alerts.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { type StoredAlert, type StoredChange, signalOf } from '../storage/stored-alert.ts'
import { type AlertMailer, MAIL_PROBLEM, ownerActor } from './alert-mail.ts'
import { releaseNext } from './delivery-order.ts'
import { signedHeaders } from './sign.ts'

/** The part of fetch that webhooks need. */
export type AlertFetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Record<string, string>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  }
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: { cancel(): Promise<void> } | null
}>

/** Takes one message from what a tenant may send in an hour: 0 when it may go, else the seconds to wait. */
export type AlertQuota = (channel: 'mail' | 'webhook', tenantId: string) => Promise<number>

export interface Senders {
  readonly fetch: AlertFetch
  readonly mailer: () => AlertMailer | undefined
  readonly quota: AlertQuota
  readonly logger: TelemetryLogger
  readonly now: () => Date
}

const MOST_ATTEMPTS = 8
const LONGEST_PAUSE_MS = 3_600_000
const TIMEOUT_MS = 10_000

type Attempt =
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly problem: string }
  | { readonly is: 'again'; readonly problem: string; readonly afterMs?: number }

/** A message could not be sent: the queue tries the change again, or parks it with this reason. */
class NotSent extends Error {
  override readonly name = 'NotSent'
  /** Read by the queue. */
  readonly retryAfterSeconds: number

  constructor(problem: string, afterMs: number) {
    super(problem)
    this.retryAfterSeconds = afterMs / 1000
  }
}

/** What the handler of the queue works with. */
export interface Delivering {
  readonly storage: TelemetryStorage
  readonly senders: Senders
  /** Called with how many messages were sent. */
  onSent(count: number): void
}

/**
 * Handles one change: sends what it owes, then lets the next change of its rule go. Safe to repeat: a message
 * that is recorded as sent is not sent again.
 */
export async function deliverChange(
  { storage, senders, onSent }: Delivering,
  id: string
): Promise<void> {
  const { changes, alerts } = storage.collections
  const change = await changes.findOne({ _id: id })
  if (change === null) return
  if (await isSuperseded(storage, change)) return
  const alert = await alerts.findOne({ _id: change.ruleId })
  const { deliveries, sent, problem, afterMs } = await attemptAll(senders, change, alert)
  await changes.updateOne({ _id: id }, { $set: { deliveries } })
  onSent(sent)
  if (deliveries.every(({ state }) => state !== 'due')) {
    await releaseNext(storage, change, senders.now())
  }
  if (problem !== undefined) throw new NotSent(problem, afterMs)
}

/**
 * Gives up what a later change of the rule has overtaken: a receiver must not end on a state that is over.
 */
async function isSuperseded(
  { collections: { changes } }: TelemetryStorage,
  { _id, ruleId, at, deliveries }: StoredChange
): Promise<boolean> {
  const later = { ruleId, at: { $gt: at }, 'deliveries.state': 'sent' as const }
  if ((await changes.findOne(later, { projection: { _id: 1 } })) === null) return false
  const left = deliveries.map((one) =>
    one.state === 'due' ? { ...one, state: 'failed' as const, problem: OVERTAKEN } : one
  )
  await changes.updateOne({ _id }, { $set: { deliveries: left } })
  return true
}

const OVER_QUOTA = 'the tenant has sent as many alerts as it may in an hour'
const OVERTAKEN = 'a later change of the rule was delivered before'

interface Attempts {
  readonly deliveries: AlertDeliveryState[]
  readonly sent: number
  /** Why a message was not sent that may be tried again, or was for the last time. */
  readonly problem: string | undefined
  readonly afterMs: number
}

async function attemptAll(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null
): Promise<Attempts> {
  const deliveries: AlertDeliveryState[] = []
  let sent = 0
  let problem: string | undefined
  let afterMs = 0
  for (const delivery of change.deliveries) {
    if (delivery.state !== 'due') {
      deliveries.push(delivery)
      continue
    }
    const attempts = delivery.attempts + 1
    const attempt = await attemptOne(senders, change, alert, delivery)
    if (attempt.is === 'sent') {
      sent++
      deliveries.push({ ...delivery, attempts, problem: null, state: 'sent' })
      continue
    }
    const isLast = attempt.is === 'failed' || attempts >= MOST_ATTEMPTS
    deliveries.push({
      ...delivery,
      attempts,
      problem: attempt.problem,
      state: isLast ? 'failed' : 'due'
    })
    if (attempt.is === 'again') {
      problem = attempt.problem
      afterMs = Math.max(afterMs, attempt.afterMs ?? 0)
    }
  }
  return { deliveries, sent, problem, afterMs }
}

async function attemptOne(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null,
  delivery: AlertDeliveryState
): Promise<Attempt> {
  if (alert === null) return { is: 'failed', problem: 'the rule was removed' }
  try {
    const seconds = await senders.quota(delivery.channel, alert.tenantId)
    if (seconds > 0) return { is: 'again', problem: OVER_QUOTA, afterMs: seconds * 1000 }
    return delivery.channel === 'webhook'
      ? await postWebhook(senders, change, alert)
      : await sendMail(senders, change, alert, delivery.target)
  } catch (error) {
    return { is: 'again', problem: ((error as Error).message ?? String(error)).slice(0, 300) }
  }
}

/** What a change says to the outside. */
export function messageOf(change: StoredChange, alert: StoredAlert) {
  return {
    type: `alert.${change.to}`,
    timestamp: change.at.toISOString(),
    data: {
      id: change._id,
      tenantId: change.tenantId,
      rule: { id: alert._id, name: change.ruleName, description: alert.description },
      state: change.to,
      previousState: change.from,
      value: change.value,
      previousValue: change.previous,
      summary: change.summary,
      signal: signalOf(alert),
      condition: alert.condition,
      windowMinutes: alert.windowMinutes
    }
  }
}

async function postWebhook(
  { fetch, now }: Senders,
  change: StoredChange,
  alert: StoredAlert
): Promise<Attempt> {
  const url = alert.deliver.webhook?.url
  if (url === undefined || alert.webhookSecret === undefined) {
    return { is: 'failed', problem: 'the rule no longer has a webhook' }
  }
  const body = JSON.stringify(messageOf(change, alert))
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'keelson-telemetry',
      ...signedHeaders(alert.webhookSecret, change._id, now(), body)
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  await answer.body?.cancel()
  const { status } = answer
  if (status >= 200 && status < 300) return { is: 'sent' }
  const problem = `the webhook answered ${status}`
  // Gone: the receiver wants no more messages.
  if (status === 410) return { is: 'failed', problem }
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return {
    is: 'again',
    problem,
    ...(seconds > 0 && { afterMs: Math.min(seconds * 1000, LONGEST_PAUSE_MS) })
  }
}

async function sendMail(
  { mailer, logger }: Senders,
  change: StoredChange,
  alert: StoredAlert,
  externalId: string
): Promise<Attempt> {
  const mail = alert.deliver.mail
  if (mail === undefined) return { is: 'failed', problem: 'the rule no longer sends mail' }
  const sender = mailer()
  if (sender === undefined) return { is: 'failed', problem: 'the host has no mailer' }
  const actor = ownerActor(alert, `alert:${alert._id}`)
  if (actor === undefined) return { is: 'failed', problem: MAIL_PROBLEM }
  try {
    await sender.as(actor).sendOneOff({
      templateSlug: mail.templateSlug,
      externalId,
      vars: { alert: messageOf(change, alert).data },
      dedupeKey: `alert:${change._id}:${externalId}`
    })
    return { is: 'sent' }
  } catch (error) {
    // A refusal does not pass by itself; anything else may.
    const isRefused = KeelsonError.is(error) && error.status < 500
    logger.warn({ err: error, rule: alert._id }, 'telemetry: the mail of an alert was not sent')
    return { is: isRefused ? 'failed' : 'again', problem: MAIL_PROBLEM }
  }
}
