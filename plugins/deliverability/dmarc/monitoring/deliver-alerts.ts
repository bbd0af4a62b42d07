// Sends alerts by mail, webhook and hooks: an alert stays pending until every way has it, or has failed too often.

import type { ActingMailer, MailerCore } from '@keelson/mailer/contracts'
import type { Host } from '@keelson/sdk'
import type { DmarcConfig } from '../config/schema.ts'
import type { DmarcContext } from '../context.ts'
import type { DmarcHook } from '../contracts.ts'
import type { AlertRow } from '../storage/rows.ts'
import { alertEvent, alertMail, webhookBody } from './alert-messages.ts'

export interface DeliveryContext extends Pick<DmarcContext, 'collections' | 'clock' | 'config'> {
  readonly mailer: Pick<ActingMailer, 'notify'>
  readonly fetch: Host['fetchPublic']
  hooks(): readonly DmarcHook[]
}

/** What became of one message. */
export interface Delivery {
  readonly status: 'delivered' | 'no_handler' | 'failed'
  /** Why it failed. */
  readonly problem?: string
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
    const delivery = await deliver(context, row, signal)
    await settle(context, row, delivery)
  }
  return due.length
}

/** Sends one alert now, by every way of the config and to every hook. */
export async function deliver(
  { config: { alerts }, mailer, fetch, hooks }: DeliveryContext,
  row: AlertRow,
  signal: AbortSignal
): Promise<Delivery> {
  const ways: Promise<unknown>[] = []
  if (alerts.email !== undefined) {
    const dedupeKey = `dmarc:${row._id}:${row.revision}`.slice(-512)
    ways.push(mailer.notify({ ...alertMail(row), to: alerts.email, dedupeKey }))
  }
  if (alerts.webhookUrl !== undefined && alerts.webhookUrl !== '') {
    ways.push(callWebhook(fetch, { ...alerts, webhookUrl: alerts.webhookUrl }, row, signal))
  }
  for (const hook of hooks()) {
    if (hook.onDmarcAlert) ways.push(callHook(hook, row))
  }
  if (ways.length === 0) return { status: 'no_handler' }
  const failed = (await Promise.allSettled(ways)).find(({ status }) => status === 'rejected')
  if (failed?.status !== 'rejected') return { status: 'delivered' }
  const { reason } = failed
  const problem = reason instanceof Error ? reason.message : String(reason)
  return { status: 'failed', problem: problem.slice(0, 500) }
}

async function callHook(hook: DmarcHook, row: AlertRow): Promise<void> {
  await hook.onDmarcAlert?.(alertEvent(row))
}

async function callWebhook(
  fetch: Host['fetchPublic'],
  { webhookUrl, webhookFormat }: DmarcConfig['alerts'] & { readonly webhookUrl: string },
  row: AlertRow,
  signal: AbortSignal
): Promise<void> {
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `${row._id}:${row.revision}`
    },
    body: JSON.stringify(webhookBody(webhookFormat, row)),
    signal
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The webhook answers ${answer.status}.`)
}

/** Written only when nothing newer is pending. */
async function settle(
  { collections, clock }: DeliveryContext,
  { _id, revision, pending }: AlertRow,
  delivery: Delivery
): Promise<void> {
  const now = clock.now()
  const lastDelivery = { ...delivery, at: now }
  const tries = (pending?.tries ?? 0) + 1
  const isOver = delivery.status !== 'failed' || tries >= MAX_TRIES
  const pause = FIRST_PAUSE_MS * 2 ** (tries - 1)
  const retry = { 'pending.tries': tries, 'pending.at': new Date(now.getTime() + pause) }
  await collections.alerts.updateOne(
    { _id, revision },
    isOver
      ? { $set: { lastDelivery }, $unset: { pending: '' } }
      : { $set: { lastDelivery, ...retry } }
  )
}
