// The secret of the inbound route: Bearer token or Basic password, compared in constant time. Pure.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an Authorization header carries the secret. */
export function hasSecret(authorization: string | undefined, secret: string): boolean {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+) *$/.exec(authorization ?? '') ?? []
  const given = passwordOf(scheme.toLowerCase(), credentials)
  return given !== undefined && timingSafeEqual(digest(given), digest(secret))
}

function passwordOf(scheme: string, credentials: string): string | undefined {
  if (scheme === 'bearer') return credentials
  if (scheme !== 'basic') return undefined
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}

/** Of equal length, whatever the secret's. */
const digest = (text: string) => createHash('sha256').update(text).digest()
