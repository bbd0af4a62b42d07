// Routes that the host registered before the kernel: counted, timed and recorded like all others.
import type { FastifyInstance } from 'fastify'
import type { Measuring, RouteMeter } from '../http/measure.ts'
import { METER } from './watch.ts'

/** What `printRoutes` says of an app that has no route. */
const NO_ROUTES = '(empty tree)'

/**
 * Measures them by a hook, because the `onRoute` hook sees only what comes after it. Fastify gives the
 * hook to every route, also in scopes that are there already; an app without earlier routes gets none.
 */
export function measureEarlierRoutes(app: FastifyInstance, measuring: Measuring): void {
  if (app.printRoutes() === NO_ROUTES) return
  const meters = new Map<string, RouteMeter>()
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const isLater = METER in (config ?? {})
    if (!isLater && url !== undefined) {
      const key = `${request.method} ${url}`
      let meter = meters.get(key)
      if (meter === undefined) {
        meter = measuring.meter({
          plugin: 'host',
          method: request.method,
          route: url,
          isQuiet: false
        })
        meters.set(key, meter)
      }
      meter.begin(request, reply)
    }
    done()
  })
}
