// A route and its handler, typed by the route's schemas.
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface
} from 'fastify'
import type { CorsPolicy } from './http/cross-origin.ts'
import type { Refusal } from './http/refuse.ts'
import type { Static, TSchema } from './typebox.ts'
import type { Viewer } from './viewer.ts'

/** What the kernel knows of a request. */
export interface RouteContext {
  /** Set on viewer and admin routes, and on public routes with `viewer: 'optional'` when signed in. */
  readonly viewer: Viewer | null
  /** What `verify` returned, on machine routes. */
  readonly machine: unknown
}

/**
 * A request whose `query`, `params`, `headers` and `body` have the types of its route's TypeBox schemas;
 * `unknown` where the route has none.
 */
export type RouteRequest<S extends FastifySchema = FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  S,
  TypeBoxTypeProvider
>

type IsOptional<T, K extends keyof T> =
  { readonly [P in K]?: never } extends Pick<T, K> ? undefined : never

/**
 * What may be sent where a schema says `T`: the same, read-only or not, with a Date where it says string
 * and undefined where a key may be left out.
 */
export type Sendable<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Sendable<T[K]> | IsOptional<T, K> }
      : T

/**
 * The bodies that a route may answer with, over all statuses; `unknown` without a response schema for
 * success.
 */
export type RouteBody<S extends FastifySchema> = S extends {
  readonly response: infer Responses extends Readonly<Record<string | number, unknown>>
}
  ? [SuccessKeys<Responses>] extends [never]
    ? unknown
    : { [Status in keyof Responses]: BodyOf<Responses[Status]> }[keyof Responses]
  : unknown

/** `200`, `'2xx'`, `default` and the like. */
type SuccessKeys<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${string}` | 'default'
    ? Status
    : never
}[keyof Responses]

type BodyOf<R> = R extends TSchema ? Sendable<Static<R>> : unknown

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that took the answer over returns nothing
type Answer<S extends FastifySchema> = RouteBody<S> | FastifyReply | void

/**
 * Answers a request: what it returns is sent, as with Fastify. Its type is that of the response schemas;
 * for an answer with another status send it through `reply` and return that.
 */
export type RouteHandler<S extends FastifySchema = FastifySchema> = (
  request: RouteRequest<S>,
  reply: FastifyReply,
  context: RouteContext
) => Answer<S> | Promise<Answer<S>>

/** A route, as declared in plugin.json, and its handler. */
export interface RouteOptions<S extends FastifySchema = FastifySchema> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Relative to the mount, as declared (or the declared `at`). */
  readonly path: string
  /** Fastify schemas (TypeBox) for body, querystring, params, response. Shown in /openapi.json. */
  readonly schema?: S
  /**
   * For `machine` routes: reads the credentials of a request before its body is parsed. `null` answers
   * 401, `refuse({ status, body, headers })` answers exactly that, and any other value lets the request
   * in and is `context.machine`. Headers, the origin among them, are those of the request. Routes that
   * are made on `host.fastify` give it in their config: `{ config: { verify } }`.
   */
  readonly verify?: (request: FastifyRequest) => unknown | Refusal | Promise<unknown | Refusal>
  /**
   * For `bearer` routes: the scopes that this very request needs, each declared for the route in
   * plugin.json. Called after the body was parsed, so that it may depend on it. Without it every
   * request needs all declared scopes. Routes that are made on `host.fastify` give it in their config.
   */
  readonly scopes?: (request: FastifyRequest) => readonly string[]
  /**
   * For `public` routes: resolve the viewer before the handler runs. Default: the viewer is null,
   * which saves a look-up.
   */
  readonly viewer?: 'optional'
  /**
   * Lets pages of other origins call the route. The kernel answers the preflights; they are not declared.
   * Routes that are made on `host.fastify` give it in their config: `{ config: corsConfig(policy) }`.
   */
  readonly cors?: CorsPolicy
  readonly handler: RouteHandler<S>
}
