// grant_type=token-exchange (RFC 8693): an identity token becomes an assertion for another server (ID-JAG).
import { scopesOf } from '../authorize/scopes.ts'
import type { ExchangeAudience } from '../config/exchange-settings.ts'
import { newRowId } from '../crypto/handles.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { withinTenant } from '../tenants/within-tenant.ts'
import type { TokenRequest } from './token-request.ts'

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
/** It is exchanged at once. */
const LIFE_SECONDS = 300
const MAX_SCOPES = 100

/** The answer: `access_token` is the assertion, as RFC 8693 names it. */
export interface IssuedAssertion {
  readonly access_token: string
  readonly issued_token_type: string
  readonly token_type: 'N_A'
  readonly expires_in: number
  readonly scope?: string
}

/** For a confidential client, about a person who signed in to it and still allows it access. */
export async function issueIdJag(
  request: TokenRequest,
  services: Services
): Promise<IssuedAssertion> {
  const { client, form, jkt, origin } = request
  const { settings, keys, journal } = services
  const { audience, clientIdThere } = audienceOf(request, services)
  const scopes = limitedScopes(form.get('scope'), audience)
  const resources = limitedResources(request.resources, audience)
  const subject = await subjectOf(request, services)
  const now = Math.floor(settings.now().getTime() / 1000)
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
  const assertion = await keys.sign(
    {
      iss: settings.issuer,
      sub: subject.userId,
      aud: audience.issuer,
      client_id: clientIdThere,
      jti: newRowId(),
      iat: now,
      exp: now + LIFE_SECONDS,
      ...scope,
      ...(resources.length > 0 && { resource: resources.length === 1 ? resources[0] : resources }),
      ...(subject.authTime !== undefined && { auth_time: subject.authTime }),
      ...(jkt !== undefined && { cnf: { jkt } })
    },
    { alg: settings.algorithms[0] ?? 'ES256', typ: 'oauth-id-jag+jwt' }
  )
  const about = { clientId: client.clientId, userId: subject.userId, grantId: subject.grantId }
  const meta = { audience: audience.issuer, scopes }
  await journal.audit('assertion_issued', { actor: 'client', ...about, meta, ...origin })
  await journal.track({ type: 'oauth.assertion_issued', ...about, meta })
  return {
    access_token: assertion,
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    expires_in: LIFE_SECONDS,
    ...scope
  }
}

/** The server that the assertion is for, and the client's id there. @throws invalid_request, invalid_target */
function audienceOf({ client, form }: TokenRequest, { settings }: Services) {
  if (form.get('requested_token_type') !== ID_JAG)
    throw refused(`requested_token_type must be ${ID_JAG}`)
  if (form.get('subject_token_type') !== ID_TOKEN)
    throw refused(`subject_token_type must be ${ID_TOKEN}`)
  if (form.has('actor_token')) throw refused('actor_token is not supported')
  const audience = settings.exchange?.get(form.get('audience') ?? '')
  const clientIdThere = audience?.clients.get(client.clientId)
  // One answer: a client does not learn who else is trusted.
  if (audience === undefined || clientIdThere === undefined) {
    throw new OAuthError(400, 'invalid_target', 'This client gets no assertion for that audience.')
  }
  return { audience, clientIdThere }
}

const refused = (description: string): OAuthError =>
  oauthError('invalidParameter', { description: `${description}.` })

/** The person of the identity token. @throws invalid_request, or invalid_grant when their access has ended */
async function subjectOf({ client, form }: TokenRequest, services: Services) {
  const { settings, keys, collections } = services
  const claims = await keys.readIdToken(form.get('subject_token') ?? '', settings.issuer)
  const audiences = [claims?.aud ?? []].flat()
  if (claims?.sub === undefined || audiences.length !== 1 || audiences[0] !== client.clientId) {
    throw refused('subject_token is not an identity token of this server for this client')
  }
  const { sub: userId, exp = 0 } = claims
  if (exp * 1000 <= settings.now().getTime()) throw refused('subject_token has expired')
  const { clientId } = client
  const filter = { clientId, userId, revokedAt: null, scopes: 'openid' }
  const grant = await collections.grants.findOne(filter)
  const isKnown = settings.loadUser === undefined || Boolean(await settings.loadUser(userId))
  if (grant === null || !isKnown) throw oauthError('grantEnded')
  await withinTenant({ userId, client, scopes: ['openid'] }, services)
  const authTime = claims['auth_time']
  return {
    userId,
    grantId: grant._id,
    authTime: typeof authTime === 'number' ? authTime : undefined
  }
}

/** Scopes of the other server. @throws invalid_scope */
function limitedScopes(
  asked: string | undefined,
  { scopes: allowed }: ExchangeAudience
): readonly string[] {
  const scopes = [...new Set(scopesOf(asked ?? ''))]
  const excess = scopes.find((one) => allowed?.has(one) === false)
  if (excess === undefined && scopes.length <= MAX_SCOPES) return scopes
  const description = `A requested scope is not allowed for that audience. It was: ${excess ?? scopes.at(-1)}`
  throw new OAuthError(400, 'invalid_scope', description)
}

/** @throws invalid_target */
function limitedResources(
  asked: readonly string[],
  { resources: allowed }: ExchangeAudience
): readonly string[] {
  const excess = asked.find((one) => allowed?.has(one) === false || !URL.canParse(one))
  if (excess === undefined) return asked
  throw new OAuthError(
    400,
    'invalid_target',
    'A requested resource is not allowed for that audience.'
  )
}
