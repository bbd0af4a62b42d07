// Postmark: mail by its API, events by webhooks with a shared secret, and a search for what became of a mail.
import { closed, type Static, Type } from '@keelson/sdk'
import type { LookUp, MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { parseMessageId } from '../../ledger/message-id.ts'
import { basicAuth, deliver, type MailApi, senderOf } from '../http/deliver.ts'
import { lookUpMail, type Question } from '../http/look-up.ts'
import { undiciFetch } from '../http/undici.ts'
import { checkOptions } from '../provider-errors.ts'
import { httpOptions, identityOf, plainText, secretText, systemClock } from '../provider-schema.ts'
import { id, members, text } from '../vendor-json.ts'
import { isSame, onlyHeader } from '../webhooks/signatures.ts'
import { readPostmarkEvents } from './postmark-events.ts'

/** What the provider is made from. */
export const postmarkOptions = Type.Object(
  {
    ...httpOptions,
    serverToken: secretText('The API token of the server.'),
    messageStream: Type.Optional(plainText('Default: outbound.')),
    webhookAuth: Type.Optional(
      Type.Union(
        [
          Type.Object(
            { user: plainText('Of basic authentication.'), password: secretText('') },
            closed
          ),
          Type.Object(
            { header: plainText('A custom header.'), token: secretText('Its value.') },
            closed
          )
        ],
        {
          secret: true,
          expected: '{user, password} or {header, token}',
          description: 'What Postmark sends with each webhook. Without it no webhook is taken.'
        }
      )
    )
  },
  closed
)

/** Options of `createPostmarkProvider`. */
export type PostmarkProviderOptions = Static<typeof postmarkOptions>

/** Error codes about the account: sender signatures, credits, approval. */
const ACCOUNT_CODES: readonly unknown[] = [10, 400, 401, 402, 403, 405, 412]

/**
 * A provider for Postmark. Its open and link tracking is off; `messageMeta` travels as metadata. Postmark
 * does not sign webhooks: they are known by basic authentication or by a header.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createPostmarkProvider(options: PostmarkProviderOptions): MailProvider {
  const identity = identityOf('postmark', options)
  checkOptions(identity.name, postmarkOptions, options)
  const { serverToken, messageStream = 'outbound', clock = systemClock } = options
  const expected = expectedHeader(options)
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-postmark-server-token': serverToken
  }
  const api: MailApi = {
    provider: identity.name,
    baseUrl: options.baseUrl ?? 'https://api.postmarkapp.com',
    fetch: options.fetch ?? undiciFetch,
    secrets: [serverToken],
    clock,
    request: (message, { messageId }) => ({
      path: '/email',
      headers,
      body: JSON.stringify({ ...mailOf(message, messageId), MessageStream: messageStream })
    }),
    idOf: ({ body }) =>
      members(body)['ErrorCode'] === 0 ? id(members(body)['MessageID']) : undefined,
    reasonOf: (body) => text(members(body)['Message']),
    isAboutAccount: ({ body }) => ACCOUNT_CODES.includes(members(body)['ErrorCode'])
  }
  return {
    ...identity,
    send: (message, send) => deliver(api, message, send),
    lookUp: (mail) => lookUpMail(api, mail, questionAbout(mail, headers)),
    verifyWebhook(_rawBody, given) {
      if (expected === undefined) return false
      const value = onlyHeader(given, expected.name)
      return value !== undefined && isSame(value, expected.value)
    },
    parseWebhookEvents: readPostmarkEvents
  }
}

function expectedHeader({ webhookAuth }: PostmarkProviderOptions) {
  if (webhookAuth === undefined) return undefined
  if ('token' in webhookAuth)
    return { name: webhookAuth.header.toLowerCase(), value: webhookAuth.token }
  return { name: 'authorization', value: basicAuth(webhookAuth.user, webhookAuth.password) }
}

function mailOf(message: ProviderMessage, messageId: string) {
  const { to, replyTo, subject, html, attachments = [] } = message
  const extra = { ...message.headers, 'Message-ID': messageId, 'X-PM-KeepID': 'true' }
  return {
    From: senderOf(message),
    To: to,
    ...(replyTo !== undefined && { ReplyTo: replyTo }),
    Subject: subject,
    TextBody: message.text,
    ...(html !== undefined && { HtmlBody: html }),
    Headers: Object.entries(extra).map(([Name, Value]) => ({ Name, Value })),
    Metadata: message.messageMeta ?? {},
    TrackOpens: false,
    TrackLinks: 'None',
    Attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
      Name: filename,
      ContentType: contentType,
      Content: content.toString('base64'),
      ...(contentId !== undefined && { ContentID: `cid:${contentId}` })
    }))
  }
}

/** Any attempt at a mail answers for all: there is one mail. */
function questionAbout(mail: LookUp, headers: Readonly<Record<string, string>>): Question {
  const sendId = parseMessageId(mail.messageId)?.sendId ?? mail.idempotencyKey
  return {
    path: `/messages/outbound?count=1&offset=0&metadata_sendId=${encodeURIComponent(sendId)}`,
    headers,
    settledMinutes: 15,
    keptHours: 40 * 24,
    read(body) {
      const { Messages: list } = members(body)
      if (!Array.isArray(list)) return undefined
      const providerId = id(members(list[0])['MessageID'])
      return providerId === undefined ? null : { status: 'accepted', providerId }
    }
  }
}
