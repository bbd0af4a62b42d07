// Access tokens of Google for a refresh token, kept until shortly before they end.
import type { Host } from '@keelson/sdk'
import type { Credentials } from '../config.ts'
import { errors } from '../errors.ts'
import { fieldsOf, textOf } from './json-fields.ts'

/** Gives an access token. */
export interface AccessTokens {
  get(now: Date, signal: AbortSignal): Promise<string>
  /** The token was refused: the next one is a new one. */
  forget(): void
}

const EARLY_MS = 5 * 60_000
const TIMEOUT_MS = 15_000

/** Calls that ask at the same time share one answer. */
export function createAccessTokens(
  fetch: Host['fetch'],
  { tokenUrl, clientId, clientSecret, refreshToken }: Credentials
): AccessTokens {
  let kept: { readonly token: string; readonly until: number } | undefined
  let asking: Promise<string> | undefined

  const ask = async (now: Date, signal: AbortSignal): Promise<string> => {
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    })
    const fields = fieldsOf(await answer.json().catch(() => undefined))
    const token = textOf(fields['access_token']) === null ? undefined : fields['access_token']
    if (answer.status !== 200 || typeof token !== 'string') {
      throw errors.PST_TOKEN_REFUSED({ reason: textOf(fields['error']) ?? answer.status })
    }
    const seconds = Number(fields['expires_in'])
    const lifetime = Number.isFinite(seconds) ? seconds * 1000 : 0
    kept = { token, until: now.getTime() + lifetime - EARLY_MS }
    return token
  }

  return {
    async get(now, signal) {
      if (kept !== undefined && now.getTime() < kept.until) return kept.token
      asking ??= ask(now, signal).finally(() => {
        asking = undefined
      })
      return asking
    },
    forget() {
      kept = undefined
    }
  }
}
