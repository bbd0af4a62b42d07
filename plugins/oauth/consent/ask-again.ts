// The authorization request behind an open consent page, for another person: the same request, with an account to choose. Pure.
import type { Settings } from '../config/settings.ts'
import type { OAuthRequest } from '../storage/rows.ts'

/** Its path on the issuer's origin. */
export function askAgain(row: OAuthRequest, { base }: Pick<Settings, 'base'>): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: row.clientId,
    redirect_uri: row.redirectUri,
    response_mode: row.responseMode,
    scope: row.scopes.join(' '),
    prompt: 'select_account',
    ...(row.codeChallenge !== undefined && {
      code_challenge: row.codeChallenge,
      code_challenge_method: 'S256'
    }),
    ...(row.state !== undefined && { state: row.state }),
    ...(row.nonce !== undefined && { nonce: row.nonce }),
    ...(row.dpopJkt !== undefined && { dpop_jkt: row.dpopJkt }),
    ...(row.maxAge !== undefined && { max_age: String(row.maxAge) }),
    ...(row.uiLocales !== undefined && { ui_locales: row.uiLocales })
  })
  for (const resource of row.resources) query.append('resource', resource)
  return `${new URL(base).pathname.replace(/\/$/, '')}/authorize?${query}`
}
