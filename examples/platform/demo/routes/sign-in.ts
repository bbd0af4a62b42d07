// POST /login, POST /logout, GET /session.
import type { Host } from '@keelson/sdk'
import { ownPath } from '@keelson/sdk/own-path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountOf, type Credentials, credentialsSchema, personWith } from '../credentials.ts'
import type { Devices } from '../devices.ts'
import { createGuesses } from '../guesses.ts'
import { isOwnOrigin } from '../own-origin.ts'
import type { Sessions } from '../sessions.ts'

const FORM = 'application/x-www-form-urlencoded'

/** What is kept about sign-ins. */
export interface KeptSignIns {
  readonly sessions: Sessions
  readonly devices: Devices
}

export interface SignInOptions {
  readonly password: string
  /** The address that people see; empty: that of the request. */
  readonly publicUrl: string
}

export function signInRoutes(host: Host, kept: KeptSignIns, options: SignInOptions): void {
  const { password, publicUrl } = options
  const { sessions, devices } = kept
  const guesses = createGuesses(host)
  host.fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  host.route({
    method: 'POST',
    path: '/login',
    schema: { body: credentialsSchema },
    handler: async (request, reply) => {
      if (!isOwnOrigin(originOf(request), publicUrl)) {
        return reply.code(403).send({ error: 'bad_origin' })
      }
      const credentials = request.body as Credentials
      const account = accountOf(credentials)
      const { cookie: cookieHeader } = request.headers
      const device = await devices.knownFor(account, cookieHeader)
      const one = { account, ip: request.ip, device }
      const seconds = await guesses.take(one)
      if (seconds > 0) {
        reply.header('retry-after', String(seconds))
        return reply.code(429).send({ error: 'too_many_requests' })
      }
      const person = personWith(credentials, password)
      if (person === undefined) return reply.code(401).send({ error: 'invalid_credentials' })
      guesses.giveBack(one)
      const isSecure = request.protocol === 'https' || publicUrl.startsWith('https:')
      const browser = { cookieHeader, isSecure }
      reply.header('set-cookie', [
        await sessions.start(person, browser),
        await devices.remember(account, browser)
      ])
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
      const { authTime: _authTime, tenantName: _tenantName, ...shown } = viewer ?? {}
      return { viewer: shown }
    }
  })
}

const originOf = (request: FastifyRequest) => ({
  protocol: request.protocol,
  host: request.host,
  origin: request.headers.origin,
  site: request.headers['sec-fetch-site']?.toString()
})

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith(FORM) === true

function goOn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next =
    (request.body as { next?: unknown }).next ?? (request.query as { next?: unknown }).next
  return reply.redirect(ownPath(next) ?? '/', 303)
}
