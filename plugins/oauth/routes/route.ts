// What routes of the protocol have in common, beside what Fastify asks of a route.
import { type CorsPolicy, corsConfig, type RouteOptions } from '@keelson/sdk'
import type {
  FastifyContextConfig,
  FastifyRequest,
  RouteOptions as FastifyRoute,
  FastifySchema,
  RouteHandlerMethod
} from 'fastify'

/** `consumes`: content types of the body, where it is not JSON. */
export type RouteSchema = FastifySchema & { readonly consumes?: readonly string[] }

/** Answers the request; needs no scope. */
export type RouteHandler = OmitThisParameter<RouteHandlerMethod>

/** Its addresses may hold tokens and handles: they are not logged, and HEAD is not answered. */
export const PRIVATE = { exposeHeadRoute: false, logLevel: 'warn' } as const

/** The largest body that any route takes, bytes. */
export const BODY_LIMIT = 32_768

/** What the kernel reads of a route: who may call it from elsewhere, and how its credentials are checked. */
export function configOf({
  cors,
  verify
}: {
  readonly cors?: CorsPolicy | undefined
  readonly verify?: (request: FastifyRequest) => unknown
}): FastifyContextConfig {
  return { ...(cors && corsConfig(cors)), ...(verify && { verify }) } as FastifyContextConfig
}

/** A route of the kernel for a plain Fastify scope. */
export function plainRoute({ method, path, schema, cors, handler }: RouteOptions): FastifyRoute {
  return {
    method,
    url: path,
    ...(schema && { schema }),
    config: configOf({ cors }),
    handler: (request, reply) => handler(request as never, reply, { viewer: null, machine: null })
  }
}
