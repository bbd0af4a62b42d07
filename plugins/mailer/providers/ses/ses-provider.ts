// Amazon SES: mail by its v2 API, signed by hand; events by notifications of Amazon SNS.
import { type Static, Type } from '@keelson/sdk'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { deliver, type MailApi } from '../http/deliver.ts'
import { undiciFetch } from '../http/undici.ts'
import { checkOptions } from '../provider-errors.ts'
import {
  httpOptions,
  identityOf,
  plainText,
  secretText,
  systemClock,
  tagsOf,
  toleranceOption
} from '../provider-schema.ts'
import { composeMail } from '../smtp/compose-mail.ts'
import { id, members, parsed, text } from '../vendor-json.ts'
import { isFresh } from '../webhooks/signatures.ts'
import { readSesEvents } from './ses-events.ts'
import { type AwsCredentials, signedHeaders } from './signature-v4.ts'
import { createSnsCertificates, fetchFromSns } from './sns-certificates.ts'
import { isSignedBy, isSnsAddress, readSnsMessage, type SnsMessage } from './sns-message.ts'

/** SNS tries a webhook for up to an hour, and each try has the time of the first. */
const TOLERANCE_SECONDS = 2 * 3600

/** What the provider is made from. */
export const sesOptions = Type.Object(
  {
    ...httpOptions,
    region: Type.String({
      pattern: '^[a-z0-9-]{1,40}$',
      form: 'a region such as eu-central-1',
      description: 'As eu-central-1.'
    }),
    accessKeyId: plainText('Of an identity that may send.'),
    secretAccessKey: secretText('Its secret.'),
    sessionToken: Type.Optional(secretText('Of temporary credentials.')),
    configurationSet: Type.Optional(plainText('Publishes events to the topic.')),
    topicArns: Type.Optional(
      Type.Array(plainText('Of a topic.'), {
        maxItems: 20,
        description: 'Topics whose notifications are taken. Without them no webhook is taken.'
      })
    ),
    webhookToleranceSeconds: toleranceOption(TOLERANCE_SECONDS)
  },
  { additionalProperties: false }
)

/** Options of `createSesProvider`. */
export type SesProviderOptions = Static<typeof sesOptions>

/** Refusals with status 400 that are about the account. */
const ABOUT_THE_ACCOUNT =
  /AccountSuspended|SendingPaused|MailFromDomainNotVerified|LimitExceeded|Throttling|TooManyRequests|ConfigurationSet/i

/**
 * A provider for Amazon SES. The configuration set must not track opens and clicks. SES sets the Message-ID
 * itself, and has no search for mail. `messageMeta` travels as tags.
 *
 * Anybody can make SNS sign a message, so only `topicArns` are trusted.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createSesProvider(options: SesProviderOptions): MailProvider {
  const identity = identityOf('ses', options)
  checkOptions(identity.name, sesOptions, options)
  const { clock = systemClock, fetch = undiciFetch } = options
  const api = apiOf(identity.name, options, { clock, fetch })
  const certificates = createSnsCertificates(fetch)
  const { topicArns = [], webhookToleranceSeconds: tolerance = TOLERANCE_SECONDS } = options

  async function isGenuine(message: SnsMessage): Promise<boolean> {
    const isOurs = topicArns.includes(message.TopicArn) && isSnsAddress(message.SigningCertURL)
    if (!isOurs) return false
    const certificate = await certificates(message.SigningCertURL)
    if (!isSignedBy(message, certificate, clock.now())) return false
    return isFresh(Date.parse(message.Timestamp), clock.now(), tolerance)
  }

  return {
    ...identity,
    send: (message, send) => deliver(api, message, send),
    async verifyWebhook(rawBody) {
      const message = readSnsMessage(parsed(rawBody))
      return message !== undefined && isGenuine(message)
    },
    parseWebhookEvents: readSesEvents,
    async confirmWebhook(payload) {
      const message = readSnsMessage(payload)
      if (message === undefined || message.Type === 'Notification') return false
      const isConfirmation = message.Type === 'SubscriptionConfirmation'
      if (isConfirmation) await fetchFromSns(fetch, message.SubscribeURL ?? '')
      return true
    }
  }
}

function apiOf(
  provider: string,
  options: SesProviderOptions,
  { clock, fetch }: Pick<MailApi, 'clock' | 'fetch'>
): MailApi {
  const { region, secretAccessKey, sessionToken = '' } = options
  const credentials = credentialsOf(options)
  const baseUrl = options.baseUrl ?? `https://email.${region}.amazonaws.com`
  const path = '/v2/email/outbound-emails'
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  return {
    provider,
    baseUrl,
    fetch,
    clock,
    secrets: [secretAccessKey, sessionToken],
    async request(message, { messageId }) {
      const now = clock.now()
      const raw = await composeMail(message, { messageId, date: now })
      const body = JSON.stringify(mailOf(message, raw, options.configurationSet))
      const request = {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body
      } as const
      return {
        path,
        headers: signedHeaders(request, { credentials, region, service: 'ses', now }),
        body
      }
    },
    idOf: ({ body }) => id(members(body)['MessageId']),
    reasonOf: (body) => text(members(body)['message']) ?? text(members(body)['Message']),
    isAboutAccount: ({ headers }) => ABOUT_THE_ACCOUNT.test(headers.get('x-amzn-errortype') ?? '')
  }
}

const credentialsOf = (options: SesProviderOptions): AwsCredentials => {
  const { accessKeyId, secretAccessKey, sessionToken } = options
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

function mailOf(message: ProviderMessage, raw: Buffer, configurationSet: string | undefined) {
  return {
    FromEmailAddress: message.fromEmail,
    Destination: { ToAddresses: [message.to] },
    Content: { Raw: { Data: raw.toString('base64') } },
    EmailTags: tagsOf(message).map(([Name, Value]) => ({ Name, Value })),
    ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet })
  }
}
