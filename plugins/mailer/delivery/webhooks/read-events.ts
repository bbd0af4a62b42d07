// Rows from the events of a provider: checked, bounded, and with an id that repeats with the event. Pure.
import { createHash } from 'node:crypto'
import type { ProviderEvent, ProviderEventType } from '../../contracts/mailer-provider.ts'
import { addressHash, isMailable, normalAddress } from '../../ledger/address.ts'
import { addressesIn } from '../../ledger/addresses-in.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { classOfBounce } from '../../providers/bounces/bounce-details.ts'
import { bounceTypeOf, isBounceClass } from '../../providers/bounces/judge-bounce.ts'
import { namedSend } from './named-send.ts'

const TYPES: ReadonlySet<unknown> = new Set<ProviderEventType>([
  'delivered',
  'open',
  'click',
  'bounce',
  'dropped',
  'deferred',
  'spam_report',
  'unsubscribe'
])
const MAX_ID = 512
const MAX_RAW = 1_000_000
/** Texts of an event that are kept, and how much of each. */
const TEXTS = {
  reason: 2000,
  enhancedCode: 32,
  userAgent: 256,
  ip: 64,
  url: 2048,
  sendId: 64
} as const

/** Where events came from, and when. */
export interface EventSource {
  readonly provider: string
  readonly receivedAt: Date
}

/** One row per readable event. What is not an event, or has no id, type or time, is left out. */
export function readEvents(events: unknown, source: EventSource): WebhookEventRow[] {
  return Array.isArray(events) ? events.flatMap((event) => readEvent(event, source) ?? []) : []
}

function readEvent(event: unknown, source: EventSource): WebhookEventRow | undefined {
  const {
    type,
    providerEventId: id,
    providerMessageId,
    email,
    occurredAt,
    details
  } = membersOf(event)
  if (!TYPES.has(type) || typeof id !== 'string' || id === '' || id.length > MAX_ID)
    return undefined
  if (!(occurredAt instanceof Date) || Number.isNaN(occurredAt.getTime())) return undefined
  const { receivedAt } = source
  const mail = {
    details: judged(type, readDetails(membersOf(details))),
    providerMessageId:
      typeof providerMessageId === 'string' ? providerMessageId.slice(0, 998) : null
  }
  const sendId = namedSend(mail)
  return {
    ...rowOf(id, source),
    ...mail,
    // Known before the event is applied, so that the history of a mail never lags behind its status.
    ...(sendId !== undefined && { sendId }),
    type: type as ProviderEventType,
    email: isMailable(email) ? normalAddress(email) : '',
    // A clock that is ahead must not date facts into the future.
    occurredAt: occurredAt < receivedAt ? occurredAt : receivedAt
  }
}

/** The row of a genuine request whose events could not be read: kept for people. */
export function unreadableRow(rawBody: Buffer, source: EventSource): WebhookEventRow {
  const raw = rawBody.toString().slice(0, MAX_RAW)
  const digest = createHash('sha256').update(rawBody).digest('hex')
  return {
    ...rowOf(`unreadable:${digest}`, source),
    type: 'unreadable',
    providerMessageId: null,
    email: '',
    occurredAt: source.receivedAt,
    details: { raw },
    mentions: addressesIn(raw).map(addressHash)
  }
}

function rowOf(providerEventId: string, { provider, receivedAt }: EventSource) {
  const _id = createHash('sha256').update(`${provider}\n${providerEventId}`).digest('hex')
  return { _id: _id.slice(0, 32), provider, providerEventId, receivedAt, processed: false }
}

function readDetails(given: Readonly<Record<string, unknown>>): ProviderEvent['details'] {
  const texts = Object.entries(TEXTS).flatMap(([name, max]) => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value.slice(0, max)] as const] : []
  })
  const { bounceType, code, class: named, machineOpen } = given
  return {
    ...Object.fromEntries(texts),
    ...((bounceType === 'hard' || bounceType === 'soft') && { bounceType }),
    ...(isBounceClass(named) && { class: named }),
    ...(machineOpen === true && { machineOpen }),
    ...(typeof code === 'number' && Number.isFinite(code) && { code })
  }
}

/** Whatever provider reported it: a bounce has a class, and its type follows from that. */
function judged(type: unknown, details: ProviderEvent['details']): ProviderEvent['details'] {
  if (type !== 'bounce') return details
  const judgedClass = classOfBounce(details)
  return { ...details, class: judgedClass, bounceType: bounceTypeOf(judgedClass) }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
