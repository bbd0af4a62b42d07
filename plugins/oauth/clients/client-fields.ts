// The fields of a client as whoever makes one gives them: checked, with the bad value in the message. Pure.
import type { JWK } from 'jose'
import type { Settings } from '../config/settings.ts'
import { errors } from '../errors.ts'
import type { AuthMethod, Branding, OAuthClient } from '../storage/rows.ts'
import { redirectUriProblem, sectorOf } from './redirect-uris.ts'

export interface ClientFields {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly allowedScopes: readonly string[]
  /** Default: all resources. */
  readonly allowedResources?: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[]
  readonly branding?: Branding
  readonly trusted?: boolean
  /** Default `confidential`. */
  readonly type?: 'confidential' | 'public'
  /** Default: `none` for public clients, else `client_secret_basic`, which stands for both ways to send a secret. */
  readonly tokenEndpointAuthMethod?: AuthMethod
  readonly jwks?: { readonly keys: readonly JWK[] }
  readonly jwksUri?: string
  readonly idTokenAlg?: 'ES256' | 'RS256'
  /** Host that pairwise subjects go by. Default: of the first callback. */
  readonly sectorIdentifier?: string
  readonly dpopBoundAccessTokens?: boolean
  /** False only with `dpopBoundAccessTokens`. */
  readonly rotateRefreshTokens?: boolean
  readonly requirePushedAuthorizationRequests?: boolean
}

type Checked = Omit<
  OAuthClient,
  '_id' | 'clientId' | 'registration' | 'secrets' | 'status' | 'createdAt' | 'updatedAt'
>

const KNOWN = new Set([
  'name',
  'redirectUris',
  'allowedScopes',
  'allowedResources',
  'postLogoutRedirectUris',
  'branding',
  'trusted',
  'type',
  'tokenEndpointAuthMethod',
  'jwks',
  'jwksUri',
  'idTokenAlg',
  'sectorIdentifier',
  'dpopBoundAccessTokens',
  'rotateRefreshTokens',
  'requirePushedAuthorizationRequests',
  'clientId'
])
const METHODS: readonly AuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'none',
  'private_key_jwt'
]
const BRANDING = ['logoUrl', 'publisher', 'homepageUrl', 'tosUrl', 'privacyUrl']

function wrong(path: string, problem: string): never {
  throw errors.OAU_CLIENT_INVALID({ path, problem })
}

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? String(value)

/** @throws OAU_CLIENT_INVALID, naming field and value. */
export function checkClient(given: unknown, settings: Settings): Checked {
  if (typeof given !== 'object' || given === null) wrong('client', `${show(given)} is no object`)
  const fields = given as ClientFields
  for (const name of Object.keys(fields)) {
    if (!KNOWN.has(name)) wrong(name, 'is no field of a client')
  }
  const name = checkName(fields.name)
  const { type, method } = checkMethod(fields)
  const redirectUris = checkRedirects(fields.redirectUris, type)
  const { idTokenAlg } = fields
  if (idTokenAlg !== undefined && !settings.algorithms.includes(idTokenAlg)) {
    wrong('idTokenAlg', `${show(idTokenAlg)} is not among ${settings.algorithms.join(', ')}`)
  }
  const branding = checkBranding(fields.branding)
  // None stands for all: nothing but leaving it out may mean that.
  const { allowedResources = [] } = fields
  return {
    name,
    type,
    trusted: flag(fields.trusted, 'trusted') ?? false,
    redirectUris,
    postLogoutRedirectUris: checkLogoutUris(fields.postLogoutRedirectUris ?? [], type),
    allowedScopes: checkScopes(fields.allowedScopes, settings),
    allowedResources: checkResources(allowedResources, settings),
    tokenEndpointAuthMethod: method,
    sectorIdentifier: text(fields.sectorIdentifier, 'sectorIdentifier') ?? sectorOf(redirectUris),
    ...checkKeys(fields, method),
    ...checkBinding(fields),
    ...(idTokenAlg !== undefined && { idTokenAlg }),
    ...(branding !== undefined && { branding })
  }
}

function checkName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    wrong('name', `${show(name)} is no name of 1 to 200 characters`)
  }
  return name
}

function checkMethod(fields: ClientFields) {
  const type =
    fields.type ?? (fields.tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential')
  if (type !== 'confidential' && type !== 'public') {
    wrong('type', `${show(type)} is neither confidential nor public`)
  }
  const method =
    fields.tokenEndpointAuthMethod ?? (type === 'public' ? 'none' : 'client_secret_basic')
  if (!METHODS.includes(method)) {
    wrong('tokenEndpointAuthMethod', `${show(method)} is none of ${METHODS.join(', ')}`)
  }
  if ((type === 'public') !== (method === 'none')) {
    wrong('tokenEndpointAuthMethod', `${show(method)} does not go with a ${type} client`)
  }
  return { type, method } as const
}

function checkRedirects(given: unknown, type: 'confidential' | 'public'): readonly string[] {
  const uris = list(given, 'redirectUris', 50)
  if (uris.length === 0) wrong('redirectUris', 'is empty')
  for (const uri of uris) {
    const problem = redirectUriProblem(uri, type)
    if (problem !== undefined) wrong('redirectUris', `${show(uri)} ${problem}`)
  }
  return [...new Set(uris)]
}

function checkLogoutUris(given: unknown, type: 'confidential' | 'public'): readonly string[] {
  const uris = list(given, 'postLogoutRedirectUris', 50)
  for (const uri of uris) {
    const problem = redirectUriProblem(uri, type)
    if (problem !== undefined) wrong('postLogoutRedirectUris', `${show(uri)} ${problem}`)
  }
  return uris
}

function checkScopes(given: unknown, { scopes }: Settings): readonly string[] {
  const wanted = list(given, 'allowedScopes', 500)
  if (wanted.length === 0) wrong('allowedScopes', 'is empty')
  for (const scope of wanted) {
    if (!scopes.has(scope)) wrong('allowedScopes', `${show(scope)} is no known scope`)
  }
  return [...new Set(wanted)]
}

function checkResources(given: unknown, { resources }: Settings): readonly string[] {
  const wanted = list(given, 'allowedResources', 500)
  for (const resource of wanted) {
    if (!resources.has(resource)) {
      wrong('allowedResources', `${show(resource)} is no known resource`)
    }
  }
  return [...new Set(wanted)]
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']

/** The keys of a client that signs its assertions; public members only. */
function checkKeys({ jwks, jwksUri }: ClientFields, method: AuthMethod) {
  if (method !== 'private_key_jwt') {
    if (jwks !== undefined) wrong('jwks', 'is only for private_key_jwt')
    if (jwksUri !== undefined) wrong('jwksUri', 'is only for private_key_jwt')
    return {}
  }
  if ((jwks === undefined) === (jwksUri === undefined)) {
    wrong('jwks', 'give it or jwksUri for private_key_jwt, and only one of them')
  }
  if (jwksUri !== undefined) {
    if (!isHttps(jwksUri)) wrong('jwksUri', `${show(jwksUri)} is no https URL`)
    return { jwksUri }
  }
  const problem = jwksProblem(jwks)
  if (problem !== undefined) wrong('jwks', problem)
  return { jwks: jwks as { keys: readonly JWK[] } }
}

/** Why a key set of a client is refused. */
export function jwksProblem(jwks: unknown): string | undefined {
  const keys = (jwks as { keys?: unknown } | null | undefined)?.keys
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 20) {
    return 'holds no list of 1 to 20 keys'
  }
  for (const key of keys as unknown[]) {
    if (typeof key !== 'object' || key === null) return 'holds something that is no key'
    if (PRIVATE_MEMBERS.some((member) => member in key)) return 'holds private members'
    if (!['EC', 'RSA', 'OKP'].includes(String((key as JWK).kty))) return 'holds a key of no use'
  }
  return undefined
}

function checkBinding(fields: ClientFields) {
  const isBound = flag(fields.dpopBoundAccessTokens, 'dpopBoundAccessTokens')
  const rotates = flag(fields.rotateRefreshTokens, 'rotateRefreshTokens')
  const requiresPar = flag(
    fields.requirePushedAuthorizationRequests,
    'requirePushedAuthorizationRequests'
  )
  if (rotates === false && isBound !== true) {
    wrong('rotateRefreshTokens', 'can be off only with dpopBoundAccessTokens')
  }
  return {
    ...(isBound !== undefined && { dpopBoundAccessTokens: isBound }),
    ...(rotates !== undefined && { rotateRefreshTokens: rotates }),
    ...(requiresPar !== undefined && { requirePushedAuthorizationRequests: requiresPar })
  }
}

function checkBranding(given: unknown): Branding | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) wrong('branding', 'is no object')
  for (const [name, value] of Object.entries(given)) {
    if (!BRANDING.includes(name)) wrong(`branding.${name}`, 'is unknown')
    if (name !== 'publisher' && !isHttps(value)) {
      wrong(`branding.${name}`, `${show(value)} is no https URL`)
    }
    text(value, `branding.${name}`)
  }
  return given as Branding
}

export const isHttps = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2048 &&
  URL.canParse(value) &&
  new URL(value).protocol === 'https:'

function flag(value: unknown, path: string): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') wrong(path, 'is neither true nor false')
  return value
}

function text(value: unknown, path: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > 2048) wrong(path, 'is no text')
  return value
}

function list(given: unknown, path: string, max: number): readonly string[] {
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'string')) {
    wrong(path, `${show(given)} is no list of strings`)
  }
  if (given.length > max) wrong(path, `has more than ${max} entries`)
  return given
}
