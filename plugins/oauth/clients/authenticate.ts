// Authenticates the callers of client routes: credentials from header and body, checked against the stored client.
import { isSame } from '@keelson/protect/rules'
import type { Settings } from '../config/settings.ts'
import { hashOf } from '../crypto/handles.ts'
import { type OAuthError, oauthError } from '../oauth-errors.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthClient } from '../storage/rows.ts'
import type { AssertionChecker } from './assertion.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The credentials of a caller, before they are checked. */
export type Presented =
  | { readonly kind: 'basic' | 'post'; readonly clientId: string; readonly secret: string }
  | { readonly kind: 'none'; readonly clientId: string }
  | {
      readonly kind: 'assertion'
      readonly clientId: string | undefined
      readonly assertion: string
    }

/** One answer for every fault: the caller must not learn which clients exist. */
export const refusal = (): OAuthError =>
  oauthError('clientRefused', {
    headers: { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' }
  })

/** @throws invalid_client or invalid_request */
export function readPresented(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>
): Presented {
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  const [scheme = '', credentials = ''] = (authorization ?? '').split(/ +/, 2)
  const isBasic = scheme.toLowerCase() === 'basic'
  const ways = [isBasic, secret !== undefined && secret !== '', assertion !== undefined]
  if (ways.filter(Boolean).length > 1) {
    throw oauthError('twoAuthentications')
  }
  if (isBasic) {
    const pair = readBasic(credentials)
    if (pair === undefined) throw refusal()
    if (clientId !== undefined && clientId !== pair.clientId) {
      throw oauthError('clientIdMismatch')
    }
    return pair.secret === ''
      ? { kind: 'none', clientId: pair.clientId }
      : { kind: 'basic', ...pair }
  }
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== ASSERTION_TYPE) throw refusal()
    return { kind: 'assertion', clientId, assertion }
  }
  if (clientId === undefined || clientId === '') throw refusal()
  if (secret !== undefined && secret !== '') return { kind: 'post', clientId, secret }
  return { kind: 'none', clientId }
}

/** RFC 6749 §2.3.1: both parts are form-encoded; the first colon separates them. */
function readBasic(encoded: string): { clientId: string; secret: string } | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

export interface Authenticated {
  readonly client: OAuthClient
  /** It proved its identity; a public client cannot. */
  readonly isProven: boolean
}

export interface AuthenticateParts {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly assertions: AssertionChecker
}

export type Authentication =
  | ({ readonly kind: 'authenticated' } & Authenticated)
  | {
      readonly kind: 'refused'
      /** Undefined: no client has this id. */
      readonly clientId: string | undefined
      /** For the operator only: callers get one answer for every reason. */
      readonly reason: string
    }

const refused = (clientId: string | undefined, reason: string): Authentication => ({
  kind: 'refused',
  clientId,
  reason
})

export async function authenticateClient(
  presented: Presented,
  { settings, collections, assertions }: AuthenticateParts
): Promise<Authentication> {
  const clientId =
    presented.kind === 'assertion'
      ? (presented.clientId ?? assertions.issuerOf(presented.assertion))
      : presented.clientId
  if (clientId === undefined || clientId.length > 2048) {
    return refused(undefined, 'client_id is missing.')
  }
  const client = await collections.clients.findOne({ clientId })
  const problem = await problemOf(presented, client, settings.now(), assertions)
  if (client === null) return refused(undefined, 'No client has this id.')
  if (problem !== undefined) return refused(clientId, problem)
  if (client.status !== 'active') return refused(clientId, 'The client is disabled.')
  if (client.expiresAt !== undefined && client.expiresAt <= settings.now()) {
    return refused(clientId, 'The client has expired.')
  }
  if (presented.kind === 'basic' || presented.kind === 'post') {
    await stampSecret(client, hashOf(presented.secret), { settings, collections })
  }
  return { kind: 'authenticated', client, isProven: presented.kind !== 'none' }
}

const STAMP_MS = 3_600_000

/** Records the use of a secret, at most once an hour: operators need it before they retire one. */
async function stampSecret(
  { _id, secrets }: OAuthClient,
  hash: string,
  { settings, collections }: Pick<AuthenticateParts, 'settings' | 'collections'>
): Promise<void> {
  const now = settings.now()
  const stored = secrets.find((secret) => secret.hash === hash)
  if (now.getTime() - (stored?.lastUsedAt?.getTime() ?? 0) < STAMP_MS) return
  try {
    const used = { $set: { 'secrets.$.lastUsedAt': now } }
    await collections.clients.updateOne({ _id, 'secrets.hash': hash }, used)
  } catch (err) {
    settings.logger.warn({ err }, 'the use of a client secret was not noted')
  }
}

/** Why the credentials are refused; undefined when they are valid. */
async function problemOf(
  presented: Presented,
  client: OAuthClient | null,
  now: Date,
  assertions: AssertionChecker
): Promise<string | undefined> {
  const method = client?.tokenEndpointAuthMethod ?? 'none'
  const other = `The client sent ${WAYS[presented.kind]}, but is registered with ${method}.`
  switch (presented.kind) {
    case 'none':
      return method === 'none' ? undefined : other
    case 'basic':
    case 'post': {
      const isMatch = matchesSecret(client, presented.secret, now)
      if (!method.startsWith('client_secret')) return other
      return isMatch ? undefined : 'The client secret is wrong or retired.'
    }
    case 'assertion': {
      if (client === null || method !== 'private_key_jwt') return other
      const isRight = await assertions.check(client, presented.assertion)
      return isRight
        ? undefined
        : 'The client assertion is invalid: its signature, times or audience, or it was used before.'
    }
  }
}

const WAYS = {
  none: 'no secret',
  basic: 'a secret in the header',
  post: 'a secret in the form',
  assertion: 'an assertion'
} as const

/** Compares with every live secret, or with a dummy when there is none, so that both take the same time. */
function matchesSecret(client: OAuthClient | null, secret: string, now: Date): boolean {
  const hash = hashOf(secret)
  const live = (client?.secrets ?? []).filter(
    ({ retiresAt }) => retiresAt === undefined || retiresAt > now
  )
  let isMatch = false
  for (const stored of live) isMatch = isSame(stored.hash, hash) || isMatch
  if (live.length === 0) isSame('', hash)
  return isMatch
}
