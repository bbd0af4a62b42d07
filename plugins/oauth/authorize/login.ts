// The way to the host's sign-in page and back, and how we know that someone came back from it.

import { hashOf, isSame, newHandle } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import type { Pairs, Parameters } from './parameters.ts'
import { PUSHED_PREFIX } from './pushed.ts'
import type { AuthorizationRequest } from './read-request.ts'

const MARKER = 'signed_in_after'
/** So long a sign-in may take. */
const MARKER_MS = 30 * 60_000
/** Longer ways back are kept here: sign-in pages and proxies have limits. */
const MAX_QUERY = 1200

export interface CameBack {
  readonly at: Date
  readonly attemptId: string
}

const textOf = (pairs: Pairs): string =>
  new URLSearchParams(pairs.filter(([name]) => name !== MARKER).map(([a, b]) => [a, b])).toString()

/** When this very request was sent to sign in before; undefined when it was not, or long ago. */
export async function cameBackFromLogin(
  parameters: Parameters,
  services: Services
): Promise<CameBack | undefined> {
  const [, at, attemptId, mac] =
    /^([0-9]{1,15})\.([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/.exec(parameters.get(MARKER) ?? '') ?? []
  if (at === undefined || attemptId === undefined || mac === undefined) return undefined
  const right = await macOf(at, attemptId, textOf(parameters.pairs), services)
  const age = services.settings.now().getTime() - Number(at)
  if (!isSame(mac, right) || age < 0 || age > MARKER_MS) return undefined
  return { at: new Date(Number(at)), attemptId }
}

const macOf = (at: string, attemptId: string, query: string, { secret }: Services) =>
  secret.mac('login-marker', `${at}.${attemptId}.${hashOf(query)}`)

export interface Leaving {
  /** All of the request, also when it was pushed. */
  readonly parameters: Parameters
  readonly request: AuthorizationRequest
  readonly attemptId: string
  readonly isPushed: boolean
}

/** The address of the sign-in page with the way back to this request; undefined without a page. */
export async function loginAddress(
  { parameters, request, attemptId, isPushed }: Leaving,
  services: Services
): Promise<string | undefined> {
  const { loginUrl, returnParam, base, issuerOrigin, now } = services.settings
  if (loginUrl === undefined) return undefined
  const pairs = await shortened(parameters, { clientId: request.clientId, isPushed }, services)
  const query = textOf(pairs)
  const at = String(now().getTime())
  const marker = `${at}.${attemptId}.${await macOf(at, attemptId, query, services)}`
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/authorize?${query}&${MARKER}=${marker}`
  const target = new URL(loginUrl, issuerOrigin)
  const isHere = target.origin === issuerOrigin
  target.searchParams.set(returnParam, isHere ? path : `${issuerOrigin}${path}`)
  if (request.loginHint !== undefined) target.searchParams.set('login_hint', request.loginHint)
  if (request.uiLocales !== undefined) target.searchParams.set('ui_locales', request.uiLocales)
  return isHere ? `${target.pathname}${target.search}` : target.href
}

/**
 * The request itself, or a handle to it when it is long. One that was pushed gets a handle that lives as
 * long as a sign-in may take: that of the client is soon over.
 */
async function shortened(
  { pairs }: Parameters,
  { clientId, isPushed }: { readonly clientId: string; readonly isPushed: boolean },
  { collections, settings }: Services
): Promise<Pairs> {
  const own = pairs.filter(([name]) => name !== MARKER)
  if (!isPushed && textOf(own).length <= MAX_QUERY) return own
  const handle = newHandle()
  const expiresAt = new Date(settings.now().getTime() + MARKER_MS)
  await collections.pushed.insertOne({
    _id: hashOf(handle),
    clientId,
    parameters: own,
    expiresAt
  })
  return [
    ['client_id', clientId],
    ['request_uri', `${PUSHED_PREFIX}${handle}`]
  ]
}
