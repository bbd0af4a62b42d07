// The access token of a request and its scheme. From the header alone: addresses end in logs. Pure.

export interface Credentials {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly token: string
}

/** Undefined when there are none that are meant for us. */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const [, scheme, token] =
    /^(bearer|dpop) +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '') ?? []
  if (scheme === undefined || token === undefined) return undefined
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token }
}

const BEARER = 'Bearer '

/** The token behind the scheme in its usual spelling; whatever else there is must be read in full. */
export const plainBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(BEARER) === true ? authorization.slice(BEARER.length) : undefined
