// SMTP: any mail server, with pooled connections, TLS, authentication and DKIM.
import { type Static, Type } from '@keelson/sdk'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import { faultOfMessage } from '../message-faults.ts'
import { checkOptions, notTaken, readOption, vendorText } from '../provider-errors.ts'
import {
  identityOf,
  plainText,
  secretText,
  sharedOptions,
  systemClock
} from '../provider-schema.ts'
import { composeMail } from './compose-mail.ts'
import { createDkimSigner, type DkimSigner } from './dkim.ts'
import { openSmtpConnections } from './smtp-connection.ts'
import { smtpServer } from './smtp-server-address.ts'

const DOMAIN = '^[A-Za-z0-9._-]+$'

/** What the provider is made from. */
export const smtpOptions = Type.Object(
  {
    ...sharedOptions,
    url: secretText('smtp://user:password@host:587, or smtps:// for TLS from the first byte.'),
    requireTls: Type.Optional(
      Type.Boolean({ description: 'Default: true with a password, unless the server is local.' })
    ),
    ca: Type.Optional(
      Type.String({ maxLength: 262_144, description: 'PEM of further certificate authorities.' })
    ),
    ehloName: Type.Optional(plainText('Default: the name of the machine.')),
    returnPath: Type.Optional(plainText('Where bounces go. Default: the sender of each mail.')),
    dkim: Type.Optional(
      Type.Object(
        {
          domain: Type.String({
            pattern: DOMAIN,
            form: 'a domain or one of its labels, without @',
            maxLength: 253
          }),
          selector: Type.String({
            pattern: DOMAIN,
            form: 'a domain or one of its labels, without @',
            maxLength: 253
          }),
          privateKey: secretText('PEM, RSA.')
        },
        { additionalProperties: false }
      )
    )
  },
  { additionalProperties: false }
)

/** Options of `createSmtpProvider`. */
export type SmtpProviderOptions = Static<typeof smtpOptions>

const CONNECTIONS = 5

/**
 * A provider that speaks SMTP over pooled connections, `concurrency` (5) at most.
 *
 * A refusal of class 4, or a connection that breaks before the final dot, throws: the server does not have
 * the mail. A refusal of class 5 rejects it, as a
 * bounce when it is about the mailbox. A connection that is lost behind the final dot is `unknown`.
 * The provider's id of a mail is its Message-ID. It has no webhooks.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function createSmtpProvider(options: SmtpProviderOptions): MailProvider {
  const identity = identityOf('smtp', options)
  checkOptions(identity.name, smtpOptions, options)
  const { url, clock = systemClock, concurrency = CONNECTIONS, returnPath } = options
  const server = smtpServer(identity.name, url, options)
  const sign = signerOf(identity.name, options)
  const connections = openSmtpConnections(server, {
    connections: concurrency,
    name: options.ehloName
  })
  const secrets = [url, server.auth?.pass ?? '']
  return {
    ...identity,
    concurrency,
    async send(message, { messageId, signal }) {
      const fault = faultOfMessage(message, { messageId })
      if (fault !== undefined) return { status: 'rejected', reason: fault }
      const raw = await sign(await composeMail(message, { messageId, date: clock.now() }))
      const from = returnPath ?? message.fromEmail
      const delivery = await connections.deliver({ from, to: message.to, raw, signal })
      if (delivery.status === 'accepted') {
        const { response } = delivery
        return { status: 'accepted', providerId: messageId, raw: { response } }
      }
      const reason = vendorText(delivery.reason, secrets)
      const { status, bounce, bounceClass, fault: cause = 'provider' } = delivery
      if (status === 'retry') throw notTaken({ provider: identity.name, reason, fault: cause })
      if (status === 'rejected') {
        const why = {
          ...(bounce !== undefined && { bounce }),
          ...(bounceClass !== undefined && { bounceClass })
        }
        return { status, reason, ...why }
      }
      return { status, reason }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => [],
    close: async () => connections.close()
  }
}

const signerOf = (provider: string, { dkim }: SmtpProviderOptions): DkimSigner =>
  dkim === undefined
    ? async (mail) => mail
    : readOption(
        { provider, path: 'dkim.privateKey', problem: 'must be an RSA private key in PEM' },
        () => createDkimSigner(dkim)
      )
