// The access token of a request and its scheme, from the header only: addresses are logged. Pure.

export interface Credentials {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly token: string
}

/** Undefined without a Bearer or DPoP token. */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const [, scheme, token] =
    /^(bearer|dpop) +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '') ?? []
  if (scheme === undefined || token === undefined) return undefined
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token }
}

const BEARER = 'Bearer '

/** The token after `Bearer ` in its usual spelling; other headers must be read in full. */
export const plainBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(BEARER) === true ? authorization.slice(BEARER.length) : undefined
