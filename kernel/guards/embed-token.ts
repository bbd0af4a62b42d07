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

/** Whether a grant opens a route: an operation of its page, for viewers, that reads, under its scope. */
export function opensRoute(
  { operations, scope, viewer }: EmbedGrant,
  { id, auth, effect, scopes = [] }: Pick<ManifestRoute, 'id' | 'auth' | 'effect' | 'scopes'>
): boolean {
  if (auth !== 'viewer' || effect !== 'read' || viewer.tenantId === '*') return false
  return id !== undefined && operations.includes(id) && scopes.includes(scope)
}
