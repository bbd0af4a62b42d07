// Pages for other admin UIs: their files for everyone, the API for the origins that are named.
import { type ShellFiles, sendMissing, sendRevalidated } from '@keelson/ui/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What a page may send beside the plain headers. */
const ALLOWED_HEADERS = 'content-type, accept, idempotency-key, traceparent'
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED_HEADERS = 'retry-after, x-next-cursor, x-request-id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets the named origins call with credentials. Call it before any route is registered: Fastify
 * gives hooks only to what comes after them. Without origins it does nothing.
 */
export function allowEmbedOrigins(
  app: FastifyInstance,
  origins: readonly string[],
  embed?: string
): void {
  const allowed = new Set(origins.map((origin) => origin.replace(/\/+$/, '')))
  if (allowed.size === 0) return
  // Those files are for every origin.
  const isEmbed = ({ url }: FastifyRequest) => embed !== undefined && url.startsWith(`${embed}/`)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin) || isEmbed(request)) {
      done()
      return
    }
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'origin'
    })
    const isPreflight =
      request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
    if (!isPreflight) {
      done()
      return
    }
    reply.headers({
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS
    })
    reply.code(204).send()
  })
}

/** Serves `<address>/<plugin>/<page>.js` and the files beside it, to any origin. `app` is prepared for files. */
export function registerEmbeds(app: FastifyInstance, files: ShellFiles, address: string): void {
  app.get(`${address}/:plugin/:file`, (request, reply) => {
    const { plugin, file } = request.params as { plugin: string; file: string }
    const path = files.embed(plugin, file)
    reply.header('access-control-allow-origin', '*')
    if (path === undefined) return sendMissing(reply)
    return sendRevalidated(reply.header('cross-origin-resource-policy', 'cross-origin'), path)
  })
}
