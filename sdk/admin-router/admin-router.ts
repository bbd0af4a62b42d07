// Serves the routes that plugins contribute to an admin API, behind one declared wildcard route.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type {
  AdminAnswer,
  AdminApi,
  AdminCall,
  AdminPermission,
  AdminRoute
} from '../contracts/mailer-admin-api.ts'
import type { MailerCore } from '../contracts/mailer-core.ts'
import { KeelsonError } from '../errors.ts'
import { errorBody, type FieldFault } from '../http/error-body.ts'
import { adminErrors } from './admin-errors.ts'
import { isMultipart, uploadedFiles } from './admin-files.ts'
import { inputChecker } from './admin-input.ts'
import { addressForm, type FoundRoute, routeFinder } from './admin-paths.ts'

/** What an admin router is made from. */
export interface AdminRouterOptions {
  readonly contributions: readonly AdminApi[]
  /** Routes that the owner serves itself below the same address: no plugin can replace them. */
  readonly own?: AdminRoutesOf
  readonly mailer: MailerCore
  readonly clock: Clock
  /** Aborted when the host closes. */
  readonly signal: AbortSignal
  /** Who calls, as the audit log names them: `human:<email>` or `agent:<name>`. */
  actorOf(request: FastifyRequest): string | Promise<string>
  /** Whether the caller has a permission. Not asked for `read`. */
  may(
    request: FastifyRequest,
    permission: Exclude<AdminPermission, 'read'>
  ): boolean | Promise<boolean>
}

/** Addresses, and the plugin that serves them. */
export interface AdminRoutesOf {
  readonly name: string
  readonly routes: readonly Pick<AdminRoute, 'method' | 'path'>[]
}

/** Answers the requests of a wildcard route. */
export type AdminRouter = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

interface ReadyRoute extends AdminRoute {
  readonly check: ReturnType<typeof inputChecker>
}

/** Bytes of a JSON body where a route does not say. */
const BODY_LIMIT = 1_048_576

/**
 * Makes the handler of a wildcard route such as `/admin/mailer/api/*`, for each method of the
 * contributions. Uploads need a wildcard route that takes multipart bodies.
 *
 * @throws KRN_ADMIN_ROUTE_TAKEN when two plugins contribute one address
 * @throws KRN_ADMIN_ROUTE_PERMISSION for a route that changes something and names no permission
 */
export function createAdminRouter(options: AdminRouterOptions): AdminRouter {
  checkAddresses(options)
  const routes = options.contributions.flatMap(({ routes }) =>
    routes.map((route): ReadyRoute => ({ ...route, check: inputChecker(route.schema ?? {}) }))
  )
  const find = routeFinder(routes)
  return async (request, reply) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const found = find(method, pathBelow(request))
    if (found === undefined) return refused(reply, 404, NOT_FOUND)
    return serve(options, found, { request, reply })
  }
}

const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
const FORBIDDEN = { error: 'forbidden', message: 'Your role does not allow this.' }
const TOO_LARGE = {
  error: 'payload_too_large',
  message: 'The body of the request is too large.'
}
const NO_MULTIPART = {
  error: 'unsupported_media_type',
  message: 'This address does not take multipart forms.'
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function serve(
  options: AdminRouterOptions,
  { route, params }: FoundRoute<ReadyRoute>,
  { request, reply }: Exchange
): Promise<unknown> {
  const { permission = 'read', upload, bodyLimit = BODY_LIMIT } = route
  if (permission !== 'read' && !(await options.may(request, permission)))
    return refused(reply, 403, FORBIDDEN)
  if (isMultipart(request) && upload === undefined) return refused(reply, 415, NO_MULTIPART)
  const { 'content-length': length = '0' } = request.headers
  if (upload === undefined && Number(length) > bodyLimit) return refused(reply, 413, TOO_LARGE)
  const checked = route.check({ params, query: request.query, body: request.body ?? {} })
  if (!checked.ok) return refused(reply, 400, invalid(checked.fault))
  const call: AdminCall = {
    ...checked.input,
    ...(await callParts(options, route, { request, reply }))
  }
  try {
    return sent(reply, await route.handler(call))
  } catch (error) {
    if (!KeelsonError.is(error) || error.code !== 'KRN_UPLOAD_REJECTED') throw error
    const { code, message } = error
    return refused(reply, 413, { error: 'upload_rejected', code, message })
  }
}

async function callParts(
  { mailer, clock, signal, actorOf }: AdminRouterOptions,
  { upload }: AdminRoute,
  { request, reply }: Exchange
): Promise<Omit<AdminCall, 'params' | 'query' | 'body'>> {
  const actor = await actorOf(request)
  const userAgent = request.headers['user-agent']?.slice(0, 256)
  return {
    actor,
    mailer,
    now: clock.now(),
    signal: AbortSignal.any([signal, goneSignal(reply)]),
    log: request.log,
    files: () => uploadedFiles(request, upload ?? { maxFiles: 0, maxFileBytes: 0 }),
    audit: (entry) =>
      mailer.audit({
        ...entry,
        actor,
        ip: request.ip,
        requestId: request.id,
        ...(userAgent !== undefined && { userAgent })
      })
  }
}

/** Aborted when the caller leaves before the answer is written. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

function sent(reply: FastifyReply, { status, body, headers = {} }: AdminAnswer): FastifyReply {
  reply.headers(headers).code(status ?? (body === undefined ? 204 : 200))
  return reply.send(body)
}

function refused(
  reply: FastifyReply,
  status: number,
  body: Parameters<typeof errorBody>[0]
): FastifyReply {
  return reply.code(status).send(errorBody(body))
}

const invalid = (fault: FieldFault) => ({
  error: 'validation_failed',
  message: `${fault.path} ${fault.message}.`,
  fields: [fault]
})

/** The raw path below the wildcard: a parameter may hold an encoded slash. */
function pathBelow({ url, routeOptions }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1)
  return path.slice((routeOptions.url?.length ?? 1) - 1)
}

function checkAddresses({ contributions, own }: AdminRouterOptions): void {
  const owners = new Map<string, string>()
  for (const each of own?.routes ?? []) owners.set(addressForm(each), own?.name ?? '')
  for (const { name: plugin, routes } of contributions) {
    for (const each of routes) {
      const form = addressForm(each)
      const route = `${each.method} ${each.path}`
      const other = owners.get(form)
      if (other !== undefined) throw adminErrors.KRN_ADMIN_ROUTE_TAKEN({ route, plugin, other })
      if (each.method !== 'GET' && each.permission === undefined)
        throw adminErrors.KRN_ADMIN_ROUTE_PERMISSION({ route, plugin })
      owners.set(form, plugin)
    }
  }
}
