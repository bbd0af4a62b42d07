// Pages for other admin UIs: their files for everyone, the API for the origins that are named.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShellFiles } from './files.ts'
import type { ShellPage } from './page.ts'
import { REVALIDATED, sendFile } from './send-file.ts'

/** What a page may send beside the plain headers. */
const ALLOWED_HEADERS = 'content-type, accept, idempotency-key, traceparent'
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED_HEADERS = 'retry-after, x-next-cursor, x-request-id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets the named origins call with credentials. Call it before any route is registered: Fastify
 * gives hooks only to what comes after them. Without origins it does nothing.
 */
export function allowEmbedOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins.map((origin) => origin.replace(/\/+$/, '')))
  if (allowed.size === 0) return
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin) || request.url.startsWith('/embed/')) {
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

export interface EmbedRoutesOptions {
  readonly files: ShellFiles
  pages(): readonly ShellPage[]
}

/** Serves `/embed/<plugin>/<page>.js` and the files beside it, to any origin. */
export function registerEmbeds(app: FastifyInstance, options: EmbedRoutesOptions): void {
  app.get('/embed/:plugin/:file', (request, reply) => {
    const { plugin, file: name } = request.params as { plugin: string; file: string }
    const page = options
      .pages()
      .find(
        (candidate) => candidate.plugin === plugin && candidate.embed && belongs(candidate, name)
      )
    const file = page === undefined ? undefined : options.files.embed(page, name)
    if (file === undefined) return notFound(reply)
    return sendEmbed(request, reply, file)
  })
}

const belongs = ({ id }: ShellPage, name: string): boolean =>
  name === `${id}.js` || name.startsWith(`${id}-`)

function sendEmbed(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Parameters<typeof sendFile>[2]
): FastifyReply {
  reply.headers({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin'
  })
  return sendFile(request, reply, file, REVALIDATED)
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('access-control-allow-origin', '*').send({ error: 'not_found' })
}
