// Signatures of webhooks, after the Standard Webhooks specification (standardwebhooks.com).
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A fresh secret: `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/**
 * The key of a secret: `whsec_` and base64, or base64 alone, as receivers copy it.
 *
 * @throws TypeError for any other text, and for fewer than 16 bytes
 */
export function readWebhookSecret(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const isBase64 = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret)
  if (!isBase64 || key.length < 16)
    throw new TypeError('whsec_ and at least 16 bytes as base64 are expected')
  return key
}

/** The signature of a message, as `v1,<base64>`. `seconds` since 1970, as in `webhook-timestamp`. */
export function webhookSignature(
  key: Buffer,
  {
    id,
    seconds,
    body
  }: { readonly id: string; readonly seconds: string; readonly body: string | Buffer }
): string {
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body)
  return `v1,${mac.digest('base64')}`
}
