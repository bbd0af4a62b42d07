// Tokens of embeds: how a request carries one, and which routes it opens. Pure.
import type { ManifestRoute } from '@keelson/sdk'
import { EMBED_TOKEN_PREFIX, type EmbedGrant } from '@keelson/sdk/contracts/embed-grants'
import type { FastifyRequest } from 'fastify'

const BEARER = 'bearer '

/** The token of an embed that a request carries; undefined for every other credential. */
export function embedTokenOf({ headers }: FastifyRequest): string | undefined {
  const { authorization } = headers
  if (authorization?.startsWith(EMBED_TOKEN_PREFIX, BEARER.length) !== true) return undefined
  if (authorization.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined
  return authorization.slice(BEARER.length)
}

type Route = Pick<ManifestRoute, 'id' | 'method' | 'path' | 'at' | 'auth' | 'effect' | 'scopes'>

/**
 * Whether a grant opens a route: an operation of its page, for viewers, that reads, under its scope. One whose
 * parameters are fixed opens none where a body or the path says what to read.
 */
export function opensRoute(
  { operations, scope, viewer, varies }: EmbedGrant,
  { id, method, path, at, auth, effect, scopes = [] }: Route
): boolean {
  if (varies !== undefined && (method !== 'GET' || (at ?? path)?.includes(':') === true))
    return false
  if (auth !== 'viewer' || effect !== 'read' || viewer.tenantId === '*') return false
  return id !== undefined && operations.includes(id) && scopes.includes(scope)
}

/** Whether a request asks for what was shared: beside what may vary, exactly the parameters of the grant. */
export function asksWhatIsShared({ varies, query = {} }: EmbedGrant, asked: unknown): boolean {
  if (varies === undefined) return true
  const given = Object.entries((asked ?? {}) as Readonly<Record<string, unknown>>).filter(
    ([name]) => !varies.includes(name)
  )
  // A parameter that is given twice is a list, which equals no text.
  const isRight = given.every(
    ([name, value]) => Object.hasOwn(query, name) && query[name] === value
  )
  return isRight && given.length === Object.keys(query).length
}
