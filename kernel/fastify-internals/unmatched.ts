// Reaches into Fastify: a hook for the requests alone that no route matches.
import type { FastifyInstance, preParsingHookHandler } from 'fastify'

/** Names of Fastify's own symbols (lib/symbols.js). */
const CHILDREN = 'fastify.children'
const NOT_FOUND = 'fastify.404ContextKey'

interface NotFoundContext {
  preParsing: preParsingHookHandler[] | null
}

/**
 * Runs `hook` before the body of a request without a route is parsed, whatever scope's not-found
 * handler is to answer it. A hook of Fastify's own would run for every request, and cost a small
 * route some percent of its speed (test/bench/what-does-the-kernel-cost-a-route).
 */
export function onUnmatched(app: FastifyInstance, hook: preParsingHookHandler): void {
  const [children, notFound] = [symbolOf(app, CHILDREN), symbolOf(app, NOT_FOUND)]
  if (children === undefined || notFound === undefined) {
    app.addHook('preParsing', function (request, reply, payload, done) {
      if (request.is404) hook.call(this, request, reply, payload, done)
      else done()
    })
    return
  }
  // Fastify sets the hooks of all contexts before it calls `onReady`.
  app.addHook('onReady', async () => {
    for (const context of notFoundContexts(app, children, notFound)) {
      context.preParsing = [hook, ...(context.preParsing ?? [])]
    }
  })
}

/** One for each not-found handler; scopes without one of their own share that of their parent. */
function notFoundContexts(app: object, children: symbol, notFound: symbol): Set<NotFoundContext> {
  const contexts = new Set<NotFoundContext>()
  const waiting = [app]
  for (const scope of waiting) {
    const inside = scope as Record<symbol, unknown>
    contexts.add(inside[notFound] as NotFoundContext)
    waiting.push(...(inside[children] as object[]))
  }
  return contexts
}

function symbolOf(app: FastifyInstance, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(app).find((symbol) => symbol.description === description)
}
