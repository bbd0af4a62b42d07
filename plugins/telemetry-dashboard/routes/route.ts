// What a route of the API is: one table of these is served by the factory and by the kernel plugin.
import type { Viewer } from '@keelson/sdk'
import type { SubjectAdapter } from '@keelson/sdk/contracts/telemetry-subject-labels'
import type { Queries, QueryLimits, Telemetry } from '@keelson/telemetry'
import type { FastifyBaseLogger } from 'fastify'
import type { ConfiguredView } from '../views/view.ts'
import type { Params } from './parameters.ts'
import type { Parsed } from './parsed.ts'

/** What the handlers work with; the same for every request. */
export interface ApiContext {
  readonly telemetry: Telemetry
  readonly queries: Queries
  readonly limits: QueryLimits
  readonly views: readonly ConfiguredView[]
  readonly subjectAdapter: SubjectAdapter | undefined
}

export interface ApiRequest {
  readonly viewer: Viewer
  readonly params: Params
  /** The decoded value of the path's variable part; empty when it has none. */
  readonly subject: string
  readonly body: unknown
  readonly log: FastifyBaseLogger
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the mount. `*` takes the rest of the address, so that long refs are not cut off. */
  readonly path: string
  readonly summary: string
  answer(request: ApiRequest, context: ApiContext): Promise<ApiAnswer> | ApiAnswer
}

export const FORBIDDEN: ApiAnswer = { status: 403, body: { error: 'forbidden' } }
export const NOT_FOUND: ApiAnswer = { status: 404, body: { error: 'not_found' } }
export const UNAUTHENTICATED: ApiAnswer = { status: 401, body: { error: 'unauthenticated' } }

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body })

/** Answers 400 with the refusal, or what `act` makes of the value. */
export async function whenAccepted<T>(
  parsed: Parsed<T>,
  act: (value: T) => Promise<unknown>
): Promise<ApiAnswer> {
  return parsed.ok ? ok(await act(parsed.value)) : { status: 400, body: { error: parsed.error } }
}

export const get = (path: string, summary: string, answer: ApiRoute['answer']): ApiRoute => ({
  method: 'GET',
  path: `/api${path}`,
  summary,
  answer
})
