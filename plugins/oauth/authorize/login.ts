// The way to the host's sign-in page and back, and the proof that a browser came back from it.
import { isSame } from '@keelson/protect/rules'
import { hashOf, newHandle } from '../crypto/handles.ts'
import type { ServerSecret } from '../keys/server-secret.ts'
import { REPLAY_MARGIN_SECONDS } from '../proofs/replay-book.ts'
import type { Services } from '../services.ts'
import type { Pairs, Parameters } from './parameters.ts'
import { PUSHED_PREFIX } from './pushed.ts'
import type { AuthorizationRequest } from './read-request.ts'

const MARKER = 'signed_in_after'
/** The longest that a sign-in may take. */
const MARKER_MS = 30 * 60_000
/** Longer requests are kept here and replaced by a handle: sign-in pages and proxies have limits. */
const MAX_QUERY = 1200

/** The trip to the sign-in page that a request came back from. */
export interface LoginTrip {
  readonly at: Date
  readonly attemptId: string
  /** Of this trip. */
  readonly id: string
  /** When the id no longer counts. */
  readonly until: Date
}

const textOf = (pairs: Pairs): string =>
  new URLSearchParams(pairs.filter(([name]) => name !== MARKER).map(([a, b]) => [a, b])).toString()

/** The trip that this very request comes from; undefined when there was none, or it is too old. */
export async function readLoginMarker(
  parameters: Parameters,
  { secret, settings }: Pick<Services, 'secret' | 'settings'>
): Promise<LoginTrip | undefined> {
  const [, at, attemptId, mac] =
    /^([0-9]{1,15})\.([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/.exec(parameters.get(MARKER) ?? '') ?? []
  if (at === undefined || attemptId === undefined || mac === undefined) return undefined
  const expected = await markerMac(`${at}.${attemptId}`, textOf(parameters.pairs), secret)
  const age = settings.now().getTime() - Number(at)
  if (!isSame(mac, expected) || age < 0 || age > MARKER_MS) return undefined
  const until = new Date(Number(at) + MARKER_MS + REPLAY_MARGIN_SECONDS * 1000)
  return { at: new Date(Number(at)), attemptId, id: mac, until }
}

const markerMac = (marker: string, query: string, secret: ServerSecret) =>
  secret.mac('login-marker', `${marker}.${hashOf(query)}`)

export interface LoginRequest {
  /** All parameters of the request, also when it was pushed. */
  readonly parameters: Parameters
  readonly request: AuthorizationRequest
  readonly attemptId: string
  readonly isPushed: boolean
}

/** The address of the sign-in page with the way back to this request; undefined without a page. */
export async function loginAddress(
  { parameters, request, attemptId, isPushed }: LoginRequest,
  parts: Pick<Services, 'secret' | 'settings' | 'collections'>
): Promise<string | undefined> {
  const { loginUrl, returnParam, base, issuerOrigin, now } = parts.settings
  if (loginUrl === undefined) return undefined
  const pairs = await shortened(parameters, { clientId: request.clientId, isPushed }, parts)
  const query = textOf(pairs)
  const marker = `${now().getTime()}.${attemptId}`
  const signed = `${marker}.${await markerMac(marker, query, parts.secret)}`
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/authorize?${query}&${MARKER}=${signed}`
  const target = new URL(loginUrl, issuerOrigin)
  const isSameOrigin = target.origin === issuerOrigin
  target.searchParams.set(returnParam, isSameOrigin ? path : `${issuerOrigin}${path}`)
  if (request.loginHint !== undefined) target.searchParams.set('login_hint', request.loginHint)
  if (request.uiLocales !== undefined) target.searchParams.set('ui_locales', request.uiLocales)
  return isSameOrigin ? `${target.pathname}${target.search}` : target.href
}

/**
 * The request itself, or a handle to it when it is long. A pushed request gets a new handle that lives as
 * long as a sign-in may take: the client's handle expires much sooner.
 */
async function shortened(
  { pairs }: Parameters,
  { clientId, isPushed }: { readonly clientId: string; readonly isPushed: boolean },
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<Pairs> {
  const kept = pairs.filter(([name]) => name !== MARKER)
  if (!isPushed && textOf(kept).length <= MAX_QUERY) return kept
  const handle = newHandle()
  const expiresAt = new Date(settings.now().getTime() + MARKER_MS)
  await collections.pushed.insertOne({
    _id: hashOf(handle),
    clientId,
    parameters: kept,
    expiresAt
  })
  return [
    ['client_id', clientId],
    ['request_uri', `${PUSHED_PREFIX}${handle}`]
  ]
}
