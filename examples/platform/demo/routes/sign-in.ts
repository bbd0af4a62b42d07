// POST /login, POST /logout, GET /session.
import type { Host } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Credentials, credentialsSchema, nextOf, personWith } from '../credentials.ts'
import type { Sessions } from '../sessions.ts'

const FORM = 'application/x-www-form-urlencoded'

export function signInRoutes(host: Host, sessions: Sessions, password: string): void {
  host.fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  host.route({
    method: 'POST',
    path: '/login',
    schema: { body: credentialsSchema },
    handler: async (request, reply) => {
      const person = personWith(request.body as Credentials, password)
      if (person === undefined) return reply.code(401).send({ error: 'invalid_credentials' })
      reply.header('set-cookie', await sessions.start(person, request.protocol === 'https'))
      return isForm(request) ? goOn(request, reply) : { viewer: person }
    }
  })
  host.route({
    method: 'POST',
    path: '/logout',
    handler: async (request, reply) => {
      reply.header('set-cookie', await sessions.end(request.headers.cookie))
      return isForm(request) ? reply.redirect('/login', 303) : reply.code(204).send()
    }
  })
  host.route({
    method: 'GET',
    path: '/session',
    handler: async (_request, reply, { viewer }) => {
      reply.header('cache-control', 'no-store')
      const { authTime: _authTime, ...shown } = viewer ?? {}
      return { viewer: shown }
    }
  })
}

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith(FORM) === true

function goOn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next =
    (request.body as { next?: unknown }).next ?? (request.query as { next?: unknown }).next
  return reply.redirect(nextOf(next), 303)
}
