// What a route of the API is: one table of these is served by the factory and by the kernel plugin.
import {
  errorBody,
  errorBodySchema,
  type Static,
  type TSchema,
  Type,
  type Viewer
} from '@keelson/sdk'
import type { SubjectAdapter } from '@keelson/sdk/contracts/telemetry-subject-labels'
import type { Queries, QueryLimits, Telemetry } from '@keelson/telemetry'
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { ConfiguredView } from '../views/view.ts'
import type { Parsed } from './parsed.ts'

/** What the handlers work with; the same for every request. */
export interface ApiContext {
  readonly telemetry: Telemetry
  readonly queries: Queries
  readonly limits: QueryLimits
  /** The collection of saved views. */
  readonly savedViews: Collection
  readonly views: readonly ConfiguredView[]
  readonly subjectAdapter: SubjectAdapter | undefined
}

/** A request that fits the schemas of its route. */
export interface ApiRequest<Query = object, Body = unknown> {
  readonly viewer: Viewer
  readonly query: Query
  /** The decoded value of the path's variable part; empty when it has none. */
  readonly subject: string
  readonly body: Body
  readonly log: FastifyBaseLogger
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** The schemas of a route, as Fastify takes them. */
export interface RouteSchemas {
  readonly params?: TSchema
  readonly querystring: TSchema
  readonly body?: TSchema
  readonly response: Readonly<Record<string, TSchema>>
}

/** Who may call: any viewer, or those with role admin. */
export type ApiBand = 'viewer' | 'admin'

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the mount. `*` takes the rest of the address, so that long refs are not cut off. */
  readonly path: string
  readonly band: ApiBand
  readonly summary: string
  readonly schema: RouteSchemas
  answer(request: ApiRequest, context: ApiContext): Promise<ApiAnswer> | ApiAnswer
}

interface RouteDefinition<Query extends TSchema, Body extends TSchema> {
  readonly method: ApiRoute['method']
  readonly path: string
  /** Default viewer. */
  readonly band?: ApiBand
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** The status of success. Default 200. */
  readonly status?: 200 | 201
  readonly response: TSchema
  answer(
    request: ApiRequest<Static<Query>, Static<Body>>,
    context: ApiContext
  ): Promise<ApiAnswer> | ApiAnswer
}

const NO_PARAMETERS = Type.Object({})

/** Makes a route; its handler's query and body are typed by their schemas. */
export function defineRoute<
  Query extends TSchema = typeof NO_PARAMETERS,
  Body extends TSchema = TSchema
>(definition: RouteDefinition<Query, Body>): ApiRoute {
  const { method, path, band = 'viewer', summary, body, status = 200, answer } = definition
  const variable = path.endsWith('*') ? '*' : /:(\w+)/.exec(path)?.[1]
  return {
    method,
    path,
    band,
    summary,
    schema: {
      ...(variable !== undefined && { params: Type.Object({ [variable]: Type.String() }) }),
      querystring: definition.query ?? NO_PARAMETERS,
      ...(body !== undefined && { body }),
      response: { [status]: definition.response, '4xx': errorBodySchema, '5xx': errorBodySchema }
    },
    // The schemas have checked what it gets.
    answer: answer as ApiRoute['answer']
  }
}

/** Makes a route that reads. */
export const get = <Query extends TSchema = typeof NO_PARAMETERS>(
  definition: Omit<RouteDefinition<Query, TSchema>, 'method' | 'body' | 'status'>
): ApiRoute => defineRoute({ ...definition, method: 'GET' })

export const FORBIDDEN: ApiAnswer = {
  status: 403,
  body: errorBody({ error: 'forbidden', message: 'Your role does not allow this.' })
}
export const NOT_FOUND: ApiAnswer = {
  status: 404,
  body: errorBody({ error: 'not_found', message: 'There is no such route.' })
}
export const UNAUTHENTICATED: ApiAnswer = {
  status: 401,
  body: errorBody({ error: 'unauthenticated', message: 'Sign in first.' })
}

/** 400 with a sentence, which is also its word: the document of the API says so. */
export const badRequest = (message: string, code = 'invalid_request'): ApiAnswer => ({
  status: 400,
  body: errorBody({ error: message, code, message })
})

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body })

/** Answers 400 with the refusal, or what `act` makes of the value. */
export async function whenAccepted<T>(
  parsed: Parsed<T>,
  act: (value: T) => Promise<unknown>
): Promise<ApiAnswer> {
  return parsed.ok ? ok(await act(parsed.value)) : badRequest(parsed.error)
}
