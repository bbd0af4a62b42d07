// The authorization endpoint: reads, asks who is there, decides, and sends the browser on.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthUser } from '../config/host-code.ts'
import { hashOf, newHandle, newRowId } from '../crypto/handles.ts'
import { mintCode } from '../grants/issue-code.ts'
import { addressKey } from '../limits/limiter.ts'
import { isAddress } from '../metadata-clients/allowed-hosts.ts'
import type { FoundClient } from '../metadata-clients/metadata-clients.ts'
import { UnredirectableError } from '../oauth-errors.ts'
import { renderError, sealed, sendFormPost } from '../routes/answers.ts'
import { checkReady, markBrowser } from '../routes/requests.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthGrant } from '../storage/rows.ts'
import { subjectOf, userIdOf } from '../users/claims.ts'
import { type Decision, decide, NOT_GRANTED } from './decide.ts'
import { cameBackFromLogin, loginAddress } from './login.ts'
import type { Parameters } from './parameters.ts'
import { findPushed, PUSHED_PREFIX, takePushed } from './pushed.ts'
import {
  type AuthorizationRequest,
  type ReadResult,
  type ReturnAddress,
  readRequest,
  UNKNOWN_CLIENT,
  unidentified
} from './read-request.ts'
import { redirectTo, responseOf } from './respond.ts'

/** Where a request stands: what every further step needs. */
interface Standing {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly services: Services
}

/** Serves one authorization request; `parameters` undefined when there are too many. */
export async function authorize(
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: Parameters | undefined,
  services: Services
): Promise<FastifyReply> {
  sealed(reply)
  const standing: Standing = { request, reply, services }
  checkReady(services)
  await services.limiter.take('authorize', addressKey(request.ip))
  if (parameters === undefined) {
    return renderError(
      request,
      reply,
      new UnredirectableError('invalid_request', 'The request is too large.')
    )
  }
  const first = unidentified(parameters)
  if (first !== undefined) return refuse(first, standing, services.attempts.begin(null))
  const found = await findClient(parameters.get('client_id') ?? '', services)
  if (found.kind === 'none' || found.client.status !== 'active') {
    const reason = found.kind === 'none' ? found.reason : 'the client is disabled'
    const attemptId = services.attempts.begin(found.kind === 'none' ? null : found.client.clientId)
    services.attempts.note(attemptId, 'client', 'refused', `Unknown client: ${reason}.`)
    return refuse(UNKNOWN_CLIENT, standing, attemptId)
  }
  return forClient(found.client, parameters, standing)
}

async function findClient(clientId: string, services: Services): Promise<FoundClient> {
  const { metadataClients, collections } = services
  if (metadataClients !== undefined && isAddress(clientId)) return metadataClients.find(clientId)
  const client = await collections.clients.findOne({ clientId })
  return client === null
    ? { kind: 'none', reason: 'no client has this id' }
    : { kind: 'client', client }
}

async function forClient(
  client: OAuthClient,
  given: Parameters,
  standing: Standing
): Promise<FastifyReply> {
  const { services } = standing
  const { attempts, settings } = services
  const cameBack = await cameBackFromLogin(given, services)
  const attemptId = cameBack?.attemptId ?? attempts.begin(client.clientId)
  const requestUri = given.get('request_uri')
  const isPushed = requestUri?.startsWith(PUSHED_PREFIX) === true
  const parameters = isPushed ? await findPushed(requestUri, client.clientId, services) : given
  const read: ReadResult =
    parameters === undefined ? NOT_PUSHED : readRequest(parameters, client, settings, { isPushed })
  if (parameters === undefined || read.kind !== 'request') return refuse(read, standing, attemptId)
  attempts.note(attemptId, 'request', 'passed', `Asked for ${read.request.scopes.join(' ')}.`)
  const decision = await decideFor(read.request, client, cameBack?.at, standing)
  const asked = read.request
  return act(decision, { client, asked, given, parameters, attemptId, isPushed, standing })
}

const NOT_PUSHED: ReadResult = {
  kind: 'render',
  error: 'invalid_request',
  description: 'The pushed request is not there or not there any more.'
}

/** Answers a request that is wrong: rendered, or told to the client. */
function refuse(read: ReadResult, standing: Standing, attemptId: string): FastifyReply {
  const { request, reply, services } = standing
  if (read.kind === 'request') throw new TypeError('a right request is not refused')
  services.attempts.note(attemptId, 'request', 'refused', read.description)
  if (read.kind === 'render') {
    return renderError(request, reply, new UnredirectableError(read.error, read.description))
  }
  return tell({ error: read.error, error_description: read.description }, read.to, standing)
}

/** Sends parameters to the client's callback. */
function tell(
  fields: Readonly<Record<string, string>>,
  to: ReturnAddress,
  { request, reply, services }: Standing
): FastifyReply {
  const parameters = responseOf(fields, to, services.settings.issuer)
  if (to.mode === 'form_post') return sendFormPost(reply, to.redirectUri, parameters)
  return sendOn(request, reply, redirectTo(to.redirectUri, parameters))
}

/** 303 after a POST, so that nobody posts a password or a form on. */
const sendOn = (request: FastifyRequest, reply: FastifyReply, address: string): FastifyReply =>
  reply.redirect(address, request.method === 'POST' ? 303 : 302)

async function decideFor(
  asked: AuthorizationRequest,
  client: OAuthClient,
  sentToLoginAt: Date | undefined,
  { request, services }: Standing
): Promise<Decision> {
  const { settings } = services
  const user = (await settings.resolveUser(request)) ?? null
  const isSilent = asked.prompts.includes('none')
  return decide(asked, {
    user,
    now: settings.now(),
    sentToLoginAt,
    hint: await hintOf(asked, user, client, services),
    grants: isSilent && user !== null ? await grantsOf(user, client, services) : []
  })
}

async function hintOf(
  { idTokenHint }: AuthorizationRequest,
  user: OAuthUser | null,
  client: OAuthClient,
  { keys, settings }: Services
): Promise<'none' | 'match' | 'mismatch' | 'unreadable'> {
  if (idTokenHint === undefined) return 'none'
  const claims = await keys.readIdToken(idTokenHint, settings.issuer)
  if (claims === undefined) return 'unreadable'
  if (user === null) return 'none'
  return claims.sub === subjectOf(userIdOf(user), client, settings) ? 'match' : 'mismatch'
}

/** Live grants, in contexts that this person still may act for. */
async function grantsOf(
  user: OAuthUser,
  { clientId }: OAuthClient,
  { collections, settings }: Services
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

interface Decided {
  readonly client: OAuthClient
  readonly asked: AuthorizationRequest
  /** As it came to this endpoint. */
  readonly given: Parameters
  /** All of the request: what was pushed, where it was. */
  readonly parameters: Parameters
  readonly isPushed: boolean
  readonly attemptId: string
  readonly standing: Standing
}

async function act(decision: Decision, decided: Decided): Promise<FastifyReply> {
  const { asked, attemptId, standing } = decided
  const { attempts } = standing.services
  switch (decision.kind) {
    case 'refuse':
      attempts.note(attemptId, 'decision', 'refused', decision.description)
      return tell(
        { error: decision.error, error_description: decision.description },
        asked,
        standing
      )
    case 'login':
      attempts.note(attemptId, 'login', 'waiting', decision.description)
      return toLogin(decided)
    case 'consent':
      if (!(await isTaken(decided))) return refuse(NOT_PUSHED, standing, attemptId)
      return toConsent(decision.user, decided)
    case 'code':
      if (!(await isTaken(decided))) return refuse(NOT_PUSHED, standing, attemptId)
      return codeAtOnce(decision.user, decision.grant, decided)
  }
}

/** What was pushed is this request's alone from now on. */
const isTaken = async ({ given, isPushed, standing }: Decided): Promise<boolean> =>
  !isPushed || takePushed(given.get('request_uri') ?? '', standing.services)

async function toLogin(decided: Decided): Promise<FastifyReply> {
  const { request, reply, services } = decided.standing
  const address = await loginAddress({ ...decided, request: decided.asked }, services)
  if (address !== undefined) return sendOn(request, reply, address)
  return reply
    .code(401)
    .send({ error: 'login_required', error_description: 'Sign in and ask again.' })
}

async function toConsent(user: OAuthUser, decided: Decided): Promise<FastifyReply> {
  const { client, asked, attemptId, standing } = decided
  const { request, reply, services } = standing
  const { settings, collections, journal } = services
  const requestId = newHandle()
  const now = settings.now()
  const userId = userIdOf(user)
  await collections.requests.insertOne({
    _id: newRowId(),
    requestId: hashOf(requestId),
    clientId: client.clientId,
    userId,
    browser: markBrowser(request, reply, settings),
    redirectUri: asked.redirectUri,
    scopes: asked.scopes,
    resources: asked.resources,
    codeChallenge: asked.codeChallenge,
    codeChallengeMethod: 'S256',
    responseMode: asked.mode,
    ...(asked.state !== undefined && { state: asked.state }),
    ...(asked.nonce !== undefined && { nonce: asked.nonce }),
    ...(asked.dpopJkt !== undefined && { dpopJkt: asked.dpopJkt }),
    ...(asked.prompts.length > 0 && { prompt: asked.prompts.join(' ') }),
    ...(asked.maxAge !== undefined && { maxAge: asked.maxAge }),
    ...(user.authTime !== undefined && { authTime: user.authTime }),
    attemptId,
    decidedAt: null,
    expiresAt: new Date(now.getTime() + settings.ttl.authorizationRequest * 1000),
    createdAt: now
  })
  services.attempts.note(attemptId, 'consent', 'waiting', 'The consent page was shown.')
  const { clientId } = client
  const meta = { resources: asked.resources }
  journal.track({
    type: 'oauth.authorization_requested',
    userId,
    clientId,
    scopes: asked.scopes,
    meta
  })
  return sendOn(request, reply, consentAddress(settings.consentUrl, requestId))
}

function consentAddress(consentUrl: string, requestId: string): string {
  const [address = '', fragment] = consentUrl.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}request_id=${requestId}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

async function codeAtOnce(
  user: OAuthUser,
  { _id: grantId, contextId }: OAuthGrant,
  decided: Decided
): Promise<FastifyReply> {
  const { client, asked, attemptId, standing } = decided
  const { services } = standing
  const granted = {
    ...asked,
    clientId: client.clientId,
    userId: userIdOf(user),
    contextId,
    authTime: user.authTime,
    attemptId
  }
  const code = await mintCode(grantId, granted, services)
  // Nobody is here to consent to another grant.
  if (code === undefined) return act(NOT_GRANTED, decided)
  services.attempts.note(attemptId, 'decision', 'passed', 'Everything was granted before.')
  return tell({ code }, asked, standing)
}
