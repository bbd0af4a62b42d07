// Reads requests: forms, query parameters and origin.
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../audit/journal.ts'
import { type Parameters, queryOf, readParameters } from '../authorize/parameters.ts'
import type { Settings } from '../config/settings.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'

export const FORM = 'application/x-www-form-urlencoded'

export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  requestId: String(request.id)
})

export const isForm = (request: FastifyRequest): boolean =>
  request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM

/** The text of a form body: the parser of these routes leaves it as text. */
export function formText(request: FastifyRequest): string {
  if (!isForm(request) && request.body !== undefined) {
    throw oauthError('bodyNotForm')
  }
  return typeof request.body === 'string' ? request.body : ''
}

/** @throws invalid_request for a repeated or badly encoded parameter */
export function readForm(request: FastifyRequest): {
  readonly form: ReadonlyMap<string, string>
  readonly resources: readonly string[]
  readonly parameters: Parameters
} {
  const parameters = readParameters(formText(request))
  if (parameters === undefined) throw oauthError('tooLarge')
  const [twice] = parameters.repeated
  if (twice !== undefined) throw oauthError('parameterRepeated')
  if (parameters.garbled.length > 0) throw oauthError('parameterGarbled')
  const form = new Map(
    parameters.pairs.filter(([name, value]) => name !== 'resource' && value !== '')
  )
  const resources = parameters.all('resource').filter((value) => value !== '')
  return { form, resources, parameters }
}

export const queryParameters = (request: FastifyRequest): Parameters | undefined =>
  readParameters(queryOf(request.raw.url ?? request.url))

/** The languages that a request asks for, whatever else is wrong with it. */
export function uiLocalesOf(request: FastifyRequest): string | undefined {
  const isPost = request.method === 'POST'
  const parameters = isPost
    ? readParameters(typeof request.body === 'string' ? request.body : '')
    : queryParameters(request)
  return parameters?.get('ui_locales')
}

/** @throws server_error (503) until the unique indexes of codes and tokens exist */
export function checkReady(services: Pick<Services, 'isReady'>): void {
  if (!services.isReady()) throw oauthError('notReady')
}

/** The value of a query parameter; undefined when it is missing or repeated. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** @throws bad_origin for a change that comes from a page of another origin */
export function checkOrigin(request: FastifyRequest, { issuerOrigin }: Settings): void {
  const { origin } = request.headers
  if (origin === undefined) {
    // Browsers send the origin of every change: a cookie without one does not come from our pages.
    if (request.headers.cookie === undefined) return
    const site = request.headers['sec-fetch-site']
    if (site === undefined || site === 'same-origin') return
  }
  if (origin === issuerOrigin || origin === `${request.protocol}://${request.host}`) return
  throw oauthError('badOrigin')
}
