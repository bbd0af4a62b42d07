// Sees every route as it is registered: declared or not, then guarded and measured.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions
} from 'fastify'
import { errors } from '../errors/errors.ts'
import { answers } from '../http/answers.ts'
import type { Measuring, RouteMeter } from '../http/measure.ts'
import { routeKey } from '../platform/addresses.ts'
import { BEARER_CAPABILITY } from '../platform/agreement.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import type { Capabilities } from '../plugin-lifecycle/capabilities.ts'
import type { Role } from '../role.ts'
import { createGuard, type Guard, type GuardOptions } from './bands.ts'
import type { OriginRule } from './origin.ts'
import { KERNEL_OWNER, ownerOf, type RouteOwner } from './owner.ts'

export interface WatchOptions extends Pick<GuardOptions, 'viewers' | 'clock'> {
  /** Known after the validate phase, before any route of a plugin is registered. */
  originRule(): OriginRule
  readonly measuring: Measuring
  readonly capabilities: Capabilities
  readonly role: Role
}

/** What a watched route carries in its config, for the error handler. */
export const METER = Symbol('keelson.meter')

/** Addresses that make no request spans, and that a worker serves too. */
export const operationAddresses = new Set([
  '/health/live',
  '/health/ready',
  '/health/plugins',
  '/metrics'
])

/** Watches all routes that are registered on `app` from now on. */
export function watchRoutes(app: FastifyInstance, options: WatchOptions): void {
  const guards = createGuardBook(options)
  app.addHook('onRoute', function (this: FastifyInstance, route) {
    const owner = ownerOf(this)
    const methods = [route.method].flat()
    const plugin = owner === undefined ? 'host' : owner === KERNEL_OWNER ? owner : owner.plugin
    const meter = options.measuring.meter({
      plugin,
      method: methods.join(','),
      route: route.url,
      isQuiet: operationAddresses.has(route.url)
    })
    route.config = { ...route.config, [METER]: meter } as NonNullable<RouteOptions['config']>
    if (options.role === 'worker' && owner !== undefined && !operationAddresses.has(route.url)) {
      if (owner !== KERNEL_OWNER) for (const method of methods) expect(owner, method, route.url)
      prepend(route, (_request, reply) => answers.notFound(reply))
    } else if (owner === undefined || owner === KERNEL_OWNER) {
      route.handler = metered(meter, route.handler)
    } else {
      guardRoute(route, owner, methods, meter, guards)
    }
  })
}

/** Meters for routes that no `onRoute` hook sees: errors before the handler, unknown addresses. */
export function beginMeter(request: FastifyRequest, reply: FastifyReply): void {
  const config = request.routeOptions.config as { [METER]?: RouteMeter }
  config[METER]?.begin(request, reply)
}

/** Counts and times a handler that has no guard before it. */
export function metered(meter: RouteMeter, handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    meter.begin(request, reply)
    return handler.call(this, request, reply)
  }
}

/** The declared route of a registered one. A HEAD that goes with a GET is the GET's. */
function expect(owner: RouteOwner, method: string, url: string): PlannedRoute {
  const key = routeKey(method, url)
  const declared =
    owner.declared.get(key) ??
    (method === 'HEAD' ? owner.declared.get(routeKey('GET', url)) : undefined)
  if (declared === undefined) {
    throw errors.KRN_ROUTE_UNDECLARED({ plugin: owner.plugin, path: 'routes', route: key })
  }
  owner.registered.add(key)
  return declared
}

type GuardBook = (
  owner: RouteOwner,
  planned: PlannedRoute,
  route: RouteOptions
) => Guard | undefined

/** One guard per declared route, so that a GET and its HEAD share a rate limit. */
function createGuardBook(options: WatchOptions): GuardBook {
  const made = new Map<PlannedRoute, Guard | undefined>()
  const { viewers, originRule, clock, capabilities } = options
  return (owner, planned, route) => {
    if (made.has(planned)) return made.get(planned)
    const verify = verifierOf(owner, planned, route)
    const protect = protectionOf(owner, planned, capabilities)
    const declared = planned.declared
    const rule = originRule()
    const guard = createGuard({
      route: declared,
      viewers,
      originRule: rule,
      clock,
      verify,
      protect
    })
    made.set(planned, guard)
    return guard
  }
}

/** From host.route, or from the `verify` of the config of a route made on host.fastify. */
function verifierOf(owner: RouteOwner, { key, declared }: PlannedRoute, route: RouteOptions) {
  if (declared.auth !== 'machine') return undefined
  const { verify } = (route.config ?? {}) as { verify?: (request: FastifyRequest) => unknown }
  const found = owner.verifiers.get(key) ?? verify
  if (typeof found !== 'function') {
    throw errors.KRN_ROUTE_VERIFY({ plugin: owner.plugin, path: 'routes', route: key })
  }
  return found
}

function protectionOf(owner: RouteOwner, { declared }: PlannedRoute, capabilities: Capabilities) {
  if (declared.auth !== 'bearer') return undefined
  let protection: unknown
  owner.arm.push(() => {
    const protect = capabilities.value(BEARER_CAPABILITY)
    if (typeof protect === 'function') protection = protect(declared.scopes ?? [])
  })
  return () => protection
}

function guardRoute(
  route: RouteOptions,
  owner: RouteOwner,
  methods: readonly string[],
  meter: RouteMeter,
  guards: GuardBook
): void {
  const planned = methods.map((method) => [method, expect(owner, method, route.url)] as const)
  const [first] = planned
  if (first === undefined) return
  const isMixed = planned.length > 1
  const byMethod = new Map(planned.map(([method, each]) => [method, guards(owner, each, route)]))
  const guard: Guard | undefined = isMixed
    ? (request, reply, done) => {
        const own = byMethod.get(request.method)
        if (own === undefined) done()
        else own(request, reply, done)
      }
    : byMethod.get(first[0])
  const bodyLimits = planned.flatMap(([, { declared }]) => declared.bodyLimit ?? [])
  if (bodyLimits.length > 0) route.bodyLimit = Math.min(...bodyLimits)
  const refusesMultipart = !planned.some(([, { declared }]) => declared.multipart === true)
  const hasBody = methods.some((method) => method !== 'GET' && method !== 'HEAD')
  if (guard === undefined && !hasBody) {
    route.handler = unguarded(owner, meter, route.handler)
    return
  }
  prepend(route, (request, reply, done) => {
    meter.begin(request, reply)
    if (owner.standing.downReason !== undefined) sendUnavailable(owner, reply)
    else if (refusesMultipart && isMultipart(request)) answers.noMultipart(reply)
    else if (guard === undefined) done()
    else guard(request, reply, done)
  })
}

/** The cheapest way for a route that needs no guard: no hook, one comparison. */
function unguarded(
  owner: RouteOwner,
  meter: RouteMeter,
  handler: RouteHandlerMethod
): RouteHandlerMethod {
  return function (request, reply) {
    meter.begin(request, reply)
    if (owner.standing.downReason !== undefined) return sendUnavailable(owner, reply)
    return handler.call(this, request, reply)
  }
}

function sendUnavailable({ plugin, standing }: RouteOwner, reply: FastifyReply): FastifyReply {
  return answers.unavailable(reply, plugin, standing.downReason ?? '')
}

function isMultipart(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('multipart/') === true
}

function prepend(route: RouteOptions, guard: Guard): void {
  route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
}
