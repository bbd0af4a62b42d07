// The one sender of alerts and webhooks: signed, in order, within the quota of a tenant, as the receiver asks.
import { createHash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import type { Clock } from '../clock.ts'
import { KeelsonError } from '../errors.ts'
import type { TakeLease } from '../lease/lease.ts'
import type { Limit, LimitOptions } from '../limits/limiter.ts'
import { KERNEL_PREFIX } from '../storage/index-records.ts'
import { type EndpointState, judgeAnswer, judgeEndpoint, type Notified } from './judge-answer.ts'
import { readWebhookSecret, webhookSignature } from './sign.ts'

/** An address that messages are posted to. */
export interface WebhookTarget {
  readonly url: string
  /** `whsec_…`: signs the message. Without it, or with an empty one, there is no signature. */
  readonly secret?: string | undefined
  /** Default POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH'
  /** Sent as JSON. */
  readonly body?: object
  /** In place of `body`: text in the format that the receiver's standard asks for, sent as it is. */
  readonly content?: { readonly type: string; readonly text: string }
}

/** A message to the outside. Where it is kept until it is sent, and how often it is tried, is up to its owner. */
export interface Notice {
  /** The same at each try: sent as `webhook-id` and `idempotency-key`, so that receivers drop a second one. */
  readonly id: string
  /** Whose quota it takes from. Without it there is no quota. */
  readonly tenantId?: string
  /** Webhooks of one line are posted one at a time. Default: as they come. */
  readonly line?: string
  readonly webhook?: WebhookTarget
  /** Sends it by mail instead. An error below 500 ends it; any other is tried again. */
  readonly mail?: () => Promise<unknown>
}

/** Sends a message once and says what became of it. Never rejects. */
export type Notify = (notice: Notice) => Promise<Notified>

/** The part of fetch that webhooks need. */
export type NotifyFetch = (
  url: string,
  init: {
    readonly method: string
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

/** What a sender is made on. */
export interface NotifyOptions {
  readonly db: Db
  readonly clock: Clock
  /** Before what is known of its endpoints, as `mailer`. */
  readonly owner: string
  readonly fetch: NotifyFetch
  readonly lease: TakeLease
  /** A shared limit. Default: no quota. */
  readonly limit?: (name: string, options: LimitOptions) => Limit
}

interface StoredEndpoint extends EndpointState {
  readonly _id: string
  /** By the clock of the database, for a TTL index. */
  readonly seenAt?: Date
}

const TIMEOUT_MS = 10_000
const MAX_PROBLEM = 300
const LINE = { seconds: 30 }
/** An endpoint that is gone is asked again after it; a new address or secret is another endpoint at once. */
const FORGET_S = 30 * 86_400
const PER_HOUR = { webhook: 2_000, mail: 500 } as const

/** Makes the sender of a plugin. Under the kernel it is `host.notify`. Nothing is read or written before a message. */
export function createNotify(options: NotifyOptions): Notify {
  const { db, lease, owner } = options
  const endpoints = db.collection<StoredEndpoint>(`${KERNEL_PREFIX}endpoints`)
  const quota = createQuota(options)
  return async ({ id, tenantId, line, webhook, mail }) => {
    try {
      if (webhook === undefined) {
        const full = await quota('mail', tenantId)
        if (full !== undefined) return full
        await mail?.()
        return { state: 'sent' }
      }
      const _id = `${owner}/${hashOf(webhook)}`
      const post = () => postOnce({ ...options, endpoints, quota }, { _id, id, tenantId, webhook })
      if (line === undefined) return await post()
      const posted = await lease(`endpoint/${hashOf(webhook)}/${line}`, LINE, post)
      return posted.held ? posted.value : BUSY
    } catch (error) {
      const isRefused = mail !== undefined && KeelsonError.is(error) && error.status < 500
      return { state: isRefused ? 'ended' : 'again', problem: problemOf(error) }
    }
  }
}

const BUSY: Notified = {
  state: 'again',
  problem: 'the message before is on its way',
  afterSeconds: 1
}

type Quota = (channel: 'mail' | 'webhook', tenantId?: string) => Promise<Notified | undefined>

function createQuota({ limit }: NotifyOptions): Quota {
  const limits = new Map<string, Limit | undefined>()
  return async (channel, tenantId) => {
    if (tenantId === undefined) return undefined
    const name = `notify-${channel}`
    const options = { max: PER_HOUR[channel], windowSeconds: 3_600 }
    if (!limits.has(name)) limits.set(name, limit?.(name, options))
    const taken = await limits.get(name)?.take(tenantId)
    if (taken === undefined || taken.granted > 0) return undefined
    const problem = 'the tenant has sent as many messages as it may in an hour'
    return { state: 'again', problem, afterSeconds: taken.retryAfterSeconds }
  }
}

interface Posting {
  readonly _id: string
  readonly id: string
  readonly tenantId: string | undefined
  readonly webhook: WebhookTarget
}

async function postOnce(
  sender: NotifyOptions & { readonly endpoints: Collection<StoredEndpoint>; readonly quota: Quota },
  { _id, id, tenantId, webhook }: Posting
): Promise<Notified> {
  const { endpoints, quota, fetch, clock } = sender
  const { url, secret = '', method = 'POST', content } = webhook
  const stops = judgeEndpoint((await endpoints.findOne({ _id })) ?? {}, clock.now())
  const held = stops ?? (await quota('webhook', tenantId))
  if (held !== undefined) return held
  const body = content?.text ?? JSON.stringify(webhook.body ?? {})
  const answer = await fetch(url, {
    method,
    headers: {
      'content-type': content?.type ?? 'application/json',
      'user-agent': 'keelson',
      'idempotency-key': id,
      ...(secret !== '' && signedHeaders(secret, { id, at: clock.now(), body }))
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  await answer.body?.cancel()
  const now = clock.now()
  const judged = judgeAnswer(answer.status, answer.headers.get('retry-after'), now)
  await noteEndpoint(endpoints, _id, stateOf(judged, now))
  return judged
}

function stateOf(judged: Notified, now: Date): EndpointState | undefined {
  if (judged.state === 'ended') return { goneAt: now }
  if (judged.state !== 'again' || judged.afterSeconds === undefined) return undefined
  return { waitsUntil: new Date(now.getTime() + judged.afterSeconds * 1000) }
}

async function noteEndpoint(
  endpoints: Collection<StoredEndpoint>,
  _id: string,
  state: EndpointState | undefined
): Promise<void> {
  if (state === undefined) return
  const expiry = { name: 'expiry', expireAfterSeconds: FORGET_S }
  await endpoints.createIndex({ seenAt: 1 }, expiry)
  const update = { $set: state, $currentDate: { seenAt: true } } as const
  await endpoints.updateOne({ _id }, update, { upsert: true })
}

function signedHeaders(
  secret: string,
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string }
) {
  const seconds = String(Math.floor(at.getTime() / 1000))
  const signature = webhookSignature(readWebhookSecret(secret), { id, seconds, body })
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
}

/** Addresses often hold a secret: the database does not see them. */
const hashOf = ({ url, secret = '' }: WebhookTarget): string =>
  createHash('sha256').update(`${url}\n${secret}`).digest('base64url')

function problemOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown }
  const { message = String(error) } = (cause instanceof Error ? cause : error) as Partial<Error>
  return message.slice(0, MAX_PROBLEM)
}
