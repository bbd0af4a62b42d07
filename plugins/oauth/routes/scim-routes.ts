// SCIM 2.0 for users (RFC 7644): an identity provider makes, changes and deactivates people.

import { isSame, readCredentials } from '@keelson/protect/rules'
import { addressKey, refuse, Type } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ScimToken } from '../config/scim-settings.ts'
import { hashOf } from '../crypto/handles.ts'
import { wireError } from '../http/answers.ts'
import { OAuthError } from '../oauth-errors.ts'
import { userOf } from '../scim/directory.ts'
import {
  listOf,
  MAX_RESULTS,
  resourceTypes,
  type ScimDocument,
  serviceProviderConfig,
  userSchemas
} from '../scim/documents.ts'
import { readFilter } from '../scim/filter.ts'
import { patchUser } from '../scim/patch.ts'
import { changeUser, provisionUser, removeUser } from '../scim/provision.ts'
import { returned } from '../scim/returned.ts'
import { ScimError, scimErrorBody } from '../scim/scim-error.ts'
import { readSearch } from '../scim/search.ts'
import { readUser, USER_SCHEMA } from '../scim/user.ts'
import type { Services } from '../services.ts'
import type { StoredScimUser } from '../storage/rows.ts'
import { configOf, PRIVATE } from './route.ts'

const AT = '/scim/v2'
export const SCIM_JSON = 'application/scim+json'
const CHALLENGE = { 'www-authenticate': 'Bearer realm="scim"' }
/** So far a list may be read. */
const MAX_START = 100_000

/** The identity provider of a request. @throws ScimError */
async function callerOf(request: FastifyRequest, services: Services): Promise<ScimToken> {
  const { settings, limiter, isReady } = services
  if (settings.scim === undefined) throw new ScimError('off')
  const given = readCredentials(request.headers.authorization)
  const hash = hashOf(given?.scheme === 'Bearer' ? given.token : '')
  // Each is compared, so that the time says nothing.
  const [caller] = settings.scim.tokens.filter((token) => isSame(token.hash, hash))
  if (caller === undefined) {
    await limiter.take('token', addressKey(request.ip))
    throw new ScimError('unauthorized', {}, CHALLENGE)
  }
  await limiter.take('scim', caller.hash)
  if (!isReady()) throw new ScimError('notReady')
  return caller
}

/** Before the body is read: the token itself is checked by the handler. */
function mayHoldToken(request: FastifyRequest): unknown {
  if (readCredentials(request.headers.authorization) !== undefined) return 'token'
  const error = new ScimError('unauthorized')
  const headers = { ...CHALLENGE, 'cache-control': 'no-store' }
  return refuse({ status: error.status, body: scimErrorBody(error), headers })
}

const baseOf = ({ settings }: Services): string => `${settings.base}${AT}`

type Query = Readonly<Record<string, unknown>>

const queryOf = ({ request }: ScimCall): Query => request.query as Query

function shown(row: StoredScimUser, call: ScimCall, query: Query = queryOf(call)): object {
  const { services } = call
  const { _id: id, createdAt, updatedAt } = row
  const user = {
    schemas: [USER_SCHEMA],
    id,
    ...userOf(row),
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${baseOf(services)}/Users/${id}`
    }
  }
  return returned(user, query)
}

interface ScimCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly tenant: string
  readonly services: Services
}

type ScimHandler = (call: ScimCall) => Promise<unknown> | unknown

async function rowOfCall({ request, tenant, services }: ScimCall): Promise<StoredScimUser> {
  const { id } = request.params as { readonly id: string }
  const row = await services.directory.find(tenant, String(id))
  if (row === null) throw new ScimError('notFound')
  return row
}

async function list(call: ScimCall, query: Query = queryOf(call)): Promise<object> {
  const { tenant, services } = call
  const startIndex = numberOf(query['startIndex'], 1, { least: 1, most: MAX_START })
  const limit = numberOf(query['count'], 100, { least: 0, most: MAX_RESULTS })
  const filter = readFilter(typeof query['filter'] === 'string' ? query['filter'] : undefined)
  const { rows, total } = await services.directory.list(tenant, {
    filter,
    limit,
    skip: startIndex - 1
  })
  const users = rows.map((row) => shown(row, call, query))
  return listOf(users, { total, startIndex })
}

/** What is too small or too large is the nearest that may be (RFC 7644 §3.4.2.4). @throws ScimError */
function numberOf(
  given: unknown,
  usual: number,
  { least, most }: { readonly least: number; readonly most: number }
): number {
  if (given === undefined || given === '') return usual
  const value = Number(given)
  if (Number.isInteger(value)) return Math.min(Math.max(value, least), most)
  throw new ScimError('value', { attribute: 'startIndex or count', problem: 'must be a number' })
}

async function create(call: ScimCall): Promise<object> {
  const { request, reply, tenant, services } = call
  const row = await provisionUser(readUser(request.body), tenant, services)
  const user = shown(row, call)
  reply.code(201).header('location', `${baseOf(services)}/Users/${row._id}`)
  return user
}

const changed = async (
  call: ScimCall,
  change: Parameters<typeof changeUser>[1]
): Promise<object> => {
  const { request, tenant, services } = call
  const { id } = request.params as { readonly id: string }
  return shown(await changeUser({ id: String(id), tenant }, change, services), call)
}

function replace(call: ScimCall): Promise<object> {
  return changed(call, () => readUser(call.request.body))
}

function patch(call: ScimCall): Promise<object> {
  return changed(call, (user) => patchUser(user, call.request.body))
}

async function remove(call: ScimCall): Promise<FastifyReply> {
  await removeUser(await rowOfCall(call), call.services)
  return call.reply.code(204).send()
}

const typesOf = (services: Services) => resourceTypes(baseOf(services))
const schemasOf = (services: Services) =>
  userSchemas(baseOf(services), services.settings.scim?.subject)

/** One of a list of documents, by its id in the address. */
const oneOf =
  (documents: (services: Services) => readonly ScimDocument[]): ScimHandler =>
  ({ request, services }) => {
    const { id } = request.params as { readonly id: string }
    const found = documents(services).find((one) => one.id === id)
    if (found === undefined) throw new ScimError('notFound')
    return found
  }

/** Any error as one of SCIM. */
function scimErrorOf(error: unknown): ScimError {
  if (error instanceof ScimError) return error
  if (error instanceof OAuthError && error.status === 429) {
    return new ScimError('tooMany', {}, error.headers)
  }
  const { status } = wireError(error)
  if (status >= 500) return new ScimError('internal')
  return new ScimError('syntax', { problem: 'cannot be read' })
}

const document = Type.Object({}, { additionalProperties: true })
const answers = { '2xx': document, '4xx': document, '5xx': document }

export function scimRoutes(services: Services): readonly RouteOptions[] {
  const config = configOf({ verify: mayHoldToken })
  const { logger } = services.settings
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = scimErrorOf(error)
    if (answer.status === 500) logger.error({ err: error, requestId: request.id }, 'SCIM failed')
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'cache-control': 'no-store' })
      .type(SCIM_JSON)
      .send(scimErrorBody(answer))
  }
  const route = (method: Method, path: string, handler: ScimHandler): RouteOptions => ({
    ...PRIVATE,
    method,
    url: `${AT}${path}`,
    config,
    schema: { response: method === 'DELETE' ? { ...answers, '2xx': Type.Null() } : answers },
    errorHandler: fail,
    async handler(request, reply) {
      const { tenant } = await callerOf(request, services)
      reply.header('cache-control', 'no-store').type(SCIM_JSON)
      return handler({ request, reply, tenant, services })
    }
  })
  const served = handlersOf(services)
  return [...served, ...otherCalls(served)].map((one) => route(...one))
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Served = readonly [method: Method, path: string, handler: ScimHandler]

const search: ScimHandler = (call) => list(call, readSearch(call.request.body))

const handlersOf = (services: Services): readonly Served[] => [
  ['GET', '/ServiceProviderConfig', () => serviceProviderConfig(baseOf(services))],
  ['GET', '/ResourceTypes', () => listOf(typesOf(services))],
  ['GET', '/ResourceTypes/:id', oneOf(typesOf)],
  ['GET', '/Schemas', () => listOf(schemasOf(services))],
  ['GET', '/Schemas/:id', oneOf(schemasOf)],
  ['GET', '/Users', (call) => list(call)],
  ['POST', '/Users', create],
  // Users are the only type, so a search of all types is one of users.
  ['POST', '/.search', search],
  ['POST', '/Users/.search', search],
  ['GET', '/Users/:id', async (call) => shown(await rowOfCall(call), call)],
  ['PUT', '/Users/:id', replace],
  ['PATCH', '/Users/:id', patch],
  ['DELETE', '/Users/:id', remove]
]

/** Everything else below the address: 405 with the methods that it takes, or 404. */
function otherCalls(served: readonly Served[]): readonly Served[] {
  const refuseOther: ScimHandler = ({ request }) => {
    const { '*': rest } = request.params as { readonly '*': string }
    const methods = served
      .filter(([, path]) => isAt(`/${rest}`, path))
      .map(([method]) => method)
      .join(', ')
    if (methods === '') throw new ScimError('notFound')
    throw new ScimError('method', { methods }, { allow: methods })
  }
  return METHODS.map((method): Served => [method, '/*', refuseOther])
}

/** Whether an address is one of a declared path. */
function isAt(address: string, path: string): boolean {
  const [words, given] = [path.split('/'), address.split('/')]
  if (words.length !== given.length) return false
  return words.every((word, at) => (word.startsWith(':') ? given[at] !== '' : word === given[at]))
}
