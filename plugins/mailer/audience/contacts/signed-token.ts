// Tokens of links in mails: a payload in JSON and its signature, readable by anyone, made only by us.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Longer texts are not even looked at. */
const MAX_TOKEN = 4096

/** `<base64url(JSON)>.<base64url(HMAC-SHA256 of the JSON)>`. */
export function signToken(payload: object, secret: string): string {
  const json = JSON.stringify(payload)
  return `${Buffer.from(json).toString('base64url')}.${macOf(json, secret).toString('base64url')}`
}

/**
 * The payload of a genuine token; undefined for anything else. The caller checks its fields and expiry.
 */
export function readToken(
  token: string,
  secret: string
): Readonly<Record<string, unknown>> | undefined {
  if (token.length > MAX_TOKEN) return undefined
  const [body = '', mac = '', ...more] = token.split('.')
  if (more.length > 0) return undefined
  const json = Buffer.from(body, 'base64url').toString()
  const given = Buffer.from(mac, 'base64url')
  const expected = macOf(json, secret)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  try {
    const payload: unknown = JSON.parse(json)
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? (payload as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

const macOf = (json: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(json).digest()
