// The data about a person: the subject, and claims by scope.

import { publicClient } from '../clients/public-client.ts'
import type { OAuthUser } from '../config/host-code.ts'
import type { Settings } from '../config/settings.ts'
import { macOf } from '../crypto/handles.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** Public: the user's id. Pairwise: a different id for each sector, computed and never stored. */
export function subjectOf(
  userId: string,
  client: Pick<OAuthClient, 'sectorIdentifier'>,
  settings: Pick<Settings, 'subjectMode' | 'pairwiseSalt'>
): string {
  if (settings.subjectMode === 'public') return userId
  return macOf(settings.pairwiseSalt, 'pairwise', `${client.sectorIdentifier}\n${userId}`)
}

/** The context that the person chose at consent; none without contexts. */
export const contextClaim = (contextId: string | null): { readonly context_id?: string } =>
  contextId === null ? {} : { context_id: contextId }

/** Claims of the protocol, which no host may set. */
const RESERVED = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  'auth_time',
  'azp',
  'sid',
  'cnf',
  'context_id',
  'tenant_id'
])

/** What claims are for. */
export interface ClaimsAbout {
  readonly scopes: readonly string[]
  readonly client: OAuthClient
  readonly contextId: string | null
}

/** The claims that the scopes allow; none but the context when the host does not know the person. */
export async function claimsOf(
  user: OAuthUser | null | undefined,
  about: ClaimsAbout,
  settings: Settings
): Promise<Record<string, unknown>> {
  const context = contextClaim(about.contextId)
  if (user === null || user === undefined) return context
  const { displayName, avatarUrl, email, emailVerified } = user
  const { scopes, client, contextId } = about
  const named = { scopes, contextId, clientId: client.clientId }
  const more =
    settings.claims === undefined
      ? {}
      : await settings.claims(user, { ...named, client: publicClient(client, settings) })
  const own = Object.entries(more).filter(([name]) => !RESERVED.has(name))
  return {
    ...context,
    ...(about.scopes.includes('profile') && {
      ...(displayName !== undefined && { name: displayName }),
      ...(avatarUrl !== undefined && { picture: avatarUrl })
    }),
    ...(about.scopes.includes('email') && {
      ...(email !== undefined && { email }),
      ...(emailVerified !== undefined && { email_verified: emailVerified })
    }),
    ...Object.fromEntries(own)
  }
}
