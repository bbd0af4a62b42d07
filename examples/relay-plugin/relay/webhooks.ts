// The webhooks of the vendor: whose they are, and what they say. Pure, but for the clock that it is given.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MailProvider, ProviderEvent, WebhookHeaders } from '@keelson/mailer/contracts'
import { type Clock, fitsSchema } from '@keelson/sdk'
import { eventSchema, type RelayConfig, type RelayEvent } from '../schemas.ts'

/** Older requests may be repeated by someone who has read them. */
const FRESH_MS = 300_000

const TYPES = { delivered: 'delivered', bounced: 'bounce', complained: 'spam_report' } as const

/** The signature covers the time and the body: `HMAC-SHA256(key, "<seconds>.<body>")`, in hex. */
export const signatureOf = (key: string, seconds: string, body: Buffer): string =>
  createHmac('sha256', key).update(`${seconds}.`).update(body).digest('hex')

/** Whether a request is the vendor's. */
export function verifyWebhook(
  { webhookKey }: RelayConfig,
  clock: Clock
): MailProvider['verifyWebhook'] {
  return (rawBody, headers) => {
    const seconds = textOf(headers, 'x-relay-timestamp')
    const given = Buffer.from(textOf(headers, 'x-relay-signature'))
    const right = Buffer.from(signatureOf(webhookKey, seconds, rawBody))
    if (webhookKey === '' || given.length !== right.length) return false
    if (!timingSafeEqual(given, right)) return false
    return Math.abs(clock.now().getTime() - Number(seconds) * 1000) < FRESH_MS
  }
}

const textOf = (headers: WebhookHeaders, name: string): string => String(headers[name] ?? '')

/** An event that cannot be read is left out, and its neighbours are taken. */
export function readEvents(payload: unknown): readonly ProviderEvent[] {
  const events = Array.isArray(payload) ? payload : [payload]
  return events.filter((event): event is RelayEvent => fitsSchema(eventSchema, event)).map(eventOf)
}

function eventOf({ id, type, messageId, email, at, hard, reason }: RelayEvent): ProviderEvent {
  return {
    type: TYPES[type],
    providerEventId: id,
    providerMessageId: messageId,
    email,
    occurredAt: new Date(at),
    details: {
      ...(type === 'bounced' && { bounceType: hard === true ? 'hard' : 'soft' }),
      ...(reason !== undefined && { reason })
    }
  }
}
