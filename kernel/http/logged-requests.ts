// What the log says of a request: the pattern of its route in place of its address, which names people and secrets.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { changeField } from '../fastify-internals/pino-lines.ts'

/** What a route carries in its config whose requests are logged by its pattern. */
const PATTERN = Symbol('keelson.pattern')

/** For the config of a route: log its requests by this pattern. */
export const loggedAs = (pattern: string): object => ({ [PATTERN]: pattern })

/**
 * Has the request lines of a logger say patterns: parameters and queries hold addresses of people, tokens and
 * keys. Routes of the host stay as they are. `unmatched` says the pattern for an address of no route;
 * undefined: it is the host's. Returns what undoes it.
 */
export function logPatterns(
  log: FastifyBaseLogger,
  unmatched: (request: FastifyRequest) => string | undefined
): () => void {
  return changeField(log, 'req', (written, request) => {
    if (typeof written !== 'object' || written === null || !('url' in written)) return written
    const pattern = patternOf(request as FastifyRequest, unmatched)
    return pattern === undefined ? written : { ...written, url: pattern }
  })
}

function patternOf(
  request: FastifyRequest,
  unmatched: (request: FastifyRequest) => string | undefined
): string | undefined {
  // A plugin may log the request of Node, which knows no route.
  if (request.routeOptions === undefined) return undefined
  if (request.is404) return unmatched(request)
  return (request.routeOptions.config as { readonly [PATTERN]?: string })[PATTERN]
}
