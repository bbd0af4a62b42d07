// The admin API on any Fastify app: routes as data, one shape of errors, an actor for each change.
import { Readable } from 'node:stream'
import {
  acceptEmptyJson,
  bindOperations,
  errorBody,
  KeelsonError,
  operationRoutes,
  originOf,
  permissionRefusal,
  type TSchema
} from '@keelson/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { Acting } from '../ledger/template-input.ts'
import { adminOperations } from './admin-operations.ts'
import type { AdminAnswer, AdminPermission, AdminRefusal, AdminRoute } from './admin-route.ts'
import { adminRoutes } from './admin-routes.ts'
import { statusOfRefusal } from './refusal-status.ts'
import { unfitParam } from './unfit-param.ts'

/** The part of a mailer that the admin router needs. */
export interface AdminMailer {
  readonly events: EventRegistry
  getRunnerContext(): MailerContext
}

/** What an administrator may do. */
export type AdminPermissions = Readonly<Record<AdminPermission, boolean>>

/** Options of `createMailerAdmin`. */
export interface MailerAdminOptions {
  /** The actor for the audit log. Default: `human:` and the email of `request.user`, or `anonymous`. */
  readonly getActor?: (request: FastifyRequest) => string
  /** What the caller may do. Default: everything. */
  readonly permissions?: (
    request: FastifyRequest
  ) => Partial<AdminPermissions> | Promise<Partial<AdminPermissions>>
  /** False where the kernel serves the operations. Default true. */
  readonly servesOperations?: boolean
}

const ALL: AdminPermissions = {
  canPublish: true,
  canSendBroadcasts: true,
  canManageSuppressions: true
}
/** No permission. */
export const NONE: AdminPermissions = {
  canPublish: false,
  canSendBroadcasts: false,
  canManageSuppressions: false
}
const BODY_LIMIT = 4 * 1024 * 1024
const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
/** Permissions by the name that operations use. */
const PERMISSIONS = {
  publish: 'canPublish',
  sendBroadcasts: 'canSendBroadcasts',
  manageSuppressions: 'canManageSuppressions'
} as const

/**
 * Makes the admin router: a Fastify plugin, to be registered behind the host's own sign-in with the prefix
 * `/admin/mailer`. The API is below `/api`.
 */
export function createMailerAdmin(
  mailer: AdminMailer,
  options: MailerAdminOptions = {}
): FastifyPluginAsync {
  return async (app) => {
    acceptEmptyJson(app)
    app.addContentTypeParser('text/csv', (_request, body, done) => done(null, body))
    for (const route of adminRoutes) {
      app.route({
        method: route.method,
        url: `/api${route.path}`,
        schema: described(route.summary, route.response),
        bodyLimit: BODY_LIMIT,
        handler: (request, reply) => serve(mailer, options, route, request, reply)
      })
    }
    app.get(
      '/api/me',
      { schema: described('Who calls, and what they may do') },
      async (request) => ({
        actor: actorOf(options, request),
        permissions: await permissionsOf(options, request)
      })
    )
    addNotFound(app)
    await app.register(operationsOf(app, mailer, options))
  }
}

/** The operations of the mailer and of other plugins, on an app whose guard knows no permissions. */
function operationsOf(
  app: FastifyInstance,
  mailer: AdminMailer,
  options: MailerAdminOptions
): FastifyPluginAsync {
  if (options.servesOperations === false) return async () => undefined
  const context = mailer.getRunnerContext()
  const { events } = mailer
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const contributed = context.extensions.adminApis().flatMap(({ api }) => api.operations)
  const operations = [...bindOperations(adminOperations, { context, events }), ...contributed]
  const may = async (request: FastifyRequest, permission: string): Promise<boolean> =>
    grants(await permissionsOf(options, request), permission)
  return operationRoutes(operations, (operation) => ({
    url: `/api${operation.path}`,
    closing: closing.signal,
    actorOf: (request) => ({
      tenantId: '*',
      name: actorOf(options, request),
      via: 'host',
      ...originOf(request)
    }),
    may,
    refusal: permissionRefusal(operation, may)
  }))
}

/** `mailer.publish` is `canPublish` to a host. */
export function grants(permissions: AdminPermissions, permission: string): boolean {
  const name = permission.replace(/^mailer\./, '')
  return permissions[PERMISSIONS[name as keyof typeof PERMISSIONS]]
}

/** `summary` is a key of the documents that Fastify's own types do not know. */
const described = (summary: string, response?: TSchema): object => ({
  summary,
  ...(response && { response: { '2xx': response } })
})

/** Other addresses of the API answer as JSON. */
function addNotFound(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/*',
    handler: async (_request, reply) => reply.code(404).send(errorBody(NOT_FOUND))
  })
}

/** Answers one call of a route. */
export async function serve(
  mailer: AdminMailer,
  options: MailerAdminOptions,
  route: AdminRoute,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  if (route.permission !== undefined && !(await permissionsOf(options, request))[route.permission])
    return refused(reply, {
      ok: false,
      code: 'forbidden',
      message: 'Your role does not allow this.'
    })
  if (isStream(request.body) !== (route.takesCsv === true))
    return refused(reply, { ok: false, code: 'wrong_content_type' })
  const params = request.params as Readonly<Record<string, string>>
  const unfit = unfitParam(params)
  if (unfit !== undefined) {
    const message = `${unfit} in the address is not valid.`
    return refused(reply, { ok: false, code: 'bad_id', message })
  }
  try {
    const result = await route.handler({
      context: mailer.getRunnerContext(),
      events: mailer.events,
      params,
      query: request.query as Readonly<Record<string, string | undefined>>,
      body: request.body ?? {},
      ...ifMatchOf(request),
      acting: actingOf(options, request)
    })
    return 'ok' in result && result.ok === false
      ? refused(reply, result)
      : sent(reply, result as AdminAnswer)
  } catch (error) {
    if (!(error instanceof KeelsonError) || error.code !== 'MLR_INPUT_INVALID') throw error
    return invalid(reply, error)
  }
}

const isStream = (body: unknown): boolean => body instanceof Readable

function sent(
  reply: FastifyReply,
  { status = 200, body, nextCursor, revision, headers = {} }: AdminAnswer
): unknown {
  reply.headers(headers)
  if (revision !== undefined) reply.header('etag', `"${revision}"`)
  if (nextCursor !== undefined) reply.header('x-next-cursor', nextCursor)
  reply.code(status)
  return body
}

function refused(reply: FastifyReply, { ok: _ok, ...refusal }: AdminRefusal): unknown {
  const { code, message = sentenceOf(code), ...more } = refusal
  // A gate's own word and fields are the answer.
  const gate = (more as { readonly refusal?: object }).refusal
  reply.code(statusOfRefusal(code))
  return gate === undefined ? { ...errorBody({ error: code, message }), ...more } : gate
}

function invalid(reply: FastifyReply, error: KeelsonError): unknown {
  const { path = '', problem = '' } = error.details as {
    readonly path?: string
    readonly problem?: string
  }
  reply.code(400)
  const { code, message } = error
  const fields = [{ path, message: problem }]
  return errorBody({ error: 'validation_failed', code, message, fields })
}

/** A draft is edited by one revision: `*` and no header take the newest. */
function ifMatchOf({ headers }: FastifyRequest): { readonly ifRevision?: number } {
  const tag = headers['if-match']
  if (tag === undefined || tag === '*') return {}
  return { ifRevision: Number(/^(?:W\/)?"(\d{1,15})"$/.exec(tag)?.[1] ?? Number.NaN) }
}

/** `not_draft` as a sentence. */
function sentenceOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function actorOf({ getActor }: MailerAdminOptions, request: FastifyRequest): string {
  if (getActor !== undefined) return getActor(request)
  const { user } = request as { readonly user?: { readonly email?: unknown } }
  return typeof user?.email === 'string' ? `human:${user.email}` : 'human:anonymous'
}

function actingOf(options: MailerAdminOptions, request: FastifyRequest): Acting {
  const userAgent = request.headers['user-agent']?.slice(0, 256)
  return {
    actor: actorOf(options, request),
    ip: request.ip,
    requestId: request.id,
    ...(userAgent !== undefined && { userAgent })
  }
}

async function permissionsOf(
  { permissions }: MailerAdminOptions,
  request: FastifyRequest
): Promise<AdminPermissions> {
  if (permissions === undefined) return ALL
  return { ...NONE, ...(await permissions(request)) }
}
