// Cross-origin rules (CORS) of routes. The headers are written by @fastify/cors.
import { type FastifyCorsOptions, fastifyCors } from '@fastify/cors'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions
} from 'fastify'

/** Which pages of other origins may call a route, and what they may send and read. */
export interface CorsPolicy {
  /** `*` for every origin, or whether one may read the answers. */
  readonly origin: '*' | ((origin: string) => boolean)
  /** Methods that a preflight allows: all of the route's address. */
  readonly methods: readonly string[]
  /** Request headers that a preflight allows. Default: none but the plain ones. */
  readonly allowedHeaders?: readonly string[]
  /** Answer headers that scripts may read. Default: none but the plain ones. */
  readonly exposedHeaders?: readonly string[]
  /** Cookies are sent, and the answer may be read. Not with `*`. Default false. */
  readonly credentials?: boolean
}

const PREFLIGHT_SECONDS = 600

/** Marks a scope whose routes get the policy of their config. Child scopes inherit it. */
const ACCEPTS = Symbol.for('keelson.accepts-cross-origin')

/** Marks, in their config, the routes that were added for preflights. */
const ADDED = Symbol.for('keelson.added-preflight')

/**
 * The config of a route that has a policy, where `acceptCrossOrigin` is on. It has the form that
 * @fastify/cors reads: if the host registered it too, the policy of the route wins.
 *
 * @example app.get('/keys', { config: corsConfig({ origin: '*', methods: ['GET'] }) }, handler)
 */
export function corsConfig(policy: CorsPolicy): FastifyContextConfig {
  return { cors: corsOptions(policy) } as FastifyContextConfig
}

/**
 * Applies the policies of the routes that are registered on a scope from now on: adds the headers to
 * their answers, those of guards and error handlers too, and an OPTIONS route for the preflights of each
 * address. The kernel has done it for `host.fastify`; calling it again does nothing.
 *
 * `otherwise` is the policy of routes that have none. An address has one answer to preflights: where a route
 * of it has its own policy, that one.
 */
export function acceptCrossOrigin(app: FastifyInstance, otherwise?: CorsPolicy): void {
  if (ACCEPTS in app) return
  Object.assign(app, { [ACCEPTS]: true })
  // Without its own policy a route gets no headers.
  const hook = hookOf({ origin: false })
  const general = otherwise && corsOptions(otherwise)
  /** The answers to preflights that still have the general policy, by address. */
  const replaceable = new Map<string, FastifyCorsOptions>()
  app.addHook('onRoute', function (this: FastifyInstance, route) {
    const own = policyOf(route)
    const cors = own ?? (general && { ...general })
    if (cors === undefined) return
    route.config = { ...route.config, cors } as FastifyContextConfig
    route.onRequest = [hook, ...[route.onRequest ?? []].flat()]
    if (route.method === 'OPTIONS') return
    const { url, constraints = {} } = route
    if (!app.hasRoute({ method: 'OPTIONS', url, constraints })) {
      if (own === undefined) replaceable.set(url, cors)
      this.route(preflightOf(route))
    } else if (own !== undefined) {
      Object.assign(replaceable.get(url) ?? {}, own)
      replaceable.delete(url)
    }
  })
}

/** Whether a route answers preflights: an OPTIONS route with a policy. */
export function isPreflight(route: RouteOptions): boolean {
  return route.method === 'OPTIONS' && policyOf(route) !== undefined
}

/** Whether `acceptCrossOrigin` has added a route, for the preflights of another one. */
export function isAddedPreflight({ config }: RouteOptions): boolean {
  return config !== undefined && ADDED in config
}

/** An onRequest hook for a scope: gives one policy to all of its routes, and answers all preflights. */
export function corsHook(policy: CorsPolicy): onRequestHookHandler {
  return hookOf(corsOptions(policy))
}

/**
 * Returns a function that adds the headers of a policy to one answer: for a policy that is known only
 * after the credentials of the request were read. It answers no preflights.
 */
export function corsHeaders(
  policy: CorsPolicy
): (request: FastifyRequest, reply: FastifyReply) => void {
  const hook = hookOf({ ...corsOptions(policy), preflight: false })
  return (request, reply) => void hook.call(request.server, request, reply, ignore)
}

/** Every option is set: what a policy leaves out must not come from the options of a host. */
function corsOptions(policy: CorsPolicy): FastifyCorsOptions {
  const { origin, methods, allowedHeaders = [], exposedHeaders = [], credentials = false } = policy
  return {
    origin:
      origin === '*'
        ? origin
        : (asking, decide) => decide(null, asking !== undefined && origin(asking)),
    methods: [...methods],
    allowedHeaders: [...allowedHeaders],
    // `null` sends no such header; the types of the package leave it out.
    exposedHeaders: exposedHeaders.length > 0 ? [...exposedHeaders] : (null as never),
    credentials,
    maxAge: PREFLIGHT_SECONDS,
    preflight: true,
    strictPreflight: false
  }
}

/**
 * Takes the hook of @fastify/cors and leaves the rest. Registering it would add a route for OPTIONS at
 * every address of the scope, of a host too, and fail below a host that has registered it.
 */
function hookOf(options: FastifyCorsOptions): onRequestHookHandler {
  const hooks: onRequestHookHandler[] = []
  const scope = {
    addHook: (_name: string, handler: onRequestHookHandler) => void hooks.push(handler),
    decorateRequest: ignore,
    options: ignore
  }
  fastifyCors(scope as unknown as FastifyInstance, options, ignore)
  const [hook] = hooks
  if (hook === undefined) throw new TypeError('@fastify/cors has added no hook')
  return hook
}

function ignore(): void {}

function policyOf({ config }: RouteOptions): FastifyCorsOptions | undefined {
  const { cors } = (config ?? {}) as { cors?: unknown }
  return typeof cors === 'object' && cors !== null ? cors : undefined
}

function preflightOf({ config, routePath, prefixTrailingSlash }: PlacedRoute): RouteOptions {
  return {
    method: 'OPTIONS',
    // Fastify says '' for the '/' of a scope with a prefix.
    url: routePath === '' ? '/' : routePath,
    ...(prefixTrailingSlash !== undefined && { prefixTrailingSlash }),
    schema: { hide: true } as object,
    config: { cors: (config as { cors?: unknown }).cors, [ADDED]: true } as FastifyContextConfig,
    // The hook answers, unless the origin is refused.
    handler: (_request, reply) => reply.code(204).send()
  }
}

type PlacedRoute = RouteOptions & { readonly routePath: string }
