// Resend: mail by its API with an idempotency key, events by webhooks that Svix signs.
import { readWebhookSecret, type Static, Type } from '@keelson/sdk'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { deliver, type MailApi, senderOf } from '../http/deliver.ts'
import { undiciFetch } from '../http/undici.ts'
import { checkOptions, readOption } from '../provider-errors.ts'
import {
  httpOptions,
  identityOf,
  secretText,
  systemClock,
  tagsOf,
  toleranceOption
} from '../provider-schema.ts'
import { id, members, text } from '../vendor-json.ts'
import { isStandardWebhook } from '../webhooks/standard-webhooks.ts'
import { readResendEvents } from './resend-events.ts'

const TOLERANCE_SECONDS = 300

/** What the provider is made from. */
export const resendOptions = Type.Object(
  {
    ...httpOptions,
    apiKey: secretText('With the permission to send mail.'),
    webhookSecret: Type.Optional(
      secretText('Of the webhook: whsec_ and base64. Without it no webhook is taken.')
    ),
    webhookToleranceSeconds: toleranceOption(TOLERANCE_SECONDS)
  },
  { additionalProperties: false }
)

/** Options of `createResendProvider`. */
export type ResendProviderOptions = Static<typeof resendOptions>

/**
 * A provider for Resend. A mail whose outcome is unknown is sent again with the same key, which Resend
 * remembers for 24 hours; a key that it knows from a different body leaves the outcome unknown. Resend sets
 * the Message-ID itself. Its open and click tracking is a setting of the domain there: switch it off.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createResendProvider(options: ResendProviderOptions): MailProvider {
  const identity = identityOf('resend', options)
  checkOptions(identity.name, resendOptions, options)
  const { apiKey, clock = systemClock, webhookToleranceSeconds = TOLERANCE_SECONDS } = options
  const key = keyOf(identity.name, options)
  const api: MailApi = {
    provider: identity.name,
    baseUrl: options.baseUrl ?? 'https://api.resend.com',
    fetch: options.fetch ?? undiciFetch,
    secrets: [apiKey],
    clock,
    request: (message, { idempotencyKey }) => ({
      path: '/emails',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey
      },
      body: JSON.stringify(mailOf(message))
    }),
    idOf: ({ body }) => id(members(body)['id']),
    reasonOf: (body) => text(members(body)['message']),
    isRepeated: ({ body }) => members(body)['name'] === 'invalid_idempotent_request'
  }
  return {
    ...identity,
    capabilities: { idempotencyKeys: true, idempotencyHours: 24 },
    send: (message, send) => deliver(api, message, send),
    verifyWebhook(rawBody, headers) {
      const rule = { now: clock.now(), toleranceSeconds: webhookToleranceSeconds }
      return key !== undefined && isStandardWebhook(key, { rawBody, headers }, rule)
    },
    parseWebhookEvents: readResendEvents
  }
}

const keyOf = (provider: string, { webhookSecret: secret }: ResendProviderOptions) =>
  secret === undefined
    ? undefined
    : readOption({ provider, path: 'webhookSecret', problem: 'must be whsec_ and base64' }, () =>
        readWebhookSecret(secret)
      )

/** The body holds nothing that differs between tries: the same key must come with the same body. */
function mailOf(message: ProviderMessage) {
  const { to, replyTo, subject, html, attachments = [] } = message
  return {
    from: senderOf(message),
    to: [to],
    ...(replyTo !== undefined && { reply_to: replyTo }),
    subject,
    text: message.text,
    ...(html !== undefined && { html }),
    headers: message.headers ?? {},
    tags: tagsOf(message).map(([name, value]) => ({ name, value })),
    attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
      filename,
      content: content.toString('base64'),
      content_type: contentType,
      ...(contentId !== undefined && { content_id: contentId })
    }))
  }
}
