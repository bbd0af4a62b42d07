// The authorization endpoint: reads the request, decides, and says where the browser goes. Knows nothing of HTTP.

import { MAX_SENT } from '../attempts/attempt-log.ts'
import { say } from '../attempts/sentences.ts'
import type { OAuthUser } from '../config/host-code.ts'
import { userIdOf } from '../config/person-id.ts'
import { mintCode } from '../grants/issue-code.ts'
import { isAddress } from '../metadata-clients/allowed-hosts.ts'
import type { FoundClient } from '../metadata-clients/metadata-clients.ts'
import { RedirectableAuthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthGrant } from '../storage/rows.ts'
import { judgeTenant } from '../tenants/within-tenant.ts'
import { subjectOf } from '../users/claims.ts'
import { type Decision, decide, NOT_GRANTED } from './decide.ts'
import { type LoginTrip, loginAddress, readLoginMarker } from './login.ts'
import { openConsent } from './open-consent.ts'
import type { Parameters } from './parameters.ts'
import { findPushed, PUSHED_PREFIX, takePushed } from './pushed.ts'
import {
  type AuthorizationRequest,
  NOT_APPROVED,
  type ReadResult,
  type ReturnAddress,
  readRequest,
  UNKNOWN_CLIENT,
  unidentified
} from './read-request.ts'
import { type ResponseParameters, responseOf } from './respond.ts'

type Parts = Pick<
  Services,
  | 'settings'
  | 'collections'
  | 'attempts'
  | 'journal'
  | 'keys'
  | 'secret'
  | 'replays'
  | 'metadataClients'
  | 'directory'
  | 'policies'
>

/** An authorization request and the browser that sent it. */
export interface AuthorizeCall {
  readonly parameters: Parameters
  /** Of the caller, as limits count it. */
  readonly address: string
  /** The signed-in person; null when signed out. */
  user(): Promise<OAuthUser | null>
  /** Gives the browser its cookie, if it has none; the hash of it. */
  markBrowser(): string
}

export type AuthorizeAnswer =
  /** Client and callback are not proven: shown to the person. */
  | { readonly kind: 'render'; readonly error: string; readonly description: string }
  /** Parameters for the client's callback. */
  | {
      readonly kind: 'callback'
      readonly to: ReturnAddress
      readonly parameters: ResponseParameters
    }
  /** A trusted client: the request is approved without a page. */
  | { readonly kind: 'trust'; readonly requestId: string; readonly decision: object }
  /** The sign-in page or the consent page. */
  | { readonly kind: 'page'; readonly address: string }
  /** The host has no sign-in page. */
  | { readonly kind: 'login_required' }

/** An answer, and the `ui_locales` of the request, which may have been pushed. */
export type LocalAnswer = AuthorizeAnswer & { readonly uiLocales?: string | undefined }

export async function authorize(call: AuthorizeCall, parts: Parts): Promise<LocalAnswer> {
  const { parameters } = call
  const { attempts } = parts
  const fault = unidentified(parameters)
  const ip = call.address
  if (fault !== undefined) return refuse(fault, attempts.begin(null, { ip }), parts)
  const found = await findClient(parameters.get('client_id') ?? '', call.address, parts)
  if (found.kind === 'client' && found.client.status === 'active') {
    return authorizeClient(found.client, call, parts)
  }
  return refuseClient(found, { ip, sentId: parameters.get('client_id') ?? '' }, parts)
}

/** A client that is unknown, disabled, or not approved yet. The operator learns which one, and why. */
function refuseClient(
  found: FoundClient,
  { ip, sentId }: { readonly ip: string; readonly sentId: string },
  parts: Parts
): AuthorizeAnswer {
  const { attempts } = parts
  if (found.kind === 'client') {
    const { clientId, awaitsApproval } = found.client
    const attemptId = attempts.begin(clientId, { ip })
    const why = awaitsApproval === true ? 'attempt.waitsForApproval' : 'attempt.disabled'
    attempts.note(attemptId, 'client', 'refused', say(why))
    return refuse(awaitsApproval === true ? NOT_APPROVED : UNKNOWN_CLIENT, attemptId, parts)
  }
  const { reason, refusedHost } = found
  const sent = sentId.slice(0, MAX_SENT)
  const about = { ip, sentId: sent, ...(refusedHost !== undefined && { refusedHost }) }
  const attemptId = attempts.begin(null, about)
  attempts.note(
    attemptId,
    'client',
    'refused',
    say('attempt.unknownClient', { client: sent, reason })
  )
  return refuse(UNKNOWN_CLIENT, attemptId, parts)
}

async function findClient(
  clientId: string,
  address: string,
  { metadataClients, collections, settings }: Parts
): Promise<FoundClient> {
  if (metadataClients !== undefined && isAddress(clientId)) {
    return metadataClients.find(clientId, address)
  }
  const client = await collections.clients.findOne({ clientId })
  // The database deletes it soon.
  const end = client?.unusedUntil ?? client?.expiresAt
  const isOver = end !== undefined && end <= settings.now()
  return client === null || isOver
    ? { kind: 'none', reason: 'no client has this id' }
    : { kind: 'client', client }
}

/** A request whose client is known, on its way to an answer. */
interface ReadRequest {
  readonly client: OAuthClient
  readonly request: AuthorizationRequest
  /** All parameters: those that were pushed, when the request was pushed. */
  readonly parameters: Parameters
  /** The handle of a pushed request. */
  readonly pushedUri: string | undefined
  readonly attemptId: string
  readonly call: AuthorizeCall
}

async function authorizeClient(
  client: OAuthClient,
  call: AuthorizeCall,
  parts: Parts
): Promise<LocalAnswer> {
  const { attempts } = parts
  const login = await readLoginMarker(call.parameters, parts)
  const attemptId = login?.attemptId ?? attempts.begin(client.clientId, { ip: call.address })
  const requestUri = call.parameters.get('request_uri')
  const pushedUri = requestUri?.startsWith(PUSHED_PREFIX) === true ? requestUri : undefined
  const isPushed = pushedUri !== undefined
  const parameters = isPushed
    ? await findPushed(pushedUri, client.clientId, parts)
    : call.parameters
  if (parameters === undefined) return refuse(NOT_PUSHED, attemptId, parts)
  const known = { client, parameters, pushedUri, attemptId, call }
  const answer = await answerRequest(known, login, parts)
  return { ...answer, uiLocales: parameters.get('ui_locales') }
}

async function answerRequest(
  found: Omit<ReadRequest, 'request'>,
  login: LoginTrip | undefined,
  parts: Parts
): Promise<AuthorizeAnswer> {
  const { attempts, settings } = parts
  const { client, parameters, pushedUri, attemptId, call } = found
  const isPushed = pushedUri !== undefined
  const read = readRequest(parameters, client, settings, { isPushed })
  if (read.kind !== 'request') return refuse(read, attemptId, parts)
  const { request } = read
  const wanted = { scopes: request.scopes.join(' '), resources: request.resources.join(', ') }
  attempts.note(attemptId, 'request', 'passed', say('attempt.asked', wanted))
  let known: ReadRequest = { ...found, request }
  try {
    const user = await call.user()
    if (user !== null) {
      attempts.person(attemptId, userIdOf(user))
      const { scopes } = request
      const verdict = await judgeTenant({ userId: userIdOf(user), client, scopes }, parts)
      if (!verdict.ok) return refuseByDecision(forbidden(verdict.reason), known, parts)
      known = { ...found, request: { ...request, scopes: verdict.scopes } }
    }
    const back = await returnOf(login, user, parts)
    // The pushed request went on with the sign-in that it was made for.
    if (back === 'used' && isPushed) return refuse(NOT_PUSHED, attemptId, parts)
    const sentToLoginAt = back === 'used' ? undefined : back
    const asked = { request: known.request, client, user, sentToLoginAt }
    const decision = await decideRequest(asked, parts)
    return await act(decision, known, parts)
  } catch (error) {
    // An adapter of the host says that the client may be told.
    if (!(error instanceof RedirectableAuthError)) throw error
    const { code, description = '' } = error
    return refuseByDecision({ kind: 'refuse', error: code, description }, known, parts)
  }
}

const forbidden = (description: string) =>
  ({ kind: 'refuse', error: 'access_denied', description }) as const

/**
 * When the browser was sent to sign in. A fresh sign-in counts once: for the request that it was asked for,
 * and not for the same address opened again.
 */
async function returnOf(
  login: LoginTrip | undefined,
  user: OAuthUser | null,
  { replays }: Pick<Parts, 'replays'>
): Promise<Date | 'used' | undefined> {
  if (login === undefined || user === null) return login?.at
  const isFresh = user.authTime === undefined || user.authTime >= login.at
  return isFresh && !(await replays.isFirst(`login ${login.id}`, login.until)) ? 'used' : login.at
}

const NOT_PUSHED = {
  kind: 'render',
  error: 'invalid_request',
  description: 'The pushed request is unknown, expired or used.'
} as const

/** Answers an invalid request: shown to the person, or sent to the client. */
function refuse(
  read: Exclude<ReadResult, { kind: 'request' }>,
  attemptId: string,
  { attempts, settings }: Pick<Parts, 'attempts' | 'settings'>
): AuthorizeAnswer {
  const value = read.value === undefined ? '' : ` It was: ${read.value.slice(0, 300)}`
  attempts.note(attemptId, 'request', 'refused', `${read.description}${value}`)
  if (read.kind === 'render') {
    return { kind: 'render', error: read.error, description: read.description }
  }
  return toCallback(errorFields(read), read.to, settings)
}

const errorFields = (fault: { readonly error: string; readonly description: string }) => ({
  error: fault.error,
  error_description: fault.description
})

const toCallback = (
  fields: ResponseParameters,
  to: ReturnAddress,
  { issuer }: { readonly issuer: string }
): AuthorizeAnswer => ({ kind: 'callback', to, parameters: responseOf(fields, to, issuer) })

interface DecisionParts {
  readonly request: AuthorizationRequest
  readonly client: OAuthClient
  readonly user: OAuthUser | null
  readonly sentToLoginAt: Date | undefined
}

async function decideRequest(
  { request, client, user, sentToLoginAt }: DecisionParts,
  parts: Parts
): Promise<Decision> {
  const { settings } = parts
  const isSilent = request.prompts.includes('none')
  const isTrusted = client.trusted && settings.grantContext === undefined
  const needsGrants = isSilent || isTrusted || settings.consentMs > 0
  return decide(request, {
    user,
    now: settings.now(),
    sentToLoginAt,
    hint: await hintOf(request.idTokenHint, user, client, parts),
    grants: user !== null && needsGrants ? await usableGrants(user, client, parts) : [],
    trusted: isTrusted ? { sensitive: sensitiveScopes(settings) } : undefined
  })
}

const sensitiveScopes = ({ scopes }: Parts['settings']): ReadonlySet<string> =>
  new Set([...scopes.values()].filter(({ isSensitive }) => isSensitive).map(({ id }) => id))

async function hintOf(
  idTokenHint: string | undefined,
  user: OAuthUser | null,
  client: OAuthClient,
  { keys, settings }: Pick<Parts, 'keys' | 'settings'>
): Promise<'none' | 'match' | 'mismatch' | 'unreadable'> {
  if (idTokenHint === undefined) return 'none'
  const claims = await keys.readIdToken(idTokenHint, settings.issuer)
  if (claims === undefined) return 'unreadable'
  if (user === null) return 'none'
  return claims.sub === subjectOf(userIdOf(user), client, settings) ? 'match' : 'mismatch'
}

/** Live grants in contexts that this person may still act for. */
async function usableGrants(
  user: OAuthUser,
  { clientId }: OAuthClient,
  { collections, settings }: Pick<Parts, 'collections' | 'settings'>
): Promise<readonly OAuthGrant[]> {
  const filter = { clientId, userId: userIdOf(user), revokedAt: null }
  const grants = await collections.grants.find(filter).limit(50).toArray()
  const { grantContext } = settings
  if (grantContext === undefined) return grants.filter(({ contextId }) => contextId === null)
  const verified = await Promise.all(
    grants.map(({ contextId }) => contextId !== null && grantContext.verify(user, contextId))
  )
  return grants.filter((_, at) => verified[at] === true)
}

async function act(decision: Decision, read: ReadRequest, parts: Parts): Promise<AuthorizeAnswer> {
  const { request, attemptId, pushedUri } = read
  const { attempts } = parts
  if (decision.kind === 'refuse') return refuseByDecision(decision, read, parts)
  if (decision.kind === 'login') {
    attempts.note(attemptId, 'login', 'waiting', decision.description)
    const address = await loginAddress({ ...read, isPushed: pushedUri !== undefined }, parts)
    return address === undefined ? { kind: 'login_required' } : { kind: 'page', address }
  }
  // A pushed request is used once: only one of any number of calls takes it.
  if (pushedUri !== undefined && !(await takePushed(pushedUri, parts))) {
    return refuse(NOT_PUSHED, attemptId, parts)
  }
  const { user } = decision
  if (decision.kind === 'consent' || decision.kind === 'trust') {
    const { client, call } = read
    const isTrusted = decision.kind === 'trust'
    const asked = { client, request, user, browser: call.markBrowser(), attemptId, isTrusted }
    const { requestId, address } = await openConsent(asked, parts)
    if (!isTrusted) return { kind: 'page', address }
    const offline = request.scopes.includes('offline_access')
    return { kind: 'trust', requestId, decision: { approve: true, offline } }
  }
  const code = await codeOfGrant(user, decision.grant, read, parts)
  // The grant ended meanwhile, and the client asked for an answer without the person.
  if (code === undefined) return refuseByDecision(NOT_GRANTED, read, parts)
  attempts.note(attemptId, 'decision', 'passed', say('attempt.grantedBefore'))
  return toCallback({ code }, request, parts.settings)
}

function refuseByDecision(
  decision: Extract<Decision, { kind: 'refuse' }>,
  { request, attemptId }: ReadRequest,
  { attempts, settings }: Pick<Parts, 'attempts' | 'settings'>
): AuthorizeAnswer {
  attempts.note(attemptId, 'decision', 'refused', decision.description)
  return toCallback(errorFields(decision), request, settings)
}

const codeOfGrant = (
  user: OAuthUser,
  { _id: grantId, contextId, offline = true }: OAuthGrant,
  { client, request, attemptId }: ReadRequest,
  parts: Parts
): Promise<string | undefined> => {
  const { clientId } = client
  const { authTime } = user
  const whose = { clientId, userId: userIdOf(user), contextId, authTime, attemptId }
  const granted = { ...request, ...whose, offline }
  return mintCode(grantId, granted, parts)
}
