// Reads a Client ID Metadata Document: the client it describes, or why it is refused. Pure.
import type { JWK } from 'jose'
import { isHttps, jwksProblem } from '../clients/client-fields.ts'
import { nameProblem } from '../clients/client-name.ts'
import { redirectUriProblem, sectorOf } from '../clients/redirect-uris.ts'
import type { Branding, OAuthClient } from '../storage/rows.ts'
import { type AllowedHosts, mayFetch } from './allowed-hosts.ts'

export type DocumentClient = Pick<
  OAuthClient,
  | 'name'
  | 'type'
  | 'redirectUris'
  | 'allowedScopes'
  | 'tokenEndpointAuthMethod'
  | 'sectorIdentifier'
  | 'branding'
  | 'jwks'
  | 'jwksUri'
>

export type ReadDocument =
  | { readonly ok: true; readonly client: DocumentClient }
  | { readonly ok: false; readonly reason: string }

/** What a document may say. */
export interface DocumentLimits {
  readonly allowedScopes: readonly string[]
  /** Scopes that this server has and OpenID does not. */
  readonly ownScopes: readonly string[]
  readonly hosts: AllowedHosts
}

const no = (reason: string): ReadDocument => ({ ok: false, reason })

const BRANDING = {
  logo_uri: 'logoUrl',
  client_uri: 'homepageUrl',
  tos_uri: 'tosUrl',
  policy_uri: 'privacyUrl'
} as const

export function readDocument(
  document: Readonly<Record<string, unknown>>,
  clientId: string,
  settings: DocumentLimits
): ReadDocument {
  if (document['client_id'] !== clientId) return no('its client_id is not its address')
  const { client_name: name, redirect_uris: redirectUris } = document
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    return no('client_name is missing')
  }
  if (nameProblem(name) !== undefined) return no('client_name has control characters')
  const method = document['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none' && method !== 'private_key_jwt') {
    return no('token_endpoint_auth_method is neither none nor private_key_jwt')
  }
  if ('client_secret' in document) return no('it holds a secret')
  const type = method === 'none' ? 'public' : 'confidential'
  if (!Array.isArray(redirectUris) || redirectUris.length === 0 || redirectUris.length > 50) {
    return no('redirect_uris is missing')
  }
  const uriProblem = redirectUris.map((uri) => redirectUriProblem(uri, type)).find(Boolean)
  if (uriProblem !== undefined) return no(`a redirect URI ${uriProblem}`)
  const allowedScopes = scopesWithin(document['scope'], settings)
  if (!allowedScopes.some((id) => id !== 'offline_access'))
    return no('none of its scopes is allowed')
  const keys = readKeys(document, method, settings)
  if (typeof keys === 'string') return no(keys)
  const branding = readBranding(document)
  if (branding === undefined) return no('one of its addresses is not https')
  return {
    ok: true,
    client: {
      name,
      type,
      redirectUris,
      allowedScopes,
      tokenEndpointAuthMethod: method,
      sectorIdentifier: sectorOf(redirectUris, clientId),
      branding,
      ...keys
    }
  }
}

/** A document is written for every server: where it names no scope of this one, it says nothing about them. */
function scopesWithin(
  scope: unknown,
  { allowedScopes, ownScopes }: DocumentLimits
): readonly string[] {
  // Clients add offline_access to what they ask for, whether their document names it or not.
  const asked = new Set([...String(scope).split(' '), 'offline_access'])
  if (!ownScopes.some((one) => asked.has(one))) return allowedScopes
  return allowedScopes.filter((one) => asked.has(one))
}

type Keys = { readonly jwks?: { readonly keys: readonly JWK[] }; readonly jwksUri?: string }

function readKeys(
  document: Readonly<Record<string, unknown>>,
  method: string,
  { hosts }: DocumentLimits
): Keys | string {
  if (method === 'none') return {}
  const { jwks, jwks_uri: jwksUri } = document
  if (jwks !== undefined) {
    const problem = jwksProblem(jwks)
    return problem === undefined ? { jwks: jwks as { keys: readonly JWK[] } } : `jwks ${problem}`
  }
  if (!isHttps(jwksUri)) return 'jwks and jwks_uri are missing'
  if (!mayFetch(new URL(jwksUri), hosts)) return 'the host of jwks_uri is not on the list'
  return { jwksUri }
}

function readBranding(document: Readonly<Record<string, unknown>>): Branding | undefined {
  const branding: Record<string, string> = {}
  for (const [field, name] of Object.entries(BRANDING)) {
    const value = document[field]
    if (value === undefined || value === '') continue
    if (!isHttps(value)) return undefined
    branding[name] = value
  }
  return branding
}
