// The data about a person: the subject, and claims by scope.

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
  'cnf'
])

/** The claims that the scopes allow; none when the person was deleted. */
export async function claimsOf(
  user: OAuthUser | null | undefined,
  about: { readonly scopes: readonly string[]; readonly clientId: string },
  settings: Settings
): Promise<Record<string, unknown>> {
  if (user === null || user === undefined) return {}
  const { displayName, avatarUrl, email, emailVerified } = user
  const more = (await settings.claims?.(user, about)) ?? {}
  const own = Object.entries(more).filter(([name]) => !RESERVED.has(name))
  return {
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
