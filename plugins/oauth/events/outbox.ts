// What leaves the server by itself: events for listeners and webhooks, and logout tokens for clients. Kept until it is sent.
import type { Notified, Notify, Queue, QueueHandler, WebhookTarget } from '@keelson/sdk'
import type { EventWebhook } from '../config/event-settings.ts'
import type { OAuthEvent } from '../config/host-code.ts'
import type { Settings } from '../config/settings.ts'
import type { OAuthHappening } from '../contracts.ts'
import { newRowId } from '../crypto/handles.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { StoredDelivery } from '../storage/rows.ts'
import { subjectOf } from '../users/claims.ts'
import type { Listeners } from './listeners.ts'
import { logoutClaims } from './logout-token.ts'
import { eventMessage, sessionRevoked, wantsEvent } from './webhook-bodies.ts'

export interface Outbox {
  /**
   * Keeps the events of a change that is about to be made: a process that is killed during the change still sends
   * them a minute later. Undefined in place of those that no webhook wants.
   */
  foretell(events: readonly OAuthEvent[]): Promise<readonly (OAuthHappening | undefined)[]>
  /** Tells listeners, and keeps the event for the webhooks that want it; one that was foretold leaves now. */
  announce(event: OAuthEvent, foretold?: OAuthHappening): Promise<void>
  /** The same for many, in one write; those that were foretold leave as they are. */
  announceAll(
    events: readonly OAuthEvent[],
    foretold: readonly (OAuthHappening | undefined)[]
  ): Promise<void>
  /** Ends the sessions of a person at the clients that have a back channel; at one of them, where it is named. */
  endSessions(userId: string, clientId?: string): Promise<void>
  /** Resolves when what was announced is kept. */
  settle(): Promise<void>
}

/** How things leave; without a queue only listeners get events. */
export interface OutboxParts {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly keys: KeyRing
  readonly listeners: Listeners
  readonly openQueue?:
    | ((handler: QueueHandler<StoredDelivery>) => Queue<StoredDelivery>)
    | undefined
  readonly notify?: Notify | undefined
}

/** Rows that could not be sent are deleted after it, by the clock of the database. */
const KEPT_MS = 7 * 86_400_000
/** How long a change may take before its event leaves without it. */
const CHANGE_MS = 60_000
/** Most clients that get a logout token at one sign-out. */
const MAX_CLIENTS = 200

/** A message could not be sent: the queue tries again, not before the time that the receiver named. */
class NotSent extends Error {
  override readonly name = 'NotSent'
  /** Read by the queue. */
  readonly retryAfterSeconds: number

  constructor(problem: string, afterSeconds: number) {
    super(problem)
    this.retryAfterSeconds = afterSeconds
  }
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { settings, listeners, openQueue } = parts
  const queue = openQueue?.((item) => deliver(item, parts))
  const pending = new Set<Promise<void>>()
  const keep = async (items: readonly NewDelivery[], afterMs = 0): Promise<void> => {
    if (items.length === 0) return
    const now = settings.now()
    const expiresAt = new Date(now.getTime() + KEPT_MS)
    const dueAt = new Date(now.getTime() + afterMs)
    await queue?.add(items.map((item) => ({ ...item, createdAt: now, expiresAt, dueAt })))
  }
  const deliveriesOf = (event: OAuthHappening): readonly NewDelivery[] =>
    settings.webhooks
      .filter((webhook) => wantsEvent(webhook, event))
      .map(({ id }) => ({ _id: `${event.id}:${id}`, kind: 'event', webhook: id, event }))
  const announce = async (event: OAuthEvent, foretold?: OAuthHappening): Promise<void> => {
    const happening = {
      ...(await happeningOf(event, settings)),
      ...(foretold && { id: foretold.id })
    }
    listeners.tell(happening)
    const deliveries = deliveriesOf(happening)
    if (foretold === undefined) return keep(deliveries)
    const ids = deliveries.map(({ _id }) => _id)
    // One that has left by now was sent as it was foretold.
    const update = [{ $set: { event: { $literal: happening } } }]
    await queue?.reschedule({ _id: { $in: ids } }, { dueAt: happening.at, update })
    return undefined
  }
  const announceAll: Outbox['announceAll'] = async (events, foretold) => {
    const now: OAuthHappening[] = []
    for (const [at, event] of events.entries()) {
      const happening = foretold[at] ?? (await happeningOf(event, settings))
      listeners.tell(happening)
      if (foretold[at] === undefined) now.push(happening)
    }
    await keep(now.flatMap(deliveriesOf))
    const ids = foretold
      .flatMap((event) => (event ? deliveriesOf(event) : []))
      .map(({ _id }) => _id)
    if (ids.length > 0) await queue?.reschedule({ _id: { $in: ids } }, { dueAt: settings.now() })
  }
  const settled = (announced: Promise<void>): Promise<void> => {
    const kept = announced.finally(() => pending.delete(kept))
    pending.add(kept)
    return kept
  }
  return {
    async foretell(events) {
      const happenings: OAuthHappening[] = []
      for (const event of events) happenings.push(await happeningOf(event, settings))
      await keep(happenings.flatMap(deliveriesOf), CHANGE_MS)
      return happenings.map((one) => (deliveriesOf(one).length === 0 ? undefined : one))
    },
    announce: (event, foretold) => settled(announce(event, foretold)),
    announceAll: (events, foretold) => settled(announceAll(events, foretold)),
    async endSessions(userId, clientId) {
      if (!settings.hasBackChannelLogout) return
      await keep(await logoutsOf(userId, clientId, parts))
    },
    settle: async () => void (await Promise.allSettled(pending))
  }
}

type NewDelivery = Pick<StoredDelivery, '_id' | 'kind' | 'webhook' | 'event' | 'clientId' | 'sub'>

async function happeningOf(
  { userId, ...event }: OAuthEvent,
  { tenants, now }: Settings
): Promise<OAuthHappening> {
  const tenantId = userId === undefined ? undefined : await tenants?.tenantOf(userId)
  return {
    id: newRowId(),
    at: now(),
    ...event,
    ...(userId !== undefined && { userId }),
    ...(tenantId !== undefined && { tenantId })
  }
}

/** One for each client that has a back channel, and whose identity tokens this person may hold. */
async function logoutsOf(
  userId: string,
  clientId: string | undefined,
  { collections, settings }: OutboxParts
): Promise<readonly NewDelivery[]> {
  const filter = { userId, revokedAt: null, scopes: 'openid', ...(clientId && { clientId }) }
  const grants = await collections.grants
    .find(filter, { projection: { clientId: 1 } })
    .limit(MAX_CLIENTS)
    .toArray()
  const ids = [...new Set(grants.map((grant) => grant.clientId))]
  if (ids.length === 0) return []
  const clients = await collections.clients
    .find({ clientId: { $in: ids }, backchannelLogoutUri: { $exists: true }, status: 'active' })
    .toArray()
  return clients.map((client) => ({
    _id: newRowId(),
    kind: 'logout',
    clientId: client.clientId,
    sub: subjectOf(userId, client, settings)
  }))
}

async function deliver(item: StoredDelivery, parts: OutboxParts): Promise<void> {
  const target = await targetOf(item, parts)
  // The webhook was taken out of the config, or the client deleted.
  if (target === undefined) return
  const sent: Notified = (await parts.notify?.({ id: item._id, webhook: target })) ?? ENDED
  if (sent.state === 'again') throw new NotSent(sent.problem, sent.afterSeconds ?? 0)
}

const ENDED: Notified = { state: 'ended', problem: 'nothing is sent here' }

async function targetOf(
  { _id: id, kind, webhook, event, clientId = '', sub = '' }: StoredDelivery,
  parts: OutboxParts
): Promise<WebhookTarget | undefined> {
  const { settings, keys, collections } = parts
  if (kind === 'event') {
    const target = settings.webhooks.find((one) => one.id === webhook)
    return target && event && eventTarget(event, target, parts)
  }
  const client = await collections.clients.findOne({ clientId, status: 'active' })
  const url = client?.backchannelLogoutUri
  if (client === null || url === undefined) return undefined
  const { issuer, now } = settings
  // Signed when it is sent: it is valid for two minutes.
  const token = await keys.sign(logoutClaims({ issuer, clientId, sub, id, now: now() }), {
    alg: client.idTokenAlg ?? settings.algorithms[0] ?? 'ES256',
    typ: 'logout+jwt'
  })
  const text = new URLSearchParams({ logout_token: token }).toString()
  return { url, content: { type: 'application/x-www-form-urlencoded', text } }
}

async function eventTarget(
  event: OAuthHappening,
  { url, secret, format, audience }: EventWebhook,
  { settings, keys }: OutboxParts
): Promise<WebhookTarget> {
  const { issuer, now, algorithms } = settings
  if (format === 'json') return { url, secret, body: eventMessage(event, issuer) }
  const claims = sessionRevoked(event, { issuer, audience: audience ?? url, now: now() })
  const text = await keys.sign(claims, { alg: algorithms[0] ?? 'ES256', typ: 'secevent+jwt' })
  return { url, secret, content: { type: 'application/secevent+jwt', text } }
}
