// The challenges of a protected resource (RFC 6750, RFC 9449, RFC 9728) as errors with their headers. Pure.
import { OAuthError, oauthError, oauthErrorTable } from '../oauth-errors.ts'
import { DPOP_ALGS } from '../proofs/dpop.ts'
import type { Access } from './check-access.ts'
import type { TokenScheme } from './read-credentials.ts'

export interface ChallengeAbout {
  /** Address of the resource's metadata; undefined when there is none. */
  readonly metadataUrl: string | undefined
  /** All scopes that the operation needs. */
  readonly scopes: readonly string[]
  /** How the token came: a client that proves a key is challenged for one (RFC 9449 §7.1). */
  readonly scheme?: TokenScheme
}

const header = (
  scheme: string,
  parameters: Readonly<Record<string, string | undefined>>
): string => {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}="${String(value).replace(/["\\]/g, '')}"`)
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`
}

/** The header of a refused token, in the scheme that it came with. */
const refusal = (scheme: TokenScheme, parameters: Parameters<typeof header>[1]): string =>
  header(scheme, scheme === 'DPoP' ? { ...parameters, algs: DPOP_ALGS.join(' ') } : parameters)

/** The error for an access that is not live. */
export function challengeOf(
  access: Exclude<Access, { kind: 'live' }>,
  { metadataUrl, scopes, scheme = 'Bearer' }: ChallengeAbout
): OAuthError {
  const about = { resource_metadata: metadataUrl, scope: scopes.join(' ') }
  switch (access.kind) {
    case 'none':
      return oauthError('tokenRequired', {
        headers: { 'www-authenticate': header('Bearer', about) }
      })
    case 'dead': {
      const error = { error: 'invalid_token', error_description: access.description }
      return oauthError('tokenInvalid', {
        description: access.description,
        headers: { 'www-authenticate': refusal(scheme, { ...error, ...about }) }
      })
    }
    case 'proof': {
      const error = { error: access.error, error_description: access.description }
      return new OAuthError(401, access.error, access.description, {
        headers: {
          'www-authenticate': refusal('DPoP', { ...error, ...about }),
          ...(access.nonce !== undefined && { 'dpop-nonce': access.nonce })
        }
      })
    }
  }
}

/** The request sends its token in a way that is not allowed; the token itself may be valid. */
export function malformed(description: string): OAuthError {
  const about = { error: 'invalid_request', error_description: description }
  return oauthError('invalidParameter', {
    description,
    headers: { 'www-authenticate': header('Bearer', about) }
  })
}

/** The token is live but lacks scopes. The challenge names all scopes that the operation needs. */
export function insufficientScope({
  metadataUrl,
  scopes,
  scheme = 'Bearer'
}: ChallengeAbout): OAuthError {
  const [, , description] = oauthErrorTable.insufficientScope
  return oauthError('insufficientScope', {
    headers: {
      'www-authenticate': refusal(scheme, {
        error: 'insufficient_scope',
        error_description: description,
        scope: scopes.join(' '),
        resource_metadata: metadataUrl
      })
    }
  })
}
