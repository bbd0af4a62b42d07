// The fields of a client: against their schema, then the rules between them. Names field and value. Pure.
import { butIs, type Static, schemaFault } from '@keelson/sdk'
import type { JWK } from 'jose'
import type { ReadonlyDeep } from '../config/readonly-deep.ts'
import type { Settings } from '../config/settings.ts'
import { errors } from '../errors.ts'
import { isStrict } from '../proofs/strict.ts'
import type { AuthMethod, Branding, OAuthClient } from '../storage/rows.ts'
import { storedResource } from './allowed-resources.ts'
import { nameProblem } from './client-name.ts'
import { clientFieldsSchema, type clientPatchSchema } from './client-schema.ts'
import { grantsOf, grantTypesOf, JWT_BEARER, TOKEN_EXCHANGE } from './grant-types.ts'
import { redirectUriProblem, sectorOf } from './redirect-uris.ts'

/**
 * What makes a client. `allowedResources` defaults to the resources that exist when the client is made,
 * `type` to `confidential`.
 */
export type ClientFields = ReadonlyDeep<Static<typeof clientFieldsSchema>>

/** What changes of a client. In JSON, null removes a field. */
export type ClientPatch = ReadonlyDeep<Static<typeof clientPatchSchema>>

type Checked = Omit<
  OAuthClient,
  '_id' | 'clientId' | 'registration' | 'secrets' | 'status' | 'createdAt' | 'updatedAt'
>

function invalid(path: string, problem: string, cause?: unknown): Error {
  return errors.OAU_CLIENT_INVALID({ path, problem, ...(cause !== undefined && { cause }) })
}

/** @throws OAU_CLIENT_INVALID, naming field and value. */
export function checkClient(given: unknown, settings: Settings, clientId: string): Checked {
  const fault = schemaFault(clientFieldsSchema, given)
  if (fault !== undefined) throw invalid(fault.path || 'client', fault.problem)
  const fields = given as ClientFields
  const { name, type, method } = { name: fields.name, ...methodOf(fields) }
  checkName(name, 'name')
  if (fields.branding?.publisher !== undefined) {
    checkName(fields.branding.publisher, 'branding.publisher')
  }
  const redirectUris = checkUris(fields.redirectUris, 'redirectUris', type)
  const logoutUris = fields.postLogoutRedirectUris ?? []
  const { idTokenAlg, branding } = fields
  if (idTokenAlg !== undefined && !settings.algorithms.includes(idTokenAlg)) {
    const reason = `must be one of ${settings.algorithms.join(', ')}`
    throw invalid('idTokenAlg', butIs(reason, idTokenAlg))
  }
  checkBranding(branding)
  checkStrict(fields)
  return {
    name,
    type,
    trusted: fields.trusted ?? false,
    redirectUris,
    postLogoutRedirectUris: checkUris(logoutUris, 'postLogoutRedirectUris', type),
    allowedScopes: checkKnown(fields.allowedScopes, 'allowedScopes', settings.scopes),
    allowedResources: checkResources(fields.allowedResources ?? [], settings),
    tokenEndpointAuthMethod: method,
    sectorIdentifier: fields.sectorIdentifier ?? sectorOf(redirectUris, clientId),
    ...checkKeys(fields, method),
    ...checkBinding(fields),
    ...checkPkce(fields, type),
    ...checkGrants(fields, type, settings),
    ...checkTenants(fields, settings),
    ...checkBackChannel(fields, settings),
    ...(idTokenAlg !== undefined && { idTokenAlg }),
    ...(branding !== undefined && { branding })
  }
}

function checkName(name: string, path: string): void {
  const problem = nameProblem(name)
  if (problem !== undefined) throw invalid(path, problem)
}

function methodOf(fields: ClientFields): {
  readonly type: 'confidential' | 'public'
  readonly method: AuthMethod
} {
  const isNone = fields.tokenEndpointAuthMethod === 'none'
  const type = fields.type ?? (isNone ? 'public' : 'confidential')
  const method =
    fields.tokenEndpointAuthMethod ?? (type === 'public' ? 'none' : 'client_secret_basic')
  if ((type === 'public') === (method === 'none')) return { type, method }
  const reason = type === 'public' ? 'must be none for a public client' : 'must not be none'
  throw invalid('tokenEndpointAuthMethod', butIs(`${reason} (type ${type})`, method))
}

function checkUris(
  uris: readonly string[],
  path: string,
  type: 'confidential' | 'public'
): readonly string[] {
  for (const uri of uris) {
    const problem = redirectUriProblem(uri, type)
    if (problem !== undefined) throw invalid(path, butIs(problem, uri))
  }
  return [...new Set(uris)]
}

function checkKnown(
  ids: readonly string[],
  path: string,
  known: ReadonlyMap<string, unknown>
): readonly string[] {
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalid(path, butIs('must be configured ids', unknown))
  return [...new Set(ids)]
}

/** None: those that exist now. Resources that are added later must be given to a client. */
function checkResources(ids: readonly string[], settings: Settings): readonly string[] {
  const wanted = ids.map((id) => settings.findResource(id)?.id ?? id)
  const given = ids.length > 0 ? wanted : [...settings.resources.keys()]
  const known = checkKnown(given, 'allowedResources', settings.resources)
  return known.map((id) => storedResource(id, settings))
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']

/** The keys of a client that signs its assertions; public members only. */
function checkKeys({ jwks, jwksUri }: ClientFields, method: AuthMethod) {
  if (method !== 'private_key_jwt') {
    if (jwks !== undefined) throw invalid('jwks', 'is only for private_key_jwt')
    if (jwksUri !== undefined) throw invalid('jwksUri', 'is only for private_key_jwt')
    return {}
  }
  if ((jwks === undefined) === (jwksUri === undefined)) {
    throw invalid('jwks', 'or jwksUri is required for private_key_jwt, and only one of them')
  }
  if (jwksUri !== undefined) {
    if (!isHttps(jwksUri)) throw invalid('jwksUri', butIs('must be an https URL', jwksUri))
    return { jwksUri }
  }
  const problem = jwksProblem(jwks)
  if (problem !== undefined) throw invalid('jwks', problem)
  return { jwks: jwks as { keys: readonly JWK[] } }
}

/** Why a key set of a client is refused; undefined when it can be used. */
export function jwksProblem(jwks: unknown): string | undefined {
  const keys = (jwks as { keys?: unknown } | null | undefined)?.keys
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 20) {
    return 'must hold a list of 1 to 20 keys'
  }
  for (const key of keys as unknown[]) {
    if (typeof key !== 'object' || key === null) return 'must hold keys only'
    if (PRIVATE_MEMBERS.some((member) => member in key)) return 'must not hold private members'
    if (!['EC', 'RSA', 'OKP'].includes(String((key as JWK).kty))) {
      return 'must hold EC, RSA or OKP keys'
    }
  }
  return undefined
}

function checkBinding(fields: ClientFields) {
  const { dpopBoundAccessTokens, rotateRefreshTokens } = fields
  const { requirePushedAuthorizationRequests, resourceServer } = fields
  if (rotateRefreshTokens === false && dpopBoundAccessTokens !== true) {
    throw invalid('rotateRefreshTokens', 'can be false only with dpopBoundAccessTokens')
  }
  return {
    ...(dpopBoundAccessTokens !== undefined && { dpopBoundAccessTokens }),
    ...(rotateRefreshTokens !== undefined && { rotateRefreshTokens }),
    ...(requirePushedAuthorizationRequests !== undefined && { requirePushedAuthorizationRequests }),
    ...(resourceServer !== undefined && { resourceServer })
  }
}

/** What a client that is held to FAPI 2.0 cannot have. */
function checkStrict(fields: ClientFields): void {
  if (!isStrict(fields)) return
  const because = 'for a client with pushed requests and bound tokens'
  if (fields.idTokenAlg === 'RS256') throw invalid('idTokenAlg', `must not be RS256 ${because}`)
  if (fields.pkce === 'ifSent') throw invalid('pkce', `must be required ${because}`)
}

/** For clients that prove who they are. */
const SECRET_GRANTS = new Set<string>(['client_credentials', JWT_BEARER, TOKEN_EXCHANGE])

/** What a client without a person, or with a life of its own, needs. */
function checkGrants(fields: ClientFields, type: 'confidential' | 'public', settings: Settings) {
  const { grantTypes, accessTokenTtl, refreshTokenTtl, refreshAbsoluteTtl, owner, expiresAt } =
    fields
  const grants = grantsOf(fields)
  const on = grantTypesOf(settings)
  const off = grants.find((grant) => !on.includes(grant))
  if (off !== undefined) throw invalid('grantTypes', butIs('must be grants that are on', off))
  const secret = grants.find((one) => SECRET_GRANTS.has(one))
  if (secret !== undefined && type === 'public') {
    throw invalid('grantTypes', butIs('must be for a confidential client', secret))
  }
  if (grants.includes('authorization_code') && fields.redirectUris.length === 0) {
    throw invalid('redirectUris', 'must name at least one callback')
  }
  if (owner !== undefined && !grants.includes('client_credentials')) {
    throw invalid('owner', 'is only for client_credentials')
  }
  return {
    ...(grantTypes !== undefined && { grantTypes: [...new Set(grantTypes)] }),
    ...(accessTokenTtl !== undefined && { accessTokenTtl }),
    ...(refreshTokenTtl !== undefined && { refreshTokenTtl }),
    ...(refreshAbsoluteTtl !== undefined && { refreshAbsoluteTtl }),
    ...(owner !== undefined && { owner }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) })
  }
}

/** Where the client is told of the end of sessions. */
function checkBackChannel({ backchannelLogoutUri: uri }: ClientFields, settings: Settings) {
  if (uri === undefined) return {}
  const path = 'backchannelLogoutUri'
  if (!settings.hasBackChannelLogout) throw invalid(path, 'needs backChannelLogout, which is off')
  if (!isHttps(uri) || uri.includes('#')) {
    throw invalid(path, butIs('must be an https URL without a fragment', uri))
  }
  return { backchannelLogoutUri: uri }
}

/** Whose client it is. */
function checkTenants({ tenants }: ClientFields, settings: Settings) {
  if (tenants === undefined) return {}
  if (settings.tenants === undefined) {
    throw invalid('tenants', 'needs a host that knows the tenants of people')
  }
  return { tenants: [...new Set(tenants)] }
}

/** Without a secret or a key, PKCE is the only proof of who redeems a code. */
function checkPkce({ pkce }: ClientFields, type: 'confidential' | 'public') {
  if (pkce === undefined) return {}
  if (pkce === 'ifSent' && type === 'public') {
    throw invalid('pkce', 'must be required for a public client')
  }
  return { pkce }
}

function checkBranding(branding: Branding | undefined): void {
  for (const [name, value] of Object.entries(branding ?? {})) {
    if (name === 'publisher' || isHttps(value)) continue
    throw invalid(`branding.${name}`, butIs('must be an https URL', value))
  }
}

export const isHttps = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2048 &&
  URL.canParse(value) &&
  new URL(value).protocol === 'https:'
