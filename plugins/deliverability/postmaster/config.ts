// The settings of Postmaster.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

const secret = (description: string) =>
  Type.Optional(Type.String({ maxLength: 512, secret: true, description }))

/** The settings. Without credentials and an address of one's own the plugin is dormant. */
export const configSchema = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({ maxLength: 512, description: 'Of an OAuth client of Google Cloud.' })
    ),
    clientSecret: secret('Of the same client.'),
    refreshToken: secret('With the scope postmaster.traffic.readonly.'),
    domains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: 200,
        description: 'Verified domains. Default: the sender domains of the mailer.'
      })
    ),
    intervalHours: Type.Number({
      default: 24,
      minimum: 0,
      maximum: 720,
      description: 'Hours between two reads of a domain. 0: off.'
    }),
    spamRatePctTrip: Type.Number({
      default: 0.3,
      minimum: 0,
      maximum: 100,
      description: 'Over this share of mails reported as spam, marketing mail of the domain stops.'
    }),
    spamRatePctWarn: Type.Number({
      default: 0.1,
      minimum: 0,
      maximum: 100,
      description: 'Over this share the setup list warns.'
    }),
    baseUrl: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'In place of the addresses of Google. Without credentials it is called without a token: a gateway adds one.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type PostmasterConfig = Static<typeof configSchema>

/** Where the API is, and what its tokens are asked for with. */
export interface Access {
  /** Without a slash at its end. */
  readonly apiUrl: string
  /** undefined: a gateway at `apiUrl` adds the token. */
  readonly credentials: Credentials | undefined
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly refreshToken: string
  readonly tokenUrl: string
}

/** undefined while one of the credentials is missing and there is no address of one's own. */
export function accessOf(config: PostmasterConfig): Access | undefined {
  const { clientId, clientSecret, refreshToken, baseUrl } = config
  const base = baseUrl?.replace(/\/+$/, '')
  const apiUrl = base || 'https://gmailpostmastertools.googleapis.com'
  if (clientId && clientSecret && refreshToken) {
    const tokenUrl = base ? `${base}/token` : 'https://oauth2.googleapis.com/token'
    return { apiUrl, credentials: { clientId, clientSecret, refreshToken, tokenUrl } }
  }
  const hasNone = !clientId && !clientSecret && !refreshToken
  return base && hasNone ? { apiUrl, credentials: undefined } : undefined
}
