// `/.well-known/*`: the discovery documents at every address that clients try.
import type { RouteHandler, RouteOptions } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { sendError } from '../http/answers.ts'
import { corsPolicy } from '../http/origins.ts'
import { oauthError } from '../oauth-errors.ts'
import { resourceDocument, serverDocument } from '../routes/protocol-schemas.ts'
import type { RouteSchema } from '../routes/route.ts'
import { resourceAt, resourceMetadata, serverMetadata } from './documents.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'
const RESOURCE = '/.well-known/oauth-protected-resource'

/** Seconds that documents may be kept by clients. */
const FRESH_SECONDS = 300

/** The pattern for an issuer with a path, for a server that must declare its routes before it knows the issuer. */
export const APPENDED_PATTERN = `/:issuer${OPENID}`

/**
 * Paths are absolute: these routes cannot be mounted elsewhere. `appendedAt`: where the place before the
 * well-known part is served, for an issuer with a path; default: at that path alone.
 */
export function discoveryRoutes(
  settings: Settings,
  { appendedAt }: { readonly appendedAt?: string } = {}
): readonly RouteOptions[] {
  const metadata = serverMetadata(settings)
  const appended = `${settings.issuerPath}${OPENID}`
  const cors = corsPolicy(settings, ['GET'])
  const answer = (reply: FastifyReply, document: object | undefined) => {
    if (document === undefined) {
      return sendError(reply, oauthError('metadataNotFound'))
    }
    return reply.header('cache-control', `public, max-age=${FRESH_SECONDS}`).send(document)
  }
  const server: RouteHandler = async (request, reply) => {
    const suffix = suffixOf(request, [SERVER, OPENID])
    const isRight = suffix === '' || suffix === settings.issuerPath
    return answer(reply, isRight ? metadata : undefined)
  }
  const resource: RouteHandler = async (request, reply) => {
    const suffix = suffixOf(request, [RESOURCE])
    const found = resourceAt(suffix, request.host, settings)
    return answer(reply, found && resourceMetadata(found, settings))
  }
  const atIssuer: RouteHandler = async (request, reply) =>
    answer(reply, pathOf(request) === appended ? metadata : undefined)
  const places: (readonly [string, RouteHandler, RouteSchema])[] = [
    [SERVER, server, serverDocument],
    [`${SERVER}/*`, server, serverDocument],
    [OPENID, server, serverDocument],
    [`${OPENID}/*`, server, serverDocument],
    [RESOURCE, resource, resourceDocument],
    [`${RESOURCE}/*`, resource, resourceDocument]
  ]
  if (appendedAt !== undefined) places.push([appendedAt, atIssuer, serverDocument])
  else if (settings.issuerPath !== '') places.push([appended, atIssuer, serverDocument])
  return places.map(([path, handler, schema]) => ({
    method: 'GET',
    path,
    schema,
    ...(cors && { cors }),
    handler
  }))
}

const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? request.url).split('?', 1)[0] ?? ''

/** What follows the well-known part, without a slash at its end. */
function suffixOf(request: FastifyRequest, prefixes: readonly string[]): string {
  const [path = '', query] = (request.raw.url ?? request.url).split('?', 2)
  const prefix = prefixes.find((one) => path.startsWith(one)) ?? ''
  const suffix = path.slice(prefix.length).replace(/\/$/, '')
  return query === undefined || suffix === '' ? suffix : `${suffix}?${query}`
}
