// The metadata of a registration (RFC 7591) as the fields of a client, and back. Pure.
import type { PublicClient } from '../storage/rows.ts'
import { CURSOR_REDIRECT_URIS } from '../vendors.ts'
import type { ClientFields } from './client-fields.ts'
import { isLoopbackHost } from './redirect-uris.ts'

/** The body of a registration. */
export type ClientMetadata = Readonly<Record<string, unknown>>

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The fields that do not prove who the client is. */
function describedFields(metadata: ClientMetadata) {
  const branding = Object.entries({
    logoUrl: metadata['logo_uri'],
    homepageUrl: metadata['client_uri'],
    tosUrl: metadata['tos_uri'],
    privacyUrl: metadata['policy_uri']
  }).filter(([, value]) => text(value) !== undefined)
  const logout = metadata['post_logout_redirect_uris']
  return {
    name: text(metadata['client_name']) ?? 'Registered client',
    redirectUris: metadata['redirect_uris'] as readonly string[],
    ...(logout !== undefined && { postLogoutRedirectUris: logout as readonly string[] }),
    ...(metadata['dpop_bound_access_tokens'] === true && { dpopBoundAccessTokens: true }),
    ...(branding.length > 0 && { branding: Object.fromEntries(branding) })
  }
}

/** The default of the standard (OpenID Connect Registration §2), where this server has it. */
function algOf(metadata: ClientMetadata, algorithms: readonly string[]) {
  const wanted = text(metadata['id_token_signed_response_alg']) ?? 'RS256'
  return wanted === 'RS256' && algorithms.includes(wanted) ? { idTokenAlg: 'RS256' as const } : {}
}

/** What the server offers to clients that register themselves. */
export interface Offer {
  /** Whether clients receive logout tokens. */
  readonly hasBackChannelLogout: boolean
  readonly catalogue: readonly string[]
  readonly algorithms: readonly string[]
}

/** For a registration with an initial access token: everything that the client asks for. */
export function fieldsOfMetadata(
  metadata: ClientMetadata,
  { catalogue, algorithms, hasBackChannelLogout }: Offer
): ClientFields {
  const backchannelLogoutUri = text(metadata['backchannel_logout_uri'])
  const method = text(metadata['token_endpoint_auth_method']) ?? 'client_secret_basic'
  const scope = text(metadata['scope'])?.split(' ').filter(Boolean)
  return {
    ...describedFields(metadata),
    allowedScopes: scope ?? catalogue,
    type: method === 'none' ? 'public' : 'confidential',
    tokenEndpointAuthMethod: method as NonNullable<ClientFields['tokenEndpointAuthMethod']>,
    ...(metadata['jwks'] !== undefined && { jwks: metadata['jwks'] as { keys: [] } }),
    ...(metadata['jwks_uri'] !== undefined && { jwksUri: String(metadata['jwks_uri']) }),
    // Metadata that a server does not know is ignored (RFC 7591 §2); the answer says what is registered.
    ...(hasBackChannelLogout && backchannelLogoutUri !== undefined && { backchannelLogoutUri }),
    ...algOf(metadata, algorithms)
  }
}

/**
 * For an open registration: a public client, whatever method it asks for, as RFC 7591 §2 lets a server decide.
 * It may ask people for every scope: which ones it needs shows when a person uses it.
 */
export function openFieldsOfMetadata(
  metadata: ClientMetadata,
  { catalogue, algorithms }: Offer
): ClientFields {
  return {
    ...describedFields(metadata),
    allowedScopes: catalogue,
    type: 'public',
    tokenEndpointAuthMethod: 'none',
    ...algOf(metadata, algorithms)
  }
}

/** Why an open registration is refused: the field and the reason; undefined for one that can be made. */
export function openProblem(
  metadata: ClientMetadata
):
  | { readonly field: 'redirect_uris' | 'token_endpoint_auth_method'; readonly problem: string }
  | undefined {
  if (metadata['token_endpoint_auth_method'] === 'private_key_jwt') {
    const problem = 'must be none: open registration is for public clients'
    return { field: 'token_endpoint_auth_method', problem }
  }
  const uris = metadata['redirect_uris']
  const foreign = Array.isArray(uris) ? uris.find((uri) => !isOpenCallback(uri)) : undefined
  if (foreign === undefined) return undefined
  const problem = `must be https, or http on loopback, but one is ${String(foreign).slice(0, 200)}`
  return { field: 'redirect_uris', problem }
}

function isOpenCallback(uri: unknown): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:') return true
  return protocol === 'http:' ? isLoopbackHost(hostname) : CURSOR_REDIRECT_URIS.includes(uri)
}

/** Why a registration with a back channel is refused; undefined for one that can be made. */
export const logoutProblem = (
  metadata: ClientMetadata,
  { hasBackChannelLogout }: Pick<Offer, 'hasBackChannelLogout'>
): string | undefined =>
  hasBackChannelLogout && metadata['backchannel_logout_session_required'] === true
    ? 'must be false: logout tokens name the person, not a session'
    : undefined

/** What is registered, as RFC 7591 §3.2.1 answers it. */
export const metadataOfClient = (client: PublicClient) => ({
  client_id: client.clientId,
  client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
  client_name: client.name,
  redirect_uris: client.redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: client.allowedScopes.join(' '),
  token_endpoint_auth_method: client.tokenEndpointAuthMethod,
  ...(client.idTokenAlg !== undefined && { id_token_signed_response_alg: client.idTokenAlg }),
  ...(client.backchannelLogoutUri !== undefined && {
    backchannel_logout_uri: client.backchannelLogoutUri,
    backchannel_logout_session_required: false
  }),
  ...(client.jwksUri !== undefined && { jwks_uri: client.jwksUri }),
  ...(client.jwks !== undefined && { jwks: client.jwks }),
  ...(client.branding?.logoUrl !== undefined && { logo_uri: client.branding.logoUrl }),
  ...(client.branding?.homepageUrl !== undefined && { client_uri: client.branding.homepageUrl })
})
