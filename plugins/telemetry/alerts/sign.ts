// Signatures of webhooks, after the Standard Webhooks specification (standardwebhooks.com).
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A fresh secret: `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** The three headers of a signed message. `at` in whole seconds. */
export function signedHeaders(
  secret: string,
  id: string,
  at: Date,
  body: string
): Readonly<Record<string, string>> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`
  }
}
