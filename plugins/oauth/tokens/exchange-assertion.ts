// grant_type=jwt-bearer: the assertion of an enterprise's identity provider becomes a token for its person.
import { requestedTarget, scopesOf } from '../authorize/scopes.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { checkedTarget, issueDirect } from './direct-grant.ts'
import type { ProvenAssertion } from './id-jag.ts'
import type { TokenResponse } from './mint.ts'
import type { TokenRequest } from './token-request.ts'

export async function exchangeAssertion(
  { client, form, resources, jkt, origin }: TokenRequest,
  services: Services
): Promise<TokenResponse> {
  const { settings, idJag } = services
  const assertion = form.get('assertion')
  if (assertion === undefined) throw oauthError('assertionMissing')
  const checked = await idJag.check(assertion, client, jkt)
  if (!checked.ok) throw refused(checked.reason)
  const { proven } = checked
  const scope = limitedScope(form.get('scope'), proven)
  const wanted = limitedResources(resources, proven, services)
  const target = checkedTarget(requestedTarget(scope, wanted, client, settings), settings)
  const { subject, issuer } = proven
  const userId = await settings.mapSubject(subject, issuer.tenant)
  if (userId === null) throw refused('the person is unknown here')
  const user = (await settings.loadUser?.(userId)) ?? undefined
  if (user === undefined && settings.loadUser !== undefined) {
    throw refused('the person is unknown here')
  }
  const meta = { grantType: 'jwt-bearer', issuer: issuer.issuer }
  const { scopes, resources: ids } = target
  const about = { client, userId, user, scopes, resources: ids, jkt, origin, meta }
  return issueDirect({ ...about, isService: false }, services)
}

const refused = (reason: string): OAuthError =>
  oauthError('assertionRefused', { description: `The assertion cannot be used: ${reason}.` })

/** What is asked for, within what the issuer allows. */
function limitedScope(asked: string | undefined, { scope }: ProvenAssertion): string | undefined {
  if (scope === undefined || asked === undefined) return asked ?? scope
  const allowed = scopesOf(scope)
  const excess = scopesOf(asked).find((one) => !allowed.includes(one))
  if (excess === undefined) return asked
  throw new OAuthError(400, 'invalid_scope', 'The assertion does not allow a requested scope.')
}

function limitedResources(
  asked: readonly string[],
  { resources }: ProvenAssertion,
  { settings }: Services
): readonly string[] {
  if (resources.length === 0 || asked.length === 0) return asked.length === 0 ? resources : asked
  const idOf = (id: string) => settings.findResource(id)?.id ?? id
  const allowed = resources.map(idOf)
  if (asked.every((id) => allowed.includes(idOf(id)))) return asked
  throw new OAuthError(400, 'invalid_target', 'The assertion does not allow a requested resource.')
}
