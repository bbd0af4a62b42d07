// Sees every route as it is registered: declared or not, then guarded and measured.
import {
  isAddedPreflight,
  isPreflight,
  type Operation,
  type OriginRule,
  operationOf
} from '@keelson/sdk'
import { embedsGrants } from '@keelson/sdk/contracts/embed-grants'
import { oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteHandlerMethod,
  RouteOptions
} from 'fastify'
import { errors } from '../errors/errors.ts'
import { answers } from '../http/answers.ts'
import { loggedAs } from '../http/logged-requests.ts'
import type { Measuring, RouteMeter } from '../http/measure.ts'
import {
  declaredOperation,
  declaredRoute,
  isWildcard,
  KERNEL_OWNER,
  ownerOf,
  type RouteOwner
} from '../http/owner.ts'
import { markPersonal } from '../http/personal-answers.ts'
import { shareSerializers } from '../http/serializers.ts'
import { routeKey } from '../platform/addresses.ts'
import type { Capabilities } from '../platform/capabilities.ts'
import { isOperation } from '../platform/kernel-addresses.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import type { Role } from '../role.ts'
import { admissionOf, type PermissionBook } from './admission.ts'
import { createGuard, createLateGuard, type Guard, type GuardOptions } from './bands.ts'
import { type ClaimOptions, createClaims } from './clash.ts'
import type { PlatformLimits } from './limits.ts'
import { protectionOf } from './protection.ts'

export interface WatchOptions extends Pick<GuardOptions, 'viewers'>, ClaimOptions {
  /** Known after the plan phase. */
  limits(): PlatformLimits
  /** Known after the validate phase, before any route of a plugin is registered. */
  originRule(): OriginRule
  readonly measuring: Measuring
  readonly capabilities: Capabilities
  readonly permissions: PermissionBook
  readonly role: Role
  /** Whether viewers are asked for after the hooks of the host that run before the validation. */
  asksLate(): boolean
}

/** What a watched route carries in its config, for the error handler. */
export const METER = Symbol('keelson.meter')

/** What a route carries in its config that a worker does not serve. */
const UNSERVED = Symbol('keelson.unserved')

/** Answers 404 for what a worker does not serve, before any hook of a plugin sees the request. */
export function hideUnserved(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    const config = request.routeOptions.config as { [UNSERVED]?: true }
    if (config[UNSERVED] === true) return answers.notFound(reply)
  })
}

/** What a document of the host may leave routes of the platform out by. */
const PLATFORM_TAG = 'keelson'

function tagOfPlatform(route: RouteOptions): void {
  const { tags = [] } = (route.schema ?? {}) as { readonly tags?: readonly string[] }
  route.schema = { ...route.schema, tags: [...tags, PLATFORM_TAG] } as FastifySchema
}

/** Watches all routes that are registered on `app` from now on. */
export function watchRoutes(app: FastifyInstance, options: WatchOptions): void {
  const guards = createGuardBook(options)
  const claims = createClaims(app, options)
  app.addHook('onRoute', function (this: FastifyInstance, route) {
    claims.claim(this, route)
    const owner = ownerOf(this)
    if (owner !== undefined) {
      shareSerializers(this, route)
      tagOfPlatform(route)
    }
    const methods = [route.method].flat()
    const plugin = owner === undefined ? 'host' : owner === KERNEL_OWNER ? owner : owner.plugin
    const meter = options.measuring.meter({
      plugin,
      method: methods.join(','),
      route: route.url,
      isQuiet: isOperation(options.addresses(), route.url)
    })
    const carry = (more: object) => {
      route.config = { ...route.config, ...more } as NonNullable<RouteOptions['config']>
    }
    carry({ [METER]: meter, ...(owner !== undefined && loggedAs(route.url)) })
    const isUndeclared =
      owner === undefined || owner === KERNEL_OWNER || isPreflightOf(owner, route)
    if (
      options.role === 'worker' &&
      owner !== undefined &&
      !isOperation(options.addresses(), route.url)
    ) {
      if (!isUndeclared) for (const method of methods) expect(owner, method, route)
      carry({ [UNSERVED]: true })
    } else if (isUndeclared) {
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
function metered(meter: RouteMeter, handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    meter.begin(request, reply)
    return handler.call(this, request, reply)
  }
}

/** The declared route of a registered one. */
function expect(owner: RouteOwner, method: string, { url, config }: RouteOptions): PlannedRoute {
  const key = routeKey(method, url)
  const operation = operationOf(config)
  const planned =
    (operation && declaredOperation(owner.declared, operation.id)) ??
    declaredRoute(owner.declared, method, url)
  if (planned === undefined) {
    throw errors.KRN_ROUTE_UNDECLARED({ plugin: owner.plugin, path: 'routes', route: key })
  }
  // Below a wildcard it is a mirror, which the owner of the wildcard guards.
  if (operation !== undefined && !isWildcard(planned) && !isDeclaredAs(planned, operation, key)) {
    const { plugin } = owner
    const path = 'routes'
    throw errors.KRN_OPERATION_ENTRY({ plugin, path, operation: operation.id, route: key })
  }
  owner.registered.add(key)
  if (method !== 'HEAD') owner.registered.add(planned.key)
  return planned
}

/** A long last parameter is a wildcard to Fastify. */
function isDeclaredAs(
  { key: declaredKey, declared }: PlannedRoute,
  { id, longParam }: Operation<never>,
  key: string
): boolean {
  const form = longParam === true ? declaredKey.replace(/\/:[A-Za-z]+$/, '/*') : declaredKey
  return declared.id === id && (form === key || key.startsWith('HEAD '))
}

/** Preflights are not declared: they belong to the declared routes of their address. */
function isPreflightOf({ declared }: RouteOwner, route: RouteOptions): boolean {
  if (isAddedPreflight(route)) return true
  if (!isPreflight(route)) return false
  const address = routeKey('', route.url)
  return [...declared.keys()].some((key) => key.endsWith(address))
}

/** What is run before the handler of a declared route. */
interface Guards {
  readonly early: Guard | undefined
  /** Once the body was parsed. */
  readonly late: Guard | undefined
}

type GuardBook = (owner: RouteOwner, planned: PlannedRoute, route: RouteOptions) => Guards

/** The guards of each declared route, made once, so that a GET and its HEAD share a rate limit. */
function createGuardBook(options: WatchOptions): GuardBook {
  const made = new Map<string, Guards>()
  const { viewers, originRule, limits, capabilities } = options
  return (owner, planned, route) => {
    // Below a machine wildcard each route brings its own verifier.
    const isOwn = isWildcard(planned) && planned.declared.auth === 'machine'
    const place = isOwn ? `${planned.key} ${route.url}` : planned.key
    const known = made.get(place)
    if (known !== undefined) return known
    const protection = protectionOf(owner, planned, route, capabilities)
    const given: GuardOptions = {
      route: planned.declared,
      key: planned.key,
      viewers,
      originRule: originRule(),
      limits: limits(),
      verify: verifierOf(owner, planned, route),
      protect: protection?.protect,
      viewerOf: async (userId) => (await capabilities.value(oauthPeople)?.viewerOf(userId)) ?? null,
      embeds: () => capabilities.value(embedsGrants),
      admits: admissionOf(planned.declared, owner, options.permissions),
      isProtectedLate: protection?.isLate ?? false,
      isViewerLate: options.asksLate()
    }
    const guards = { early: createGuard(given), late: createLateGuard(given) }
    made.set(place, guards)
    return guards
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

function guardRoute(
  route: RouteOptions,
  owner: RouteOwner,
  methods: readonly string[],
  meter: RouteMeter,
  guards: GuardBook
): void {
  const planned = methods.map((method) => [method, expect(owner, method, route)] as const)
  const [first] = planned
  if (first === undefined) return
  const made = planned.map(([method, each]) => [method, guards(owner, each, route)] as const)
  const guard = byMethod(made.map(([method, { early }]) => [method, early]))
  const late = byMethod(made.map(([method, { late }]) => [method, late]))
  // The body is parsed and not yet validated: a caller without a token learns nothing about it.
  if (late !== undefined) route.preValidation = [late, ...[route.preValidation ?? []].flat()]
  const bodyLimits = planned.flatMap(([, { declared }]) => declared.bodyLimit ?? [])
  if (bodyLimits.length > 0)
    route.bodyLimit = Math.min(...bodyLimits, route.bodyLimit ?? Number.POSITIVE_INFINITY)
  const refusesMultipart = !planned.some(([, { declared }]) => declared.multipart === true)
  const isPersonal = planned.some(([, { declared }]) => declared.auth !== 'public')
  const hasBody = methods.some((method) => method !== 'GET' && method !== 'HEAD')
  if (guard === undefined && !hasBody) {
    route.handler = unguarded(owner, meter, route.handler)
    return
  }
  prepend(route, (request, reply, done) => {
    meter.begin(request, reply)
    if (isPersonal) markPersonal(reply)
    if (owner.status.downReason !== undefined) sendUnavailable(owner, reply)
    else if (refusesMultipart && isMultipart(request)) answers.noMultipart(reply)
    else if (guard === undefined) done()
    else guard(request, reply, done)
  })
}

/** One guard for all methods of a route; undefined when none of them has one. */
function byMethod(guards: readonly (readonly [string, Guard | undefined])[]): Guard | undefined {
  if (guards.length === 1 || guards.every(([, guard]) => guard === undefined)) return guards[0]?.[1]
  const made = new Map(guards)
  return (request, reply, done) => {
    const own = made.get(request.method)
    if (own === undefined) done()
    else own(request, reply, done)
  }
}

/** The cheapest way for a route that needs no guard: no hook, one comparison. */
function unguarded(
  owner: RouteOwner,
  meter: RouteMeter,
  handler: RouteHandlerMethod
): RouteHandlerMethod {
  return function (request, reply) {
    meter.begin(request, reply)
    if (owner.status.downReason !== undefined) return sendUnavailable(owner, reply)
    return handler.call(this, request, reply)
  }
}

function sendUnavailable({ plugin, status }: RouteOwner, reply: FastifyReply): FastifyReply {
  return answers.unavailable(reply, plugin, status.downReason ?? '')
}

function isMultipart(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('multipart/') === true
}

function prepend(route: RouteOptions, guard: Guard): void {
  route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
}
