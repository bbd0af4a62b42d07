// The settings of Postmaster.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

const secret = (description: string) =>
  Type.Optional(Type.String({ maxLength: 512, secret: true, description }))

/** The settings. Without credentials the plugin is dormant. */
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
      Type.String({ maxLength: 512, description: 'In place of the addresses of Google.' })
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type PostmasterConfig = Static<typeof configSchema>

/** Credentials and addresses; undefined while one of the credentials is missing. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly refreshToken: string
  readonly tokenUrl: string
  /** Without a slash at its end. */
  readonly apiUrl: string
}

export function credentialsOf(config: PostmasterConfig): Credentials | undefined {
  const { clientId, clientSecret, refreshToken, baseUrl } = config
  if (!clientId || !clientSecret || !refreshToken) return undefined
  const base = baseUrl?.replace(/\/+$/, '')
  return {
    clientId,
    clientSecret,
    refreshToken,
    tokenUrl: base ? `${base}/token` : 'https://oauth2.googleapis.com/token',
    apiUrl: base || 'https://gmailpostmastertools.googleapis.com'
  }
}
