// The cookie that tells browsers apart: consent is given in the browser that asked for it.
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { hashOf, isHandle, newHandle } from '../crypto/handles.ts'

// Only the functions of the package are used, nothing is registered: a host may have registered
// @fastify/cookie before or after these routes, with another secret or parser.
const { parse, serialize } = fastifyCookie

const COOKIE = 'oauth_browser'

/** SHA-256 of the browser's cookie; undefined without a cookie. */
export function browserOf(request: FastifyRequest): string | undefined {
  const value = browserCookie(request)
  return value === undefined ? undefined : hashOf(value)
}

function browserCookie(request: FastifyRequest): string | undefined {
  const value = parse(request.headers.cookie ?? '')[COOKIE]
  return value !== undefined && isHandle(value) ? value : undefined
}

/** Sends the browser a cookie if it has none. Returns the SHA-256 of the cookie. */
export function markBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  { base }: Pick<Settings, 'base'>
): string {
  const known = browserCookie(request)
  if (known !== undefined) return hashOf(known)
  const value = newHandle()
  const { protocol, pathname: path } = new URL(base)
  const secure = protocol === 'https:'
  reply.header(
    'set-cookie',
    serialize(COOKIE, value, { path, httpOnly: true, sameSite: 'lax', secure })
  )
  return hashOf(value)
}
