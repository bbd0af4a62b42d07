// Sends what changes of state owe: signed webhooks and mails, tried again until they are sent or given up.
import type { Notified, Notify } from '@keelson/sdk'
import type { TelemetryLogger } from '../logger.ts'
import type { AlertDeliveryState } from '../schemas/alerts.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { type StoredAlert, type StoredChange, signalOf } from '../storage/stored-alert.ts'
import { type AlertMailer, MAIL_PROBLEM, ownerActor, textMail } from './alert-mail.ts'
import { lineOf, releaseNext } from './delivery-order.ts'

export interface Senders {
  readonly notify: Notify
  readonly mailer: () => AlertMailer | undefined
  readonly logger: TelemetryLogger
  readonly now: () => Date
  /** The address of the page of rules, which messages link to. */
  readonly pageUrl: string | undefined
}

const MOST_ATTEMPTS = 8

/** A message could not be sent: the queue tries the change again, or parks it with this reason. */
class NotSent extends Error {
  override readonly name = 'NotSent'
  /** Read by the queue. */
  readonly retryAfterSeconds: number

  constructor(problem: string, afterSeconds: number) {
    super(problem)
    this.retryAfterSeconds = afterSeconds
  }
}

/** What the handler of the queue works with. */
export interface Delivering {
  readonly storage: TelemetryStorage
  readonly senders: Senders
}

/**
 * Handles one change: sends what it owes, then lets the next change of its rule go. Safe to repeat: a message
 * that is recorded as sent is not sent again.
 */
export async function deliverChange({ storage, senders }: Delivering, id: string): Promise<void> {
  const { changes, alerts } = storage.collections
  const change = await changes.findOne({ _id: id })
  if (change === null) return
  if (await isSuperseded(storage, change)) return
  const alert = await alerts.findOne({ _id: change.ruleId })
  const { deliveries, problem, afterSeconds } = await attemptAll(senders, change, alert)
  await changes.updateOne({ _id: id }, { $set: { deliveries } })
  if (deliveries.every(({ state }) => state !== 'due')) {
    await releaseNext(storage, change, senders.now())
  }
  if (problem !== undefined) throw new NotSent(problem, afterSeconds)
}

/**
 * Gives up what a later change of the rule has overtaken: a receiver must not end on a state that is over.
 */
async function isSuperseded(
  { collections: { changes } }: TelemetryStorage,
  change: StoredChange
): Promise<boolean> {
  const { _id, at, deliveries } = change
  const later = { ...lineOf(change), at: { $gt: at }, 'deliveries.state': 'sent' as const }
  if ((await changes.findOne(later, { projection: { _id: 1 } })) === null) return false
  const left = deliveries.map((one) =>
    one.state === 'due' ? { ...one, state: 'failed' as const, problem: OVERTAKEN } : one
  )
  await changes.updateOne({ _id }, { $set: { deliveries: left } })
  return true
}

const OVERTAKEN = 'a later change of the rule was delivered before'

interface Attempts {
  readonly deliveries: AlertDeliveryState[]
  /** Why a message was not sent that may be tried again, or was for the last time. */
  readonly problem: string | undefined
  readonly afterSeconds: number
}

async function attemptAll(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null
): Promise<Attempts> {
  const deliveries: AlertDeliveryState[] = []
  let problem: string | undefined
  let afterSeconds = 0
  for (const delivery of change.deliveries) {
    if (delivery.state !== 'due') {
      deliveries.push(delivery)
      continue
    }
    const attempts = delivery.attempts + 1
    const attempt = await attemptOne(senders, change, alert, delivery)
    if (attempt.state === 'sent') {
      deliveries.push({ ...delivery, attempts, problem: null, state: 'sent' })
      continue
    }
    const isLast = attempt.state === 'ended' || attempts >= MOST_ATTEMPTS
    deliveries.push({
      ...delivery,
      attempts,
      problem: attempt.problem,
      state: isLast ? 'failed' : 'due'
    })
    if (attempt.state === 'again') {
      problem = attempt.problem
      afterSeconds = Math.max(afterSeconds, attempt.afterSeconds ?? 0)
    }
  }
  return { deliveries, problem, afterSeconds }
}

async function attemptOne(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null,
  delivery: AlertDeliveryState
): Promise<Notified> {
  if (alert === null) return { state: 'ended', problem: 'the rule was removed' }
  return delivery.channel === 'webhook'
    ? postWebhook(senders, change, alert)
    : sendMail(senders, change, alert, delivery.target)
}

/** What a change says to the outside. */
export function messageOf(
  { pageUrl }: Pick<Senders, 'pageUrl'>,
  change: StoredChange,
  alert: StoredAlert
) {
  const url = pageUrl && `${pageUrl}?rule=${encodeURIComponent(alert._id)}`
  return {
    type: `alert.${change.to}`,
    timestamp: change.at.toISOString(),
    data: {
      id: change._id,
      tenantId: change.tenantId,
      rule: { id: alert._id, name: change.ruleName, description: alert.description },
      ...(change.group !== undefined && { group: change.group }),
      state: change.to,
      previousState: change.from,
      value: change.value,
      previousValue: change.previous,
      summary: change.summary,
      ...(url !== undefined && { url }),
      signal: signalOf(alert),
      condition: alert.condition,
      windowMinutes: alert.windowMinutes
    }
  }
}

function postWebhook(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert
): Promise<Notified> {
  const { tenantId, webhookSecret: secret, deliver } = alert
  const url = deliver.webhook?.url
  if (url === undefined || secret === undefined) {
    return Promise.resolve({ state: 'ended', problem: 'the rule no longer has a webhook' })
  }
  const webhook = { url, secret, body: messageOf(senders, change, alert) }
  const line = change.group === undefined ? alert._id : `${alert._id} ${change.group}`
  return senders.notify({ id: change._id, tenantId, line, webhook })
}

async function sendMail(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert,
  recipient: string
): Promise<Notified> {
  const { mailer, notify, logger } = senders
  const mail = alert.deliver.mail
  if (mail === undefined) return { state: 'ended', problem: 'the rule no longer sends mail' }
  const sender = mailer()
  if (sender === undefined) return { state: 'ended', problem: 'the host has no mailer' }
  const actor = ownerActor(alert, `alert:${alert._id}`)
  if (actor === undefined) return { state: 'ended', problem: MAIL_PROBLEM }
  const id = `alert:${change._id}:${recipient}`
  const { data } = messageOf(senders, change, alert)
  let failure: unknown
  const send = async () => {
    const acting = sender.as(actor)
    const key = { dedupeKey: id }
    try {
      if ('to' in mail) await acting.notify({ to: recipient, ...textMail(data), ...key })
      else {
        const { templateSlug } = mail
        await acting.sendOneOff({
          templateSlug,
          externalId: recipient,
          vars: { alert: data },
          ...key
        })
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  const result = await notify({ id, tenantId: alert.tenantId, mail: send })
  if (failure === undefined || result.state === 'sent') return result
  logger.warn({ err: failure, rule: alert._id }, 'telemetry: the mail of an alert was not sent')
  return { ...result, problem: MAIL_PROBLEM }
}
