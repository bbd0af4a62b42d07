// The discovery documents: of the server (RFC 8414, OpenID) and of its resources (RFC 9728). Pure.
import { DPOP_ALGS, resourceDocument } from '@keelson/protect/rules'
import { LANGUAGES } from '@keelson/ui/server'
import { ASSERTION_ALGS } from '../clients/assertion.ts'
import { grantTypesOf } from '../clients/grant-types.ts'
import type { Resource, Settings } from '../config/settings.ts'

const SECRETS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** One object for every address. */
export function serverMetadata(settings: Settings): Readonly<Record<string, unknown>> {
  const { base, issuer } = settings
  return Object.freeze({
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    revocation_endpoint: `${base}/revoke`,
    introspection_endpoint: `${base}/introspect`,
    pushed_authorization_request_endpoint: `${base}/par`,
    ...(settings.device !== undefined && {
      device_authorization_endpoint: `${base}/device_authorization`
    }),
    userinfo_endpoint: `${base}/userinfo`,
    jwks_uri: `${base}/jwks`,
    end_session_endpoint: `${base}/logout`,
    ...(settings.registration !== undefined && {
      registration_endpoint: `${base}/register`
    }),
    ...(settings.hasBackChannelLogout && {
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: false
    }),
    scopes_supported: [...settings.scopes.keys()],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: grantTypesOf(settings),
    ...(settings.exchange !== undefined && {
      identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag']
    }),
    ...(settings.idJag !== undefined && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag']
    }),
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...SECRETS, 'none'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGS,
    revocation_endpoint_auth_methods_supported: [...SECRETS, 'none'],
    introspection_endpoint_auth_methods_supported: SECRETS,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGS,
    dpop_signing_alg_values_supported: DPOP_ALGS,
    subject_types_supported: [settings.subjectMode],
    id_token_signing_alg_values_supported: settings.algorithms,
    ui_locales_supported: LANGUAGES,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    // Those that every host has; a picture and email_verified come where the host knows them.
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      'name',
      'email',
      ...(settings.tenants?.hasClaim === true ? ['tenant_id'] : [])
    ],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_pushed_authorization_requests: false,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.metadataClients !== undefined,
    protected_resources: [...settings.resources.keys()]
  })
}

export const resourceMetadata = (
  { id, label, listedScopes: scopes }: Resource,
  { issuer }: Settings
): Readonly<Record<string, unknown>> => resourceDocument({ id, label, issuer, scopes })

/**
 * The resource whose metadata is at a path. Of several, the one on the requested host, then the one on the
 * issuer's host.
 */
export function resourceAt(path: string, host: string, settings: Settings): Resource | undefined {
  if (path === '') return settings.firstResource
  const found = [...settings.resources.values()].filter(({ metadataPath }) => metadataPath === path)
  const at = (wanted: string) =>
    found.find(({ metadataUrl }) => new URL(metadataUrl).host === wanted)
  return at(host) ?? at(new URL(settings.issuer).host) ?? found[0]
}
