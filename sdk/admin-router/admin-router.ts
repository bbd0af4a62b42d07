// Makes Fastify routes of the admin routes that plugins contribute.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import { errorBody } from '../http/error-body.ts'
import { adminErrors } from './admin-errors.ts'
import { isMultipart, uploadedFiles } from './admin-files.ts'
import { InvalidInput, inputValidators } from './admin-input.ts'

/** What the routes are made with. */
export interface AdminRoutesOptions {
  /** The address they are below, as `/admin/mailer/api`. */
  readonly base: string
  readonly contributions: readonly Contribution[]
  /** Routes that the owner serves itself below the same address: no plugin can replace them. */
  readonly own?: readonly Pick<AdminRoute, 'method' | 'path'>[]
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

/** The routes of one plugin. */
export interface Contribution {
  /** The id of the plugin. */
  readonly plugin: string
  readonly api: AdminApi
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
/** Bytes of a JSON body where a route does not say. */
const BODY_LIMIT = 1_048_576

/**
 * Adds the routes of all contributions, in `host.onRegistered`. The manifest declares the wildcard below
 * `base` for each of the five methods; uploads need one that takes multipart bodies. Other addresses answer
 * 404 as JSON.
 *
 * @throws KRN_ADMIN_ROUTE_TAKEN when two plugins serve one address
 * @throws KRN_ADMIN_ROUTE_PERMISSION for a route that changes something and names no permission
 */
export function addAdminRoutes(app: FastifyInstance, options: AdminRoutesOptions): void {
  checkAddresses(options)
  for (const { api } of options.contributions) {
    for (const route of api.routes ?? []) addRoute(app, options, api.name, route)
  }
  const url = `${options.base}/*`
  for (const method of METHODS) {
    // Where the same routes are served once more, their owner may have its own answer.
    if (app.hasRoute({ method, url: app.prefix + url })) continue
    app.route({ method, url, handler: async (_request, reply) => refused(reply, 404, NOT_FOUND) })
  }
}

function addRoute(
  app: FastifyInstance,
  options: AdminRoutesOptions,
  group: string,
  route: AdminRoute
): void {
  const { method, path, summary, schema = {}, bodyLimit = BODY_LIMIT } = route
  app.route({
    method,
    url: `${options.base}${path}`,
    schema: { ...schema, summary, tags: [group] },
    bodyLimit,
    validatorCompiler: inputValidators(schema),
    // A caller without the permission learns nothing about the body.
    preValidation: async (request, reply) => refusalOf(options, route, { request, reply }),
    errorHandler: answerError,
    handler: async (request, reply) => {
      const { params, query, body } = request
      const parts = await callParts(options, route, { request, reply })
      return sent(reply, await route.handler({ params, query, body, ...parts } as AdminCall))
    }
  })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function refusalOf(
  options: AdminRoutesOptions,
  { permission = 'read', upload }: AdminRoute,
  { request, reply }: Exchange
): Promise<FastifyReply | undefined> {
  if (permission !== 'read' && !(await options.may(request, permission))) {
    return refused(reply, 403, { error: 'forbidden', message: 'Your role does not allow this.' })
  }
  if (upload !== undefined || !isMultipart(request)) return undefined
  const message = 'This address does not take multipart forms.'
  return refused(reply, 415, { error: 'unsupported_media_type', message })
}

async function callParts(
  { mailer, clock, signal, actorOf }: AdminRoutesOptions,
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

/** As text, so that the response schemas do not apply: they describe the route's own answers. */
function refused(
  reply: FastifyReply,
  status: number,
  body: Parameters<typeof errorBody>[0]
): FastifyReply {
  reply.code(status).type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(errorBody(body)))
}

/** Answers what the documents name; the rest is for the error handler above. */
function answerError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof InvalidInput) {
    const { message, fault } = error
    refused(reply, 400, { error: 'validation_failed', message, fields: [fault] })
  } else if (KeelsonError.is(error) && error.code === 'KRN_UPLOAD_REJECTED') {
    refused(reply, 413, { error: 'upload_rejected', code: error.code, message: error.message })
  } else throw error
}

function checkAddresses({ contributions, own = [] }: AdminRoutesOptions): void {
  const owners = new Map(own.map((route) => [addressForm(route), 'the mailer']))
  for (const { plugin, api } of contributions) {
    for (const each of api.routes ?? []) {
      const route = `${each.method} ${each.path}`
      const other = owners.get(addressForm(each))
      if (other !== undefined) throw adminErrors.KRN_ADMIN_ROUTE_TAKEN({ route, plugin, other })
      if (each.method !== 'GET' && each.permission === undefined)
        throw adminErrors.KRN_ADMIN_ROUTE_PERMISSION({ route, plugin })
      owners.set(addressForm(each), plugin)
    }
  }
}

/** Two routes of one form answer the same requests. */
function addressForm({ method, path }: Pick<AdminRoute, 'method' | 'path'>): string {
  const parts = path.split('/').filter((part) => part !== '')
  return `${method} /${parts.map((part) => (part.startsWith(':') ? ':' : part)).join('/')}`
}
