// Pages for other admin UIs: their files for every origin, the API for configured origins.
import { acceptCrossOrigin, corsConfig, corsHook } from '@keelson/sdk'
import { type ShellFiles, sendMissing, sendRevalidated } from '@keelson/ui/server'
import type { FastifyInstance } from 'fastify'

/** Headers that the client of the pages sends. */
const ALLOWED_HEADERS = ['content-type', 'accept', 'idempotency-key', 'traceparent']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const EXPOSED_HEADERS = ['retry-after', 'x-next-cursor', 'x-request-id']

/**
 * Lets the origins call with credentials, except routes with their own policy. Call it before any route is
 * registered: Fastify gives hooks only to what comes after them. Without origins it does nothing.
 */
export function allowEmbedOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins.map((origin) => origin.replace(/\/+$/, '')))
  if (allowed.size === 0) return
  const policy = {
    origin: (origin: string) => allowed.has(origin),
    methods: METHODS,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    credentials: true
  }
  app.addHook('onRequest', corsHook(policy))
}

const EVERY_ORIGIN = corsConfig({ origin: '*', methods: ['GET', 'HEAD'] })

/** Serves `<address>/<plugin>/<page>.js` and the files beside it, to any origin. `app` is prepared for files. */
export function registerEmbeds(app: FastifyInstance, files: ShellFiles, address: string): void {
  acceptCrossOrigin(app)
  app.get(`${address}/:plugin/:file`, { config: EVERY_ORIGIN }, (request, reply) => {
    const { plugin, file } = request.params as { plugin: string; file: string }
    const path = files.embed(plugin, file)
    if (path === undefined) return sendMissing(reply)
    return sendRevalidated(reply.header('cross-origin-resource-policy', 'cross-origin'), path)
  })
}
