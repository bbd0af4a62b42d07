// Sends what changes of state owe: signed webhooks and mails, tried again until they are sent or given up.
import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import type { AlertDeliveryState } from '../schemas/alerts.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { signedHeaders } from './sign.ts'
import { type StoredAlert, type StoredChange, signalOf } from './stored.ts'

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

/** The part of the mailer that alerts need. */
export type AlertMailer = Pick<MailerCore, 'sendOneOff'>

export interface Senders {
  readonly fetch: AlertFetch
  readonly mailer: () => AlertMailer | undefined
  readonly now: () => Date
}

const MOST_ATTEMPTS = 8
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000
const TIMEOUT_MS = 10_000
/** One change at most goes on for so long, webhook and mails together. */
const LEASE_MS = 5 * 60_000
const MOST_CHANGES = 200

type Attempt =
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly problem: string }
  | { readonly is: 'again'; readonly problem: string; readonly afterMs?: number }

/** Returns how many messages were sent. */
export async function deliverDue(
  storage: TelemetryStorage,
  senders: Senders,
  signal: AbortSignal | undefined
): Promise<number> {
  const { changes, alerts } = storage.collections
  let sent = 0
  for (let count = 0; count < MOST_CHANGES && signal?.aborted !== true; count++) {
    const now = senders.now()
    const change = await changes.findOneAndUpdate(
      { dueAt: { $lte: now } },
      { $set: { dueAt: new Date(now.getTime() + LEASE_MS) } },
      { sort: { dueAt: 1 } }
    )
    if (change === null) break
    const alert = await alerts.findOne({ _id: change.ruleId })
    const { deliveries, dueAt } = await attemptAll(senders, change, alert)
    sent += deliveries.filter(
      ({ state }, at) => state === 'sent' && change.deliveries[at]?.state === 'due'
    ).length
    await changes.updateOne(
      { _id: change._id },
      dueAt === undefined
        ? { $set: { deliveries }, $unset: { dueAt: true } }
        : { $set: { deliveries, dueAt } }
    )
  }
  return sent
}

async function attemptAll(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null
): Promise<{ readonly deliveries: AlertDeliveryState[]; readonly dueAt: Date | undefined }> {
  const deliveries: AlertDeliveryState[] = []
  let pause: number | undefined
  for (const delivery of change.deliveries) {
    if (delivery.state !== 'due') {
      deliveries.push(delivery)
      continue
    }
    const attempts = delivery.attempts + 1
    const attempt = await attemptOne(senders, change, alert, delivery)
    if (attempt.is === 'again' && attempts < MOST_ATTEMPTS) {
      const own = Math.max(attempt.afterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempts - 1))
      pause = Math.min(pause ?? LONGEST_PAUSE_MS, own)
      deliveries.push({ ...delivery, attempts, problem: attempt.problem })
      continue
    }
    const problem = attempt.is === 'sent' ? null : attempt.problem
    deliveries.push({ ...delivery, attempts, problem, state: problem === null ? 'sent' : 'failed' })
  }
  return {
    deliveries,
    dueAt: pause === undefined ? undefined : new Date(senders.now().getTime() + pause)
  }
}

async function attemptOne(
  senders: Senders,
  change: StoredChange,
  alert: StoredAlert | null,
  delivery: AlertDeliveryState
): Promise<Attempt> {
  if (alert === null) return { is: 'failed', problem: 'the rule was removed' }
  try {
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
    return { is: 'failed', problem: 'the rule has no webhook any more' }
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
  // Gone: whoever receives asks not to be told any more.
  if (status === 410) return { is: 'failed', problem }
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return {
    is: 'again',
    problem,
    ...(seconds > 0 && { afterMs: Math.min(seconds * 1000, LONGEST_PAUSE_MS) })
  }
}

async function sendMail(
  { mailer }: Senders,
  change: StoredChange,
  alert: StoredAlert,
  externalId: string
): Promise<Attempt> {
  const mail = alert.deliver.mail
  if (mail === undefined) return { is: 'failed', problem: 'the rule sends no mail any more' }
  const sender = mailer()
  if (sender === undefined) return { is: 'failed', problem: 'no mailer is here' }
  await sender.sendOneOff({
    templateSlug: mail.templateSlug,
    externalId,
    vars: { alert: messageOf(change, alert).data },
    dedupeKey: `alert:${change._id}:${externalId}`
  })
  return { is: 'sent' }
}
