// SendGrid: mail by its v3 API, events by signed webhooks.
import { type Static, Type } from '@keelson/sdk'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { deliver, type MailApi } from '../http/deliver.ts'
import { undiciFetch } from '../http/undici.ts'
import { checkOptions, readOption } from '../provider-errors.ts'
import {
  httpOptions,
  identityOf,
  secretText,
  systemClock,
  toleranceOption
} from '../provider-schema.ts'
import { id, items, members, text } from '../vendor-json.ts'
import { isGenuine, readSendGridEvents, readVerificationKey } from './sendgrid-webhook.ts'

const TOLERANCE_SECONDS = 300

/** What the provider is made from. */
export const sendGridOptions = Type.Object(
  {
    ...httpOptions,
    apiKey: secretText('With the permission to send mail.'),
    webhookVerificationKey: Type.Optional(
      secretText('Of the signed event webhook: PEM or base64. Without it no webhook is taken.')
    ),
    webhookToleranceSeconds: toleranceOption(TOLERANCE_SECONDS)
  },
  { additionalProperties: false }
)

/** Options of `createSendGridProvider`. */
export type SendGridProviderOptions = Static<typeof sendGridOptions>

/**
 * A provider for SendGrid. Its own open and click tracking is off; `messageMeta` travels as custom arguments.
 * It has no look-up: searching SendGrid's activity is an addition that has to be bought, with few requests a
 * minute. Its webhooks say what became of a mail.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createSendGridProvider(options: SendGridProviderOptions): MailProvider {
  const identity = identityOf('sendgrid', options)
  checkOptions(identity.name, sendGridOptions, options)
  const { apiKey, clock = systemClock, webhookToleranceSeconds = TOLERANCE_SECONDS } = options
  const key = keyOf(identity.name, options)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const api: MailApi = {
    provider: identity.name,
    baseUrl: options.baseUrl ?? 'https://api.sendgrid.com',
    fetch: options.fetch ?? undiciFetch,
    secrets: [apiKey],
    clock,
    request: (message, { messageId }) => ({
      path: '/v3/mail/send',
      headers,
      body: JSON.stringify(mailOf(message, messageId))
    }),
    idOf: (answer) => id(answer.headers.get('x-message-id')),
    reasonOf: (body) =>
      items(members(body)['errors'])
        .map((error) => text(members(error)['message']))
        .join('; ') || undefined
  }
  return {
    ...identity,
    send: (message, send) => deliver(api, message, send),
    verifyWebhook(rawBody, headers) {
      const rule = { now: clock.now(), toleranceSeconds: webhookToleranceSeconds }
      return key !== undefined && isGenuine(key, { rawBody, headers }, rule)
    },
    parseWebhookEvents: readSendGridEvents
  }
}

const keyOf = (provider: string, { webhookVerificationKey: key }: SendGridProviderOptions) =>
  key === undefined
    ? undefined
    : readOption(
        { provider, path: 'webhookVerificationKey', problem: 'must be an ECDSA public key' },
        () => readVerificationKey(key)
      )

const off = { enable: false }

/** The body of `POST /v3/mail/send`. The text comes before the HTML, as the API demands. */
function mailOf(message: ProviderMessage, messageId: string) {
  const { to, fromName, fromEmail, replyTo, subject, html, attachments = [] } = message
  return {
    personalizations: [{ to: [{ email: to }] }],
    from: { email: fromEmail, ...(fromName !== '' && { name: fromName }) },
    ...(replyTo !== undefined && { reply_to: { email: replyTo } }),
    subject,
    content: [
      { type: 'text/plain', value: message.text || ' ' },
      ...(html === undefined ? [] : [{ type: 'text/html', value: html }])
    ],
    headers: { ...message.headers, 'Message-ID': messageId },
    custom_args: message.messageMeta ?? {},
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
        filename,
        type: contentType,
        content: content.toString('base64'),
        ...(contentId === undefined
          ? { disposition: 'attachment' }
          : { disposition: 'inline', content_id: contentId })
      }))
    }),
    tracking_settings: {
      click_tracking: { ...off, enable_text: false },
      open_tracking: off,
      subscription_tracking: off,
      ganalytics: off
    }
  }
}
