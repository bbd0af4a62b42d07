// Consent as JSON: what is asked for, by whom, on whose behalf; and the one decision about it.
import type { FastifyRequest } from 'fastify'
import { redirectTo, responseOf } from '../authorize/respond.ts'
import { redirectTarget } from '../clients/redirect-uris.ts'
import type { ContextOption, OAuthUser } from '../config/host-code.ts'
import { hashOf, isHandle } from '../crypto/handles.ts'
import { issueCode } from '../grants/issue-code.ts'
import { takeBackGrant } from '../grants/take-back.ts'
import { invalidRequest, OAuthError } from '../oauth-errors.ts'
import { browserOf, originOf, queryValue } from '../routes/requests.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthRequest } from '../storage/rows.ts'
import { userIdOf } from '../users/claims.ts'
import { type ConsentDecision, readDecision } from './read-decision.ts'

const MAX_CONTEXTS = 50
const RESPONSE_SECONDS = 120

const gone = (): OAuthError =>
  new OAuthError(404, 'invalid_request', 'This request is unknown, over, or decided.')

interface Open {
  readonly row: OAuthRequest
  readonly user: OAuthUser
}

/** The request behind a handle, for the person and the browser that made it. */
async function openRequest(
  request: FastifyRequest,
  { collections, settings }: Services
): Promise<Open> {
  const user = await settings.resolveUser(request)
  if (user === null || user === undefined) {
    throw new OAuthError(401, 'login_required', 'Sign in first.')
  }
  const { requestId } = request.params as { requestId?: unknown }
  if (!isHandle(requestId)) throw gone()
  const row = await collections.requests.findOne({ requestId: hashOf(requestId) })
  if (row === null || row.expiresAt <= settings.now()) throw gone()
  if (row.userId !== userIdOf(user)) {
    throw new OAuthError(403, 'access_denied', 'Another person made this request.')
  }
  if (row.browser !== browserOf(request)) {
    throw new OAuthError(403, 'access_denied', 'This request was made in another browser.')
  }
  return { row, user }
}

async function clientOf(row: OAuthRequest, { collections }: Services): Promise<OAuthClient> {
  const client = await collections.clients.findOne({ clientId: row.clientId })
  if (client === null || client.status !== 'active') throw gone()
  return client
}

/** GET: everything the page shows; no internal ids. */
export async function showConsent(request: FastifyRequest, services: Services): Promise<object> {
  const { row, user } = await openRequest(request, services)
  if (row.decidedAt !== null) throw gone()
  const client = await clientOf(row, services)
  const contexts = await contextsOf(user, client, row, services)
  const granted = await grantedBefore(row, queryValue(request, 'contextId'), contexts, services)
  const { name, branding, registration } = client
  return {
    client: {
      name,
      ...branding,
      ...(registration === 'cimd' && { host: new URL(client.clientId).host })
    },
    scopes: row.scopes.map((id) => scopeOf(id, granted, services)),
    resources: row.resources.map((id) => services.settings.resources.get(id)?.label ?? id),
    ...(contexts !== undefined && {
      contexts: contexts.slice(0, MAX_CONTEXTS).map(({ id, label }) => ({ id, label })),
      contextsHasMore: contexts.length > MAX_CONTEXTS
    }),
    user: {
      displayName: user.displayName ?? null,
      ...(user.email !== undefined && { email: user.email })
    },
    redirect: redirectTarget(row.redirectUri),
    expiresAt: row.expiresAt
  }
}

function scopeOf(id: string, granted: ReadonlySet<string>, { settings }: Services): object {
  const scope = settings.scopes.get(id)
  return {
    id,
    label: scope?.label ?? id,
    ...(scope?.description !== undefined && { description: scope.description }),
    ...(scope?.isSensitive === true && { sensitive: true }),
    isNew: !granted.has(id)
  }
}

async function contextsOf(
  user: OAuthUser,
  client: OAuthClient,
  { scopes }: OAuthRequest,
  { settings }: Services
): Promise<readonly ContextOption[] | undefined> {
  if (settings.grantContext === undefined) return undefined
  const all: ContextOption[] = []
  for (const context of await settings.grantContext.list(user, { client, scopes })) {
    all.push(context)
    if (all.length > MAX_CONTEXTS) break
  }
  return all
}

/**
 * Scopes of the live grant in the context that is asked about. While none is chosen, a scope is not new
 * only where it was granted in every context that may be chosen.
 */
async function grantedBefore(
  { clientId, userId }: OAuthRequest,
  chosen: string | undefined,
  contexts: readonly ContextOption[] | undefined,
  { collections }: Services
): Promise<ReadonlySet<string>> {
  const ids =
    contexts === undefined ? [null] : chosen !== undefined ? [chosen] : contexts.map(({ id }) => id)
  const filter = { clientId, userId, revokedAt: null, contextId: { $in: ids } }
  const grants = await collections.grants
    .find(filter)
    .limit(MAX_CONTEXTS + 1)
    .toArray()
  if (grants.length === 0 || grants.length < ids.length) return new Set()
  const [first, ...others] = grants
  return new Set(
    first?.scopes.filter((scope) => others.every(({ scopes }) => scopes.includes(scope)))
  )
}

/** POST: decides once; a body that is refused leaves the request as it is. */
export async function decideConsent(
  request: FastifyRequest,
  services: Services
): Promise<{ readonly redirectTo: string }> {
  const { row, user } = await openRequest(request, services)
  if (row.decidedAt !== null) throw invalidRequest('This request was decided before.')
  const decision = readDecision(
    request.body,
    row.scopes,
    services.settings.grantContext !== undefined
  )
  if (typeof decision === 'string') throw invalidRequest(decision)
  const client = await clientOf(row, services)
  if (decision.approve) await checkContext(decision, user, services)
  const since = await claim(row, decision, services)
  const fields = decision.approve
    ? await approve(decision, { row, user, since }, request, services)
    : await deny(row, client, request, services)
  return { redirectTo: await wayBack(row, fields, services) }
}

async function checkContext(
  { contextId }: ConsentDecision,
  user: OAuthUser,
  { settings }: Services
): Promise<void> {
  if (settings.grantContext === undefined || contextId === null) return
  if (await settings.grantContext.verify(user, contextId)) return
  throw new OAuthError(403, 'access_denied', 'You may not grant access for this context.')
}

/** Only one of any number of decisions gets past here; when it did. */
async function claim(
  row: OAuthRequest,
  { approve: isApproved }: ConsentDecision,
  { collections, settings }: Services
): Promise<Date> {
  const decidedAt = settings.now()
  const { modifiedCount } = await collections.requests.updateOne(
    { _id: row._id, decidedAt: null },
    { $set: { decidedAt, decision: isApproved ? 'approved' : 'denied' } }
  )
  if (modifiedCount === 0) throw invalidRequest('This request was decided before.')
  return decidedAt
}

/**
 * Whoever forgets or shuts out a person or a client deletes open requests first, and whoever takes a
 * person out of a context does so before access ends: what was granted meanwhile is found out by this.
 */
async function isStanding(
  { contextId }: ConsentDecision,
  { row, user }: Open,
  { collections, settings }: Services
): Promise<boolean> {
  const open = await collections.requests.findOne({ _id: row._id }, { projection: { _id: 1 } })
  if (open === null) return false
  return settings.grantContext === undefined || contextId === null
    ? true
    : settings.grantContext.verify(user, contextId)
}

async function approve(
  decision: ConsentDecision,
  { row, user, since }: Open & { readonly since: Date },
  request: FastifyRequest,
  services: Services
): Promise<Readonly<Record<string, string>>> {
  const { scopes, contextId } = decision
  const { clientId, userId, attemptId } = row
  const { code, grant } = await issueCode(
    {
      clientId,
      userId,
      contextId,
      scopes,
      resources: row.resources,
      redirectUri: row.redirectUri,
      codeChallenge: row.codeChallenge,
      nonce: row.nonce,
      authTime: row.authTime,
      dpopJkt: row.dpopJkt,
      attemptId
    },
    services
  )
  const { journal, attempts } = services
  const about = { clientId, userId, grantId: grant._id }
  const entry = { actor: 'user', ...about, meta: { scopes }, ...originOf(request) } as const
  const auditId = await journal.audit('consent_granted', entry)
  if (!(await isStanding(decision, { row, user }, services))) {
    await takeBackGrant(grant, { since, auditId }, services)
    throw gone()
  }
  const detail = `Approved ${scopes.join(' ')}; a code was sent back.`
  attempts.note(attemptId, 'consent', 'passed', detail)
  const context = contextId === null ? {} : { contextId }
  journal.track({ type: 'oauth.consent_granted', ...about, scopes, ...context })
  return { code }
}

async function deny(
  row: OAuthRequest,
  { clientId }: OAuthClient,
  request: FastifyRequest,
  { journal, attempts }: Services
): Promise<Readonly<Record<string, string>>> {
  const { userId, scopes, attemptId } = row
  attempts.note(attemptId, 'consent', 'refused', 'The person denied access.')
  await journal.audit('consent_denied', { actor: 'user', clientId, userId, ...originOf(request) })
  journal.track({ type: 'oauth.consent_denied', clientId, userId, scopes })
  return { error: 'access_denied', error_description: 'The person denied access.' }
}

async function wayBack(
  row: OAuthRequest,
  fields: Readonly<Record<string, string>>,
  { settings, secret }: Services
): Promise<string> {
  const to = { redirectUri: row.redirectUri, state: row.state, mode: row.responseMode }
  const parameters = responseOf(fields, to, settings.issuer)
  if (row.responseMode === 'query') return redirectTo(row.redirectUri, parameters)
  // Sealed: the address of our own page must not show the code to logs and histories.
  const claims = { action: row.redirectUri, parameters, browser: row.browser }
  const sealed = await secret.seal(claims, 'form-post', settings.now(), RESPONSE_SECONDS)
  return `${settings.base}/response?d=${sealed}`
}

/** What the page of the form_post mode posts, and where; for the browser it was made for. */
export async function openResponse(
  request: FastifyRequest,
  { settings, secret }: Services
): Promise<{ readonly action: string; readonly parameters: Readonly<Record<string, string>> }> {
  const claims = await secret.open(queryValue(request, 'd') ?? '', 'form-post', settings.now())
  if (claims === undefined || claims['browser'] !== browserOf(request)) throw gone()
  return {
    action: String(claims['action']),
    parameters: claims['parameters'] as Readonly<Record<string, string>>
  }
}
