// The token that tells a client of the end of a session (OpenID Connect Back-Channel Logout §2.4). Pure.
import type { JWTPayload } from 'jose'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The longest that the standard recommends. */
const LIFE_SECONDS = 120

/** Whom it is about, and for which client. */
export interface LogoutAbout {
  readonly issuer: string
  readonly clientId: string
  /** The person, as the identity tokens of the client name them. */
  readonly sub: string
  /** The same at each try. */
  readonly id: string
  readonly now: Date
}

export function logoutClaims({ issuer, clientId, sub, id, now }: LogoutAbout): JWTPayload {
  const iat = Math.floor(now.getTime() / 1000)
  return {
    iss: issuer,
    sub,
    aud: clientId,
    iat,
    exp: iat + LIFE_SECONDS,
    jti: id,
    events: { [EVENT]: {} }
  }
}
