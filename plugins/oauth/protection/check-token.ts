// The access token of a request at this server's own addresses, and how requests and tokens are read.
import {
  type Access,
  type AccessChecks,
  type Credentials,
  checkAccess,
  type TokenRequest
} from '@keelson/protect/rules'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'

/** The request as the rules of resources take it. */
export const tokenRequest = (request: FastifyRequest): TokenRequest => ({
  method: request.method,
  url: request.raw.url ?? request.url,
  headers: request.headers as TokenRequest['headers']
})

/** Tokens and proofs, by the rows of this server. */
export const checksOf = ({
  live,
  dpop
}: Pick<Services, 'live' | 'dpop'>): AccessChecks<OAuthToken> => ({
  find: (token) => live.access(token),
  dpop
})

export const checkToken = (
  request: FastifyRequest,
  services: Pick<Services, 'settings' | 'live' | 'dpop'>,
  credentials: Credentials | undefined
): Promise<Access<OAuthToken>> =>
  checkAccess(
    tokenRequest(request),
    [services.settings.issuerOrigin],
    checksOf(services),
    credentials
  )
