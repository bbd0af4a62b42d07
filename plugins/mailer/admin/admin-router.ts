// The admin API on any Fastify app: routes as data, one shape of errors, an actor for each change.
import { acceptForms } from '@keelson/kernel/standalone'
import {
  acceptEmptyJson,
  bindOperations,
  errorBody,
  OWN_REFUSALS,
  operationRoutes,
  originOf,
  permissionRefusal
} from '@keelson/sdk'
import { standaloneShell } from '@keelson/ui/server'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { Acting } from '../ledger/template-input.ts'
import { adminOperations } from './admin-operations.ts'
import type { MailFile } from './mail-file.ts'
import { mailFiles } from './mail-files.ts'

/** The part of a mailer that the admin router needs. */
export interface AdminMailer {
  readonly events: EventRegistry
  getRunnerContext(): MailerContext
  /** Folders of the plugins whose pages the shell shows, the mailer's first. Without them there is no shell. */
  readonly pageFolders?: readonly string[]
}

/** What an administrator may be allowed to do beyond reading. */
export type AdminPermission = 'canPublish' | 'canSendBroadcasts' | 'canManageSuppressions'

/** What an administrator may do. */
export type AdminPermissions = Readonly<Record<AdminPermission, boolean>>

/** Options of `createMailerAdmin`. */
export interface MailerAdminOptions {
  /** The actor for the audit log. Default: `human:` and the email of `request.user`, or `anonymous`. */
  readonly getActor?: (request: FastifyRequest) => string
  /** Where the built browser files of @keelson/ui are. Default: in the installed package. */
  readonly spaDir?: string
  /** What the caller may do. Default: everything. */
  readonly permissions?: (
    request: FastifyRequest
  ) => Partial<AdminPermissions> | Promise<Partial<AdminPermissions>>
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
const NOT_FOUND = { error: 'not_found', message: 'There is nothing at this address.' }
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Permissions by the name that operations use. */
const PERMISSIONS = {
  publish: 'canPublish',
  sendBroadcasts: 'canSendBroadcasts',
  manageSuppressions: 'canManageSuppressions'
} as const

/**
 * Makes the admin router: a Fastify plugin, to be registered behind the host's own sign-in with the prefix
 * `/admin/mailer`. The API is below `/api`, and every other path is the shell with the pages. With another prefix
 * there is the API alone.
 */
export function createMailerAdmin(
  mailer: AdminMailer,
  options: MailerAdminOptions = {}
): FastifyPluginAsync {
  return async (app) => {
    acceptEmptyJson(app)
    for (const file of mailFiles) addFile(app, file, { mailer, options })
    addNotFound(app)
    await app.register(operationsOf(app, mailer, options))
    const shell = shellOf(app.prefix, mailer, options)
    if (shell !== undefined) await app.register(shell)
  }
}

/** Where the pages name themselves and the API, on the platform as here. */
const MOUNT = '/admin/mailer'

function shellOf(
  mountPath: string,
  { pageFolders: [folder, ...moreFolders] = [] }: AdminMailer,
  { spaDir }: MailerAdminOptions
): FastifyPluginAsync | undefined {
  if (folder === undefined || !mountPath.endsWith(MOUNT)) return undefined
  return standaloneShell({
    mountPath,
    prefix: mountPath.slice(0, -MOUNT.length),
    title: 'Mail',
    folder,
    moreFolders,
    browserFolder: spaDir
  })
}

/** The route that answers a file; the kernel serves it as plugin.json declares it. */
function addFile(
  app: FastifyInstance,
  { method, path, permission, schema, send }: MailFile,
  { mailer, options }: { readonly mailer: AdminMailer; readonly options: MailerAdminOptions }
): void {
  app.route({
    method,
    url: `/api${path}`,
    schema: { summary: schema.summary } as object,
    handler: async (request, reply) => {
      if (!grants(await permissionsOf(options, request), permission)) {
        const { status, message, fix } = OWN_REFUSALS.forbidden
        return reply.code(status).send(errorBody({ error: 'forbidden', message, fix }))
      }
      const context = mailer.getRunnerContext()
      return send(request, reply, { context, acting: actingOf(options, request) })
    }
  })
}

/** The operations of the mailer and of other plugins, on an app whose guard knows no permissions. */
function operationsOf(
  app: FastifyInstance,
  mailer: AdminMailer,
  options: MailerAdminOptions
): FastifyPluginAsync {
  const context = mailer.getRunnerContext()
  const { events } = mailer
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const contributed = context.extensions.adminApis().flatMap(({ api }) => api.operations)
  const operations = [...bindOperations(adminOperations, { context, events }), ...contributed]
  const forms = operations.flatMap(({ operation: { upload } }) =>
    upload?.kind === 'form' ? [upload.maxFileBytes] : []
  )
  if (forms.length > 0) acceptForms(app, Math.max(...forms))
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

/** Other addresses of the API answer as JSON. */
function addNotFound(app: FastifyInstance): void {
  for (const method of METHODS) {
    app.route({
      method,
      url: '/api/*',
      handler: async (_request, reply) => reply.code(404).send(errorBody(NOT_FOUND))
    })
  }
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
