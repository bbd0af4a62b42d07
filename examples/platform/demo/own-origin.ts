// Whether a sign-in comes from a page of this host: another site must not sign a browser in. Pure.
import { isOriginKnown, originRule } from '@keelson/sdk'

/** The parts of a request that the rule looks at. */
export interface SignInRequest {
  readonly protocol: string
  readonly host: string
  readonly origin: string | undefined
  /** The `Sec-Fetch-Site` header. */
  readonly site: string | undefined
}

/** `publicUrl` empty: people use the address of the request. Programs, which send neither header, may sign in. */
export function isOwnOrigin(
  { protocol, host, origin, site }: SignInRequest,
  publicUrl: string
): boolean {
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none'
  return isOriginKnown(originRule(publicUrl, []), { protocol, host, headers: { origin } })
}
