// Sends alerts by mail, webhook and hooks: an alert stays pending until every way has it, or has failed too often.

import type { ActingMailer } from '@keelson/mailer/contracts'
import { type Notified, type Notify, webhookBody } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import type { DmarcHook } from '../contracts.ts'
import type { AlertRow } from '../storage/rows.ts'
import { alertEvent, alertMail, alertMessage } from './alert-messages.ts'

export interface DeliveryContext extends Pick<DmarcContext, 'collections' | 'clock' | 'config'> {
  readonly mailer: Pick<ActingMailer, 'notify'>
  readonly notify: Notify
  hooks(): readonly DmarcHook[]
}

/** What became of one message. */
export interface Delivery {
  readonly status: 'delivered' | 'no_handler' | 'failed'
  /** Why it failed. */
  readonly problem?: string
  /** It may be tried again; not before so many seconds, when the receiver said so. */
  readonly again?: { readonly afterSeconds: number }
}

const BATCH = 100
const MAX_TRIES = 10
const FIRST_PAUSE_MS = 60_000

/** Sends what is due. @returns how many messages were dealt with */
export async function deliverAlerts(
  context: DeliveryContext,
  signal: AbortSignal
): Promise<number> {
  const { collections, clock } = context
  const due = await collections.alerts
    .find({ 'pending.at': { $lte: clock.now() } })
    .sort({ 'pending.at': 1 })
    .limit(BATCH)
    .toArray()
  for (const row of due) {
    signal.throwIfAborted()
    const delivery = await deliver(context, row)
    await settle(context, row, delivery)
  }
  return due.length
}

/** Sends one alert now, by every way of the config and to every hook. */
export async function deliver(
  { config: { alerts }, mailer, notify, hooks }: DeliveryContext,
  row: AlertRow
): Promise<Delivery> {
  const id = `dmarc:${row._id}:${row.revision}`.slice(-512)
  const { email: to, webhookUrl: url = '', webhookSecret: secret, webhookFormat } = alerts
  const ways: Promise<Notified>[] = []
  if (to !== undefined) {
    const mail = () => mailer.notify({ ...alertMail(row), to, dedupeKey: id })
    ways.push(notify({ id, mail }))
  }
  if (url !== '') {
    const body = webhookBody(webhookFormat, alertMessage(row))
    ways.push(notify({ id, line: 'alerts', webhook: { url, secret, body } }))
  }
  for (const hook of hooks()) {
    if (hook.onDmarcAlert) ways.push(callHook(hook, row))
  }
  if (ways.length === 0) return { status: 'no_handler' }
  const failed = (await Promise.all(ways)).filter((one) => one.state !== 'sent')
  const [first] = failed
  if (first === undefined) return { status: 'delivered' }
  const waits = failed.flatMap((one) => (one.state === 'again' ? (one.afterSeconds ?? 0) : []))
  const again = waits.length > 0 && { again: { afterSeconds: Math.max(...waits) } }
  return { status: 'failed', problem: first.problem, ...again }
}

async function callHook(hook: DmarcHook, row: AlertRow): Promise<Notified> {
  try {
    await hook.onDmarcAlert?.(alertEvent(row))
    return { state: 'sent' }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { state: 'again', problem: problem.slice(0, 500) }
  }
}

/** Written only when nothing newer is pending. */
async function settle(
  { collections, clock }: DeliveryContext,
  { _id, revision, pending }: AlertRow,
  { again, ...delivery }: Delivery
): Promise<void> {
  const now = clock.now()
  const lastDelivery = { ...delivery, at: now }
  const tries = (pending?.tries ?? 0) + 1
  const isOver = again === undefined || tries >= MAX_TRIES
  const pause = Math.max(FIRST_PAUSE_MS * 2 ** (tries - 1), (again?.afterSeconds ?? 0) * 1000)
  const retry = { 'pending.tries': tries, 'pending.at': new Date(now.getTime() + pause) }
  await collections.alerts.updateOne(
    { _id, revision },
    isOver
      ? { $set: { lastDelivery }, $unset: { pending: '' } }
      : { $set: { lastDelivery, ...retry } }
  )
}
