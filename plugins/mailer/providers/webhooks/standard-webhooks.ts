// Standard Webhooks, which Svix signs by: HMAC over id, time and body (https://www.standardwebhooks.com).
import { webhookSignature } from '@keelson/sdk'
import type { WebhookHeaders } from '../../contracts/mailer-provider.ts'
import { isFresh, isSame, onlyHeader, secondsOf } from './signatures.ts'

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
  const expected = webhookSignature(key, { id, seconds: timestamp, body: rawBody })
  const isSigned = signatures
    .slice(0, 4096)
    .split(' ')
    .some((signature) => isSame(signature, expected))
  return isSigned && isFresh(secondsOf(timestamp), now, toleranceSeconds)
}
