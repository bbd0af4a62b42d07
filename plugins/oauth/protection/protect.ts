// protect(): a preHandler that admits only requests with an access token for this resource and these scopes.
import {
  admit,
  type ChallengeAbout,
  challengeOf,
  hasScopes,
  type Needed,
  plainBearer,
  type Refusal,
  refusalBody,
  schemeOf
} from '@keelson/protect/rules'
import { butIs, sendRefusal } from '@keelson/sdk'
import {
  accessOf,
  type OAuthAccess,
  type Protection,
  type ProtectOptions
} from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSiteOf } from '../clients/redirect-uris.ts'
import type { Resource } from '../config/settings.ts'
import { errors } from '../errors.ts'
import { corsHeadersOf } from '../http/origins.ts'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { checksOf, tokenRequest } from './check-token.ts'
import { createRefusalNotes } from './note-refusal.ts'

/** @throws OAU_PROTECT_INVALID for a resource or scope that is not configured, naming it. */
export function createProtection(
  scopes: readonly string[],
  options: ProtectOptions,
  services: Pick<Services, 'settings' | 'live' | 'dpop' | 'attempts' | 'collections'>
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
  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => {
    allowOrigin(request, reply)
    return sendChallenge(reply, refusal)
  }
  const note = createRefusalNotes(resource.id, services)
  const needed: Needed<OAuthToken> = {
    ...checksOf(services),
    resource: resource.id,
    metadataUrl,
    origins,
    scopes,
    mode,
    asked
  }
  const { scopesOf } = options
  const inFull: Protection = async (request, reply) => {
    const own = scopesOf === undefined ? needed : { ...needed, more: () => scopesOf(request) }
    const decision = await admit(tokenRequest(request), own)
    if (decision.kind === 'admitted') {
      letIn(request, decision.token)
      return undefined
    }
    // A client without a token begins to sign in: no error.
    if (!decision.isFirstCall) note(request, decision.sentence, decision.token)
    return refuse(request, reply, decision.refusal)
  }
  const refuseDead = (request: FastifyRequest, reply: FastifyReply, description: string) => {
    const scheme = schemeOf(request.headers.authorization) ?? 'Bearer'
    const about: ChallengeAbout = { metadataUrl, scopes: asked, scheme }
    return refuse(request, reply, challengeOf({ kind: 'dead', description }, about))
  }

  const { headers } = challengeOf({ kind: 'none' }, { metadataUrl, scopes: asked })
  const more = {
    challenge: headers['www-authenticate'] ?? 'Bearer',
    ...(missingScopes !== undefined && { missingScopes }),
    refuseGone: (request: FastifyRequest, reply: FastifyReply) =>
      refuseDead(request, reply, 'The person who granted the access is gone.'),
    isSiteOfClient: siteCheck(services)
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
const sendChallenge = (reply: FastifyReply, refusal: Refusal): FastifyReply =>
  sendRefusal(reply, {
    status: refusal.status,
    body: refusalBody(refusal),
    headers: { ...refusal.headers, 'cache-control': 'no-store' }
  })

const siteCheck =
  ({ collections: { clients } }: Pick<Services, 'collections'>) =>
  async (request: FastifyRequest, origin: string): Promise<boolean> => {
    const clientId = accessOf(request)?.clientId
    if (clientId === undefined) return false
    const found = await clients.findOne({ clientId }, { projection: { _id: 0, redirectUris: 1 } })
    return found !== null && isSiteOf(found.redirectUris, origin)
  }

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

const oauthAccess = (token: OAuthToken): OAuthAccess => ({
  userId: token.userId,
  clientId: token.clientId,
  contextId: token.contextId,
  scopes: token.scopes,
  grantId: token.grantId,
  tokenId: token._id,
  audience: token.audience
})
