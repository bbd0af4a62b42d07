// grant_type=client_credentials: a service account gets a token for itself, in the name of its owner where it has one.
import { requestedTarget } from '../authorize/scopes.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { checkedTarget, issueDirect } from './direct-grant.ts'
import type { TokenResponse } from './mint.ts'
import type { TokenRequest } from './token-request.ts'

/** The owner of service accounts without one: no id of a person looks like it. */
const ownId = (clientId: string): string => `client:${clientId}`

/** Only for a client that proved who it is. */
export async function grantToService(
  { client, form, resources, jkt, origin }: TokenRequest,
  services: Services
): Promise<TokenResponse> {
  const { settings } = services
  const scope = form.get('scope') ?? ownScopes(client.allowedScopes, settings)
  const target = checkedTarget(requestedTarget(scope, resources, client, settings), settings)
  const { owner } = client
  const user = owner === undefined ? undefined : ((await settings.loadUser?.(owner)) ?? undefined)
  // An account acts with the rights of its owner, so it ends with them.
  if (owner !== undefined && settings.loadUser !== undefined && user === undefined) {
    throw oauthError('ownerGone')
  }
  const { scopes, resources: ids } = target
  return issueDirect(
    {
      client,
      user,
      scopes,
      resources: ids,
      jkt,
      origin,
      userId: owner ?? ownId(client.clientId),
      isService: true,
      meta: { grantType: 'client_credentials' }
    },
    services
  )
}

/** Without `scope`: what the client may have, of what is not about people (RFC 6749 §3.3). */
const ownScopes = (allowed: readonly string[], { scopes }: Services['settings']): string =>
  allowed.filter((id) => scopes.get(id)?.isOidc !== true).join(' ')
