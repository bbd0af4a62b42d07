// The access token of a request and its scheme, from the header only: addresses are logged. Pure.

/** The schemes of access tokens. */
export type TokenScheme = 'Bearer' | 'DPoP'

/** An access token and how it was sent. */
export interface Credentials {
  readonly scheme: TokenScheme
  readonly token: string
}

/** Undefined without a Bearer or DPoP token. */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const [, token] = /^[a-z]+ +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '') ?? []
  const scheme = schemeOf(authorization)
  return scheme === undefined || token === undefined ? undefined : { scheme, token }
}

/** The scheme of a header, whether or not its token can be read; undefined for other credentials. */
export function schemeOf(authorization: string | undefined): TokenScheme | undefined {
  const [, scheme] = /^(bearer|dpop) +\S/i.exec(authorization ?? '') ?? []
  if (scheme === undefined) return undefined
  return scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'
}

const BEARER = 'Bearer '

/** The token after `Bearer ` in its usual spelling; other headers must be read in full. */
export const plainBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(BEARER) === true ? authorization.slice(BEARER.length) : undefined
