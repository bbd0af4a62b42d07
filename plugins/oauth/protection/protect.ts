// protect(): a preHandler that admits only requests with an access token for this resource and these scopes.
import { butIs, sendRefusal } from '@keelson/sdk'
import type { OAuthAccess, Protection, ProtectOptions } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../config/settings.ts'
import { errors } from '../errors.ts'
import { oauthErrorBody } from '../http/answers.ts'
import { corsHeadersOf } from '../http/origins.ts'
import type { OAuthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { type ChallengeAbout, challengeOf, insufficientScope } from './challenge.ts'
import { checkAccess } from './check-access.ts'
import { createRefusalNotes } from './note-refusal.ts'
import { plainBearer, schemeOf } from './read-credentials.ts'

/** @throws OAU_PROTECT_INVALID for a resource or scope that is not configured, naming it. */
export function createProtection(
  scopes: readonly string[],
  options: ProtectOptions,
  services: Pick<Services, 'settings' | 'live' | 'dpop' | 'attempts'>
): Protection {
  const { settings } = services
  const resource = resourceOf(options, services)
  if (!Array.isArray(scopes)) {
    throw errors.OAU_PROTECT_INVALID({ problem: butIs('scopes that must be an array', scopes) })
  }
  for (const scope of scopes) {
    if (settings.scopes.has(scope)) continue
    throw errors.OAU_PROTECT_INVALID({ problem: `the unknown scope "${scope}"` })
  }
  const { metadataUrl } = resource
  const missingScopes = options.challengeScopes?.filter((scope) => !resource.scopes.has(scope))
  const challengeScopes = options.challengeScopes?.filter((scope) => resource.scopes.has(scope))
  const origins = originsOf(resource, settings.issuerOrigin)
  const asked = challengeScopes ?? (scopes.length > 0 ? scopes : resource.listedScopes)
  const mode = options.mode ?? 'all'
  const allowOrigin = corsHeadersOf(settings)
  const about = ({ headers }: FastifyRequest, needed = asked): ChallengeAbout => ({
    metadataUrl,
    scopes: needed,
    scheme: schemeOf(headers.authorization) ?? 'Bearer'
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: OAuthError) => {
    allowOrigin(request, reply)
    return sendChallenge(reply, error)
  }
  const refuseDead = (request: FastifyRequest, reply: FastifyReply, description: string) =>
    refuse(request, reply, challengeOf({ kind: 'dead', description }, about(request)))
  const note = createRefusalNotes(resource.id, services)
  const inFull: Protection = async (request, reply) => {
    const access = await checkAccess(request, origins, services)
    if (access.kind !== 'live') {
      // A client without a token begins to sign in: no error.
      if (access.kind !== 'none') note(request, access.description)
      return refuse(request, reply, challengeOf(access, about(request)))
    }
    if (!access.token.audience.includes(resource.id)) {
      note(request, FOREIGN, access.token)
      return refuseDead(request, reply, FOREIGN)
    }
    const more = options.scopesOf?.(request) ?? []
    const held = access.token.scopes
    if (!hasScopes(held, scopes, mode) || !hasScopes(held, more, 'all')) {
      const needed = [...new Set([...scopes, ...more])]
      note(request, `The access token lacks a scope of ${needed.join(' ')}.`, access.token)
      return refuse(request, reply, insufficientScope(about(request, needed)))
    }
    letIn(request, access.token)
    return undefined
  }

  const { headers } = challengeOf({ kind: 'none' }, { metadataUrl, scopes: asked })
  const more = {
    challenge: headers['www-authenticate'] ?? 'Bearer',
    ...(missingScopes !== undefined && { missingScopes }),
    refuseGone: (request: FastifyRequest, reply: FastifyReply) =>
      refuseDead(request, reply, 'The person who granted the access is gone.')
  }
  if (options.scopesOf !== undefined) return Object.assign(inFull, more)
  const protection: Protection = (request, reply) => {
    // A cached token that suffices is admitted synchronously; everything else is checked in full.
    const value = plainBearer(request.headers.authorization)
    const token = value === undefined ? undefined : services.live.remembered(value)
    const isLetIn =
      token !== undefined &&
      token.jkt === undefined &&
      token.audience.includes(resource.id) &&
      hasScopes(token.scopes, scopes, mode)
    if (!isLetIn) return inFull(request, reply)
    letIn(request, token)
    return LET_IN
  }
  return Object.assign(protection, more)
}

/** In the shape of RFC 6750, whatever the schemas of the route say of its own answers. */
const sendChallenge = (reply: FastifyReply, error: OAuthError): FastifyReply =>
  sendRefusal(reply, {
    status: error.status,
    body: oauthErrorBody(error),
    headers: { ...error.headers, 'cache-control': 'no-store' }
  })

const FOREIGN = 'The access token is for another resource.'
const LET_IN = Promise.resolve()

function letIn(request: FastifyRequest, token: OAuthToken): void {
  ;(request as FastifyRequest & { oauth?: OAuthAccess }).oauth = oauthAccess(token)
}

function resourceOf(
  { resource: id, path }: ProtectOptions,
  { settings }: Pick<Services, 'settings'>
): Resource {
  if (id === undefined) {
    return (
      (path === undefined ? undefined : resourceAbove(path, settings)) ?? settings.firstResource
    )
  }
  const resource = id.startsWith('/') ? resourceAbove(id, settings) : settings.findResource(id)
  if (resource !== undefined) return resource
  throw errors.OAU_PROTECT_INVALID({ problem: `the unknown resource "${id}"` })
}

/** The resource of the issuer's origin that a path is below; of several, the one with the longest path. */
function resourceAbove(
  path: string,
  { resources, issuerOrigin }: Services['settings']
): Resource | undefined {
  const above = [...resources.values()].filter(({ id }) => {
    const own = id.startsWith(`${issuerOrigin}/`) ? id.slice(issuerOrigin.length) : undefined
    return own !== undefined && (path === own || path.startsWith(`${own.replace(/\/$/, '')}/`))
  })
  return above.sort((one, other) => other.id.length - one.id.length)[0]
}

/** A resource may be reached under its own origin and under the issuer's. */
function originsOf({ id }: Resource, issuerOrigin: string): readonly string[] {
  const { origin } = new URL(id)
  return origin === 'null' ? [issuerOrigin] : [...new Set([origin, issuerOrigin])]
}

function hasScopes(
  held: readonly string[],
  needed: readonly string[],
  mode: 'all' | 'any'
): boolean {
  if (needed.length === 0) return true
  const has = (scope: string) => held.includes(scope)
  return mode === 'all' ? needed.every(has) : needed.some(has)
}

const oauthAccess = (token: OAuthToken): OAuthAccess => ({
  userId: token.userId,
  clientId: token.clientId,
  contextId: token.contextId,
  scopes: token.scopes,
  grantId: token.grantId,
  tokenId: token._id,
  audience: token.audience
})
