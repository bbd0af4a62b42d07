// The challenges of a protected resource (RFC 6750, RFC 9449, RFC 9728): refusals with their headers. Pure.
import type { Access } from './check-access.ts'
import { DPOP_ALGS } from './dpop.ts'
import type { TokenScheme } from './read-credentials.ts'
import { type Refusal, refusalOf, refusalTable } from './refusals.ts'

/** What a challenge says of the resource. */
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

/** The refusal of an access that is not live. */
export function challengeOf(
  access: Exclude<Access<unknown>, { kind: 'live' }>,
  { metadataUrl, scopes, scheme = 'Bearer' }: ChallengeAbout
): Refusal {
  const about = { resource_metadata: metadataUrl, scope: scopes.join(' ') }
  switch (access.kind) {
    case 'none':
      return refusalOf('tokenRequired', { 'www-authenticate': header('Bearer', about) })
    case 'dead': {
      const error = { error: 'invalid_token', error_description: access.description }
      const challenge = refusal(scheme, { ...error, ...about })
      return refusalOf('tokenInvalid', { 'www-authenticate': challenge }, access.description)
    }
    case 'proof': {
      const { error, description, nonce } = access
      const challenge = refusal('DPoP', { error, error_description: description, ...about })
      return refusalOf(
        error === 'use_dpop_nonce' ? 'nonceNeeded' : 'proofRefused',
        { 'www-authenticate': challenge, ...(nonce !== undefined && { 'dpop-nonce': nonce }) },
        description
      )
    }
  }
}

/** The request sends its token in a way that is not allowed; the token itself may be valid. */
export function malformed(description: string): Refusal {
  const about = { error: 'invalid_request', error_description: description }
  return refusalOf('tokenMalformed', { 'www-authenticate': header('Bearer', about) }, description)
}

/** The token is live but lacks scopes. The challenge names all scopes that the operation needs. */
export function insufficientScope({
  metadataUrl,
  scopes,
  scheme = 'Bearer'
}: ChallengeAbout): Refusal {
  const [, , description] = refusalTable.insufficientScope
  return refusalOf('insufficientScope', {
    'www-authenticate': refusal(scheme, {
      error: 'insufficient_scope',
      error_description: description,
      scope: scopes.join(' '),
      resource_metadata: metadataUrl
    })
  })
}
