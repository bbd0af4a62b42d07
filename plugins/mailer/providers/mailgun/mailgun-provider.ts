// Mailgun: mail by its API, events by signed webhooks, and a list of events to ask what became of a mail.
import { type Static, Type } from '@keelson/sdk'
import type { FormData } from 'undici'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { basicAuth, deliver, type MailApi, senderOf } from '../http/deliver.ts'
import { lookUpMail, type Question } from '../http/look-up.ts'
import { loadUndici, undiciFetch } from '../http/undici.ts'
import { checkOptions } from '../provider-errors.ts'
import {
  httpOptions,
  identityOf,
  secretText,
  systemClock,
  toleranceOption
} from '../provider-schema.ts'
import { id, members, text } from '../vendor-json.ts'
import { isFromMailgun, readMailgunEvents, tokenOf } from './mailgun-webhook.ts'

/** Mailgun repeats a webhook for 8 hours. */
const TOLERANCE_SECONDS = 9 * 3600

/** What the provider is made from. */
export const mailgunOptions = Type.Object(
  {
    ...httpOptions,
    apiKey: secretText('With the permission to send mail.'),
    domain: Type.String({
      pattern: '^[A-Za-z0-9._-]+$',
      form: 'a domain, such as mg.example.com',
      maxLength: 253,
      description: 'At Mailgun.'
    }),
    webhookSigningKey: Type.Optional(
      secretText('Of HTTP webhooks. Without it no webhook is taken.')
    ),
    webhookToleranceSeconds: toleranceOption(TOLERANCE_SECONDS)
  },
  { additionalProperties: false }
)

/** Options of `createMailgunProvider`. For a domain in Europe, `baseUrl` is `https://api.eu.mailgun.net`. */
export type MailgunProviderOptions = Static<typeof mailgunOptions>

/**
 * A provider for Mailgun. Its tracking is off; `messageMeta` travels as user variables.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createMailgunProvider(options: MailgunProviderOptions): MailProvider {
  const identity = identityOf('mailgun', options)
  checkOptions(identity.name, mailgunOptions, options)
  const { apiKey, domain, webhookSigningKey, clock = systemClock } = options
  const { webhookToleranceSeconds: toleranceSeconds = TOLERANCE_SECONDS } = options
  const authorization = basicAuth('api', apiKey)
  const api: MailApi = {
    provider: identity.name,
    baseUrl: options.baseUrl ?? 'https://api.mailgun.net',
    fetch: options.fetch ?? undiciFetch,
    secrets: [apiKey, authorization.replace('Basic ', '')],
    clock,
    async request(message, { messageId }) {
      // The bytes are made here: a fetch of another undici would not know this one's forms.
      const { FormData, Response } = await loadUndici()
      const form = new Response(fill(new FormData(), message, messageId))
      const contentType = form.headers.get('content-type') ?? ''
      return {
        path: `/v3/${domain}/messages`,
        headers: { authorization, 'content-type': contentType },
        body: Buffer.from(await form.arrayBuffer())
      }
    },
    idOf: ({ body }) => id(members(body)['id'])?.replace(/^<|>$/g, ''),
    reasonOf: (body) => text(members(body)['message'])
  }
  return {
    ...identity,
    send: (message, send) => deliver(api, message, send),
    lookUp: (mail) => lookUpMail(api, mail, questionAbout(domain, mail.messageId, authorization)),
    verifyWebhook(rawBody) {
      if (webhookSigningKey === undefined) return false
      return isFromMailgun(webhookSigningKey, rawBody, { now: clock.now(), toleranceSeconds })
    },
    webhookToken: (rawBody) => tokenOf(rawBody, { now: clock.now(), toleranceSeconds }),
    parseWebhookEvents: readMailgunEvents
  }
}

function fill(form: FormData, message: ProviderMessage, messageId: string): FormData {
  const { to, replyTo, subject, html, attachments = [] } = message
  form.append('from', senderOf(message))
  form.append('to', to)
  form.append('subject', subject)
  form.append('text', message.text)
  if (html !== undefined) form.append('html', html)
  if (replyTo !== undefined) form.append('h:Reply-To', replyTo)
  form.append('h:Message-Id', messageId)
  for (const [name, value] of Object.entries(message.headers ?? {})) form.append(`h:${name}`, value)
  for (const [name, value] of Object.entries(message.messageMeta ?? {}))
    form.append(`v:${name}`, value)
  for (const name of ['o:tracking', 'o:tracking-clicks', 'o:tracking-opens'])
    form.append(name, 'no')
  for (const { filename, contentType, content, contentId } of attachments) {
    const file = new Blob([new Uint8Array(content)], { type: contentType })
    // An inline image is known by its file name.
    form.append(contentId === undefined ? 'attachment' : 'inline', file, contentId ?? filename)
  }
  return form
}

/** Mailgun keeps the Message-ID that it is given. */
function questionAbout(domain: string, messageId: string, authorization: string): Question {
  const bare = encodeURIComponent(messageId.replace(/^<|>$/g, ''))
  return {
    path: `/v3/${domain}/events?limit=25&message-id=${bare}`,
    headers: { authorization },
    settledMinutes: 60,
    keptHours: 20,
    read(body) {
      const { items: list } = members(body)
      if (!Array.isArray(list)) return undefined
      const events = list.map(members)
      const rejected = events.find(({ event }) => event === 'rejected')
      if (rejected !== undefined)
        return {
          status: 'rejected',
          reason: text(members(rejected['reject'])['reason']) ?? 'rejected'
        }
      return events.length === 0
        ? null
        : { status: 'accepted', providerId: messageId.replace(/^<|>$/g, '') }
    }
  }
}
