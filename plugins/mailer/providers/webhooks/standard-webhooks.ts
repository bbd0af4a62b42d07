// Standard Webhooks, which Svix signs by: HMAC over id, time and body (https://www.standardwebhooks.com).
import { createHmac } from 'node:crypto'
import type { WebhookHeaders } from '../../contracts/mailer-provider.ts'
import { isFresh, isSame, onlyHeader, secondsOf } from './signatures.ts'

/** `whsec_` and base64. @throws Error for any other text. */
export function readWebhookSecret(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const isBase64 = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret)
  if (!isBase64 || key.length < 16)
    throw new TypeError('whsec_ and at least 16 bytes as base64 are expected')
  return key
}

/** The id of a request: the same for every delivery of one event. */
export const webhookId = (headers: WebhookHeaders): string | undefined =>
  onlyHeader(headers, 'svix-id') ?? onlyHeader(headers, 'webhook-id')

/** While a secret is replaced a request has several signatures; one that fits is enough. */
export function isStandardWebhook(
  key: Buffer,
  request: { readonly rawBody: Buffer; readonly headers: WebhookHeaders },
  { now, toleranceSeconds }: { readonly now: Date; readonly toleranceSeconds: number }
): boolean {
  const { rawBody, headers } = request
  const header = (name: string) =>
    onlyHeader(headers, `svix-${name}`) ?? onlyHeader(headers, `webhook-${name}`)
  const [id, timestamp, signatures] = [header('id'), header('timestamp'), header('signature')]
  if (id === undefined || timestamp === undefined || signatures === undefined) return false
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody)
  const expected = `v1,${mac.digest('base64')}`
  const isSigned = signatures
    .slice(0, 4096)
    .split(' ')
    .some((signature) => isSame(signature, expected))
  return isSigned && isFresh(secondsOf(timestamp), now, toleranceSeconds)
}
