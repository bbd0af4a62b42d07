// What a webhook gets of an event: JSON, or a Security Event Token of CAEP (RFC 8417). Pure.
import type { JWTPayload } from 'jose'
import type { EventWebhook } from '../config/event-settings.ts'
import type { OAuthHappening } from '../contracts.ts'
import { type Beginner, beginnerOf } from '../grants/endings.ts'

const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'

/** Too many, and about nothing that ends: only for webhooks that name them. */
const FREQUENT = new Set([
  'oauth.authorization_requested',
  'oauth.token_issued',
  'oauth.token_refreshed'
])

/** Whether a webhook is for an event. */
export function wantsEvent(
  { types, format, tenant }: EventWebhook,
  { type, userId, tenantId, meta }: OAuthHappening
): boolean {
  if (tenant !== undefined && tenant !== tenantId) return false
  if (format === 'caep') return userId !== undefined && endsSession(type, meta)
  return types === undefined ? !FREQUENT.has(type) : types.includes(type)
}

/** An access token that ends alone leaves the session: the client may refresh. */
const endsSession = (type: string, meta: OAuthHappening['meta']): boolean =>
  beginnerOf(type) !== undefined && meta?.['kind'] !== 'access'

/** The message as JSON. */
export const eventMessage = (event: OAuthHappening, issuer: string): object => ({
  ...event,
  at: event.at.toISOString(),
  issuer
})

/** Grants are ended by several; an event that says by whom is believed. A client is no entity of CAEP. */
function whoBegan(type: string, meta: OAuthHappening['meta']): Beginner {
  const by = meta?.['by']
  if (by === 'admin' || by === 'user') return by
  return by === undefined ? (beginnerOf(type) ?? 'system') : 'system'
}

/** The claims of a session-revoked event. */
export function sessionRevoked(
  { id, type, at, meta, userId = '' }: OAuthHappening,
  {
    issuer,
    audience,
    now
  }: { readonly issuer: string; readonly audience: string; readonly now: Date }
): JWTPayload {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    iss: issuer,
    aud: audience,
    jti: id,
    iat: seconds(now),
    sub_id: { format: 'iss_sub', iss: issuer, sub: userId },
    events: {
      [SESSION_REVOKED]: {
        event_timestamp: seconds(at),
        initiating_entity: whoBegan(type, meta)
      }
    }
  }
}
