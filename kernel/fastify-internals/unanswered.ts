// Whether a request for an unknown address would get Fastify's own answer, because the host has set none.
import type { FastifyRequest } from 'fastify'

/** The name of Fastify's own handler (lib/four-oh-four.js); a handler that a host sets is bound. */
const FASTIFYS_OWN = 'basic404'

/** True when no matching route and no not-found handler of the host will answer the request. */
export function isUnanswered(request: FastifyRequest): boolean {
  const { handler } = request.routeOptions as { readonly handler?: { readonly name: string } }
  return request.is404 && handler?.name === FASTIFYS_OWN
}
