// Consent: what a client asks for, for the person who must decide; and the one decision about it.

import { say } from '../attempts/sentences.ts'
import type { Origin } from '../audit/journal.ts'
import { redirectTo, responseOf } from '../authorize/respond.ts'
import { keepUsed } from '../clients/keep-used.ts'
import { type Logo, logoOf } from '../clients/logos.ts'
import { redirectTarget } from '../clients/redirect-uris.ts'
import type { ContextOption, OAuthUser } from '../config/host-code.ts'
import { userIdOf } from '../config/person-id.ts'
import type { HostBranding } from '../config/settings.ts'
import { hashOf, isHandle } from '../crypto/handles.ts'
import { decideDevice, deviceCallback, isOfDevice } from '../devices/devices.ts'
import { issueCode } from '../grants/issue-code.ts'
import { takeBackGrant } from '../grants/take-back.ts'
import { type OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthRequest } from '../storage/rows.ts'
import { approveDevice } from './answer-device.ts'
import type { Approval, OpenRequest } from './approval.ts'
import { askAgain } from './ask-again.ts'
import type { ConsentView } from './consent-schema.ts'
import { type ConsentDecision, OFFLINE, readDecision } from './read-decision.ts'

const MAX_CONTEXTS = 50
const RESPONSE_SECONDS = 120

type Parts = Pick<
  Services,
  'settings' | 'collections' | 'journal' | 'attempts' | 'secret' | 'revocations'
>

/** A call to a consent route: the handle in its address, and who sends it from which browser. */
export interface ConsentCall {
  readonly requestId: string
  readonly user: OAuthUser | null
  /** Hash of the cookie of the browser; undefined without one. */
  readonly browser: string | undefined
}

const gone = (): OAuthError => oauthError('consentGone')

/** The request behind a handle, for the person and the browser that made it. */
async function openRequest(
  { requestId, user, browser }: ConsentCall,
  { collections, settings }: Pick<Parts, 'collections' | 'settings'>
): Promise<OpenRequest> {
  if (user === null) throw oauthError('loginRequired')
  if (!isHandle(requestId)) throw gone()
  const row = await collections.requests.findOne({ requestId: hashOf(requestId) })
  if (row === null || row.expiresAt <= settings.now()) throw gone()
  if (row.userId !== userIdOf(user)) {
    throw oauthError('consentOtherPerson')
  }
  if (row.browser !== browser) {
    throw oauthError('consentOtherBrowser')
  }
  return { row, user }
}

async function clientOf(
  row: OAuthRequest,
  { collections }: Pick<Parts, 'collections'>
): Promise<OAuthClient> {
  const client = await collections.clients.findOne({ clientId: row.clientId })
  if (client === null || client.status !== 'active') throw gone()
  return client
}

/** Everything that the consent page shows, without internal ids. `contextId`: the chosen context. */
export async function showConsent(
  call: ConsentCall & { readonly contextId: string | undefined },
  parts: Parts
): Promise<ConsentView> {
  const { row, user } = await openRequest(call, parts)
  if (row.decidedAt !== null) throw gone()
  const client = await clientOf(row, parts)
  const contexts = await contextsOf({ row, user }, client, parts)
  const granted = await grantedBefore(row, { chosen: call.contextId, contexts }, parts)
  const { name, branding, registration } = client
  return {
    client: {
      name,
      ...branding,
      ...(registration === 'cimd' && { host: new URL(client.clientId).host })
    },
    issuer: withoutUndefined(parts.settings.branding),
    ...(!isOfDevice(row) &&
      client.requirePushedAuthorizationRequests !== true && {
        switchAccount: askAgain(row, parts.settings)
      }),
    scopes: row.scopes.map((id) => scopeOf(id, granted, parts)),
    offline: {
      isRequested: row.scopes.includes(OFFLINE),
      accessSeconds: parts.settings.ttl.accessToken
    },
    resources: row.resources.map((id) => parts.settings.resources.get(id)?.label ?? id),
    ...(contexts !== undefined && {
      contexts: contexts.slice(0, MAX_CONTEXTS).map(({ id, label }) => ({ id, label })),
      contextsHasMore: contexts.length > MAX_CONTEXTS
    }),
    user: {
      displayName: user.displayName ?? null,
      ...(user.email !== undefined && { email: user.email })
    },
    ...(isOfDevice(row) && { device: true }),
    redirect: redirectTarget(row.redirectUri),
    expiresAt: row.expiresAt.toISOString()
  }
}

const withoutUndefined = ({ name, logoUrl, accentColor }: HostBranding) => ({
  name,
  ...(logoUrl !== undefined && { logoUrl }),
  ...(accentColor !== undefined && { accentColor })
})

/** The logo of the client of an open request. */
export async function consentLogo(
  call: ConsentCall,
  parts: Parts & Pick<Services, 'logos'>
): Promise<Logo | undefined> {
  const { row } = await openRequest(call, parts)
  return logoOf(await clientOf(row, parts), parts)
}

function scopeOf(
  id: string,
  granted: ReadonlySet<string>,
  { settings }: Pick<Parts, 'settings'>
): ConsentView['scopes'][number] {
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
  { row, user }: OpenRequest,
  client: OAuthClient,
  { settings }: Pick<Parts, 'settings'>
): Promise<readonly ContextOption[] | undefined> {
  if (settings.grantContext === undefined) return undefined
  const all: ContextOption[] = []
  for (const context of await settings.grantContext.list(user, { client, scopes: row.scopes })) {
    all.push(context)
    if (all.length > MAX_CONTEXTS) break
  }
  return all
}

/**
 * Scopes of the live grant in the chosen context. While none is chosen, a scope counts as granted only
 * when it was granted in every context that can be chosen.
 */
async function grantedBefore(
  { clientId, userId }: OAuthRequest,
  among: {
    readonly chosen: string | undefined
    readonly contexts: readonly ContextOption[] | undefined
  },
  { collections }: Pick<Parts, 'collections'>
): Promise<ReadonlySet<string>> {
  const { chosen, contexts } = among
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

export interface DecideCall extends ConsentCall {
  readonly body: unknown
  readonly origin: Origin
  /** A trusted client: the person was not asked. */
  readonly isTrusted?: boolean
}

/** Decides once; a body that is refused leaves the request open. */
export async function decideConsent(
  call: DecideCall,
  parts: Parts
): Promise<{ readonly redirectTo: string }> {
  const { row, user } = await openRequest(call, parts)
  if (row.decidedAt !== null) throw decidedBefore()
  const hasContexts = parts.settings.grantContext !== undefined
  const decision = readDecision(call.body, row.scopes, hasContexts)
  if (typeof decision === 'string') throw oauthError('consentInvalid', { description: decision })
  const client = await clientOf(row, parts)
  if (decision.approve) await checkContext(decision, user, parts)
  const since = await claim(row, decision, parts)
  if (decision.approve) await keepUsed(client, parts.collections)
  const { origin, isTrusted = false } = call
  if (row.deviceId !== undefined) {
    const approval = { decision, row, user, since, origin, isTrusted: false }
    return { redirectTo: await answerDevice(row.deviceId, approval, parts) }
  }
  const fields = decision.approve
    ? await approve({ decision, row, user, since, origin, isTrusted }, parts)
    : await deny(row, origin, parts)
  return { redirectTo: await callbackAddress(row, fields, parts) }
}

const decidedBefore = () => oauthError('consentDecided')

async function checkContext(
  { contextId }: ConsentDecision,
  user: OAuthUser,
  { settings }: Pick<Parts, 'settings'>
): Promise<void> {
  if (settings.grantContext === undefined || contextId === null) return
  if (await settings.grantContext.verify(user, contextId)) return
  throw oauthError('consentContextForbidden')
}

/** Only one of any number of decisions gets past here; the time of it. */
async function claim(
  row: OAuthRequest,
  { approve: isApproved }: ConsentDecision,
  { collections, settings }: Pick<Parts, 'collections' | 'settings'>
): Promise<Date> {
  const decidedAt = settings.now()
  const { modifiedCount } = await collections.requests.updateOne(
    { _id: row._id, decidedAt: null },
    { $set: { decidedAt, decision: isApproved ? 'approved' : 'denied' } }
  )
  if (modifiedCount === 0) throw decidedBefore()
  return decidedAt
}

/** Where the browser goes: the answer itself is for the device. */
async function answerDevice(deviceId: string, approval: Approval, parts: Parts): Promise<string> {
  const { decision, row, origin } = approval
  const done = (result: string) => `${deviceCallback(parts.settings)}/done?result=${result}`
  if (!decision.approve) {
    await deny(row, origin, parts)
    await decideDevice(deviceId, { status: 'denied' }, parts)
    return done('denied')
  }
  const more = { ...parts, isStillAllowed: () => isStillAllowed(approval, parts) }
  if (!(await approveDevice(deviceId, approval, more))) throw gone()
  return done('approved')
}

/**
 * Whether the approval still counts after the grant was written. Erasure and revocation of a person or a
 * client delete open requests first, and a person leaves a context before their access in it ends: what
 * was granted meanwhile is found by this.
 */
async function isStillAllowed(
  { decision: { contextId }, row, user }: Approval,
  { collections, settings }: Pick<Parts, 'collections' | 'settings'>
): Promise<boolean> {
  const open = await collections.requests.findOne({ _id: row._id }, { projection: { _id: 1 } })
  if (open === null) return false
  return settings.grantContext === undefined || contextId === null
    ? true
    : settings.grantContext.verify(user, contextId)
}

async function approve(
  approval: Approval,
  parts: Parts
): Promise<Readonly<Record<string, string>>> {
  const { decision, row, since, origin, isTrusted } = approval
  const { scopes, contextId, offline } = decision
  const { clientId, userId, attemptId, redirectUri, codeChallenge, nonce, authTime, dpopJkt } = row
  const target = { clientId, userId, contextId, scopes, resources: row.resources }
  const { code, grant } = await issueCode(
    { ...target, offline, redirectUri, codeChallenge, nonce, authTime, dpopJkt, attemptId },
    parts
  )
  const { journal, attempts } = parts
  const about = { clientId, userId, grantId: grant._id }
  const entry = {
    actor: 'user',
    ...about,
    meta: { scopes, offline, ...(isTrusted && { trusted: true }) },
    ...origin
  } as const
  const auditId = await journal.audit('consent_granted', entry)
  if (!(await isStillAllowed(approval, parts))) {
    await takeBackGrant(grant, { since, auditId }, parts)
    throw gone()
  }
  const how = isTrusted ? 'attempt.trusted' : 'attempt.approved'
  attempts.note(attemptId, 'consent', 'passed', say(how, { scopes: scopes.join(' ') }))
  const context = contextId === null ? {} : { contextId }
  await journal.track({ type: 'oauth.consent_granted', ...about, scopes, ...context })
  return { code }
}

async function deny(
  { clientId, userId, scopes, attemptId }: OAuthRequest,
  origin: Origin,
  { journal, attempts }: Pick<Parts, 'journal' | 'attempts'>
): Promise<Readonly<Record<string, string>>> {
  attempts.note(attemptId, 'consent', 'refused', say('attempt.denied'))
  await journal.audit('consent_denied', { actor: 'user', clientId, userId, ...origin })
  await journal.track({ type: 'oauth.consent_denied', clientId, userId, scopes })
  return { error: 'access_denied', error_description: 'The person denied access.' }
}

async function callbackAddress(
  row: OAuthRequest,
  fields: Readonly<Record<string, string>>,
  { settings, secret }: Pick<Parts, 'settings' | 'secret'>
): Promise<string> {
  const to = { redirectUri: row.redirectUri, state: row.state, mode: row.responseMode }
  const parameters = responseOf(fields, to, settings.issuer)
  if (row.responseMode === 'query') return redirectTo(row.redirectUri, parameters)
  // Sealed: the address of our own page must not show the code to logs and histories.
  const { redirectUri: action, browser, uiLocales } = row
  const claims = { action, parameters, browser, ...(uiLocales !== undefined && { uiLocales }) }
  const sealed = await secret.seal(claims, 'form-post', settings.now(), RESPONSE_SECONDS)
  return `${settings.base}/response?d=${sealed}`
}

/** What the page of the form_post mode posts, and where. */
interface FormPost {
  readonly action: string
  readonly parameters: Readonly<Record<string, string>>
  /** Languages that the client asked for. */
  readonly uiLocales: string | undefined
}

/** Only for the browser that it was made for. */
export async function openResponse(
  { sealed, browser }: { readonly sealed: string; readonly browser: string | undefined },
  { settings, secret }: Pick<Parts, 'settings' | 'secret'>
): Promise<FormPost> {
  const claims = await secret.open(sealed, 'form-post', settings.now())
  if (claims === undefined || claims['browser'] !== browser) throw gone()
  return {
    action: String(claims['action']),
    parameters: claims['parameters'] as Readonly<Record<string, string>>,
    uiLocales: claims['uiLocales'] as string | undefined
  }
}
