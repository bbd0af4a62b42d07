// mailer.admin-api/v1: routes below the mailer's admin API, for people and for agents alike.
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Access, BoundOperation } from '../operation/operation.ts'
import {
  type Static,
  type TArray,
  type TOptional,
  type TSchema,
  type TString,
  Type
} from '../typebox.ts'
import { defineExtensionPoint, type ExtensionPoint, requiredFunctions } from './contract.ts'
import type { MailAuditEntry } from './mailer-audit.ts'
import type { MailerCore } from './mailer-core.ts'

/**
 * The setting `adminTenants` of a plugin beside the mailer: those of its pages, by `"tenants":
 * "${adminTenants}"`, and of its operations, by `adminAccess`. Usually the mailer's own.
 */
export const adminTenants: TOptional<TArray<TString>> = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 200,
    description:
      'Tenants whose administrators see the pages and may call the API, besides those of the platform.'
  })
)

const administrator = { auth: 'admin', tenants: '${adminTenants}' } as const
const writing = { ...administrator, scopes: ['mail:write'] } as const

/**
 * Who may call an operation that a plugin contributes: administrators of the setting `adminTenants`, by what
 * the mailer allows them. Tokens need the scope besides, and `agent: true` of the operation.
 */
export const adminAccess = {
  read: { ...administrator, scopes: ['mail:read'] },
  publish: { ...writing, permission: 'mailer.publish' },
  sendBroadcasts: { ...writing, permission: 'mailer.sendBroadcasts' },
  manageSuppressions: { ...writing, permission: 'mailer.manageSuppressions' }
} as const satisfies Readonly<Record<AdminPermission, Access>>

/** What a caller must be allowed to do. `read` is every caller of the admin API. */
export type AdminPermission = 'read' | 'publish' | 'sendBroadcasts' | 'manageSuppressions'

/** A file of an upload. */
export interface UploadedFile {
  /** The name of the form field. */
  readonly field: string
  /** As sent: never use it as a path. */
  readonly filename: string
  readonly contentType: string
  /** Read it before the next file. It fails with `upload_rejected` (413) over `maxFileBytes`. */
  readonly content: Readable
}

/** TypeBox schemas of a route. What does not match answers 400 `validation_failed`. */
export interface AdminRouteSchema {
  /** Of the `:name` parts of the path. */
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly body?: TSchema
  /** By status, as `{ 200: Type.Object({ … }) }`. Shown in the API's documents. */
  readonly response?: Readonly<Record<number, TSchema>>
}

type Given<S, Key extends string> = S extends { readonly [K in Key]: infer T extends TSchema }
  ? Static<T>
  : unknown

/** One call of a route, after validation and the check of permissions. */
export interface AdminCall<S extends AdminRouteSchema = AdminRouteSchema> {
  readonly params: Given<S, 'params'>
  readonly query: Given<S, 'querystring'>
  readonly body: Given<S, 'body'>
  /** Who calls, as the audit log names them: `human:<email>` or `agent:<name>`. */
  readonly actor: string
  readonly now: Date
  /** Aborted when the caller is gone or the host closes. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  readonly mailer: MailerCore
  /** The files of a multipart route, one after the other. */
  files(): AsyncIterable<UploadedFile>
  /** Adds actor, address, user agent and request id to an audit entry, and writes it. */
  audit(
    entry: Pick<MailAuditEntry, 'action' | 'resource' | 'before' | 'after' | 'dedupeKey'>
  ): Promise<void>
}

/** An answer. Refusals are `{ error, message, … }` with a status from 400. */
export interface AdminAnswer {
  /** Default 200; 204 when there is no body. */
  readonly status?: number
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One route. */
export interface AdminRoute<S extends AdminRouteSchema = AdminRouteSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the admin API, as `/dmarc/sources/:ip`. The mailer's own routes cannot be replaced. */
  readonly path: string
  /** One line for `/openapi.json` and for the agent's discovery document. */
  readonly summary: string
  readonly schema?: S
  /** Default `read` for GET; required for the other methods. */
  readonly permission?: AdminPermission
  /** Bytes of a JSON body. Default 1 MiB. */
  readonly bodyLimit?: number
  /** Takes a multipart form; `files()` reads it. */
  readonly upload?: { readonly maxFiles: number; readonly maxFileBytes: number }
  /**
   * Called after permissions and schemas. A KeelsonError is answered with its status and code; any other
   * throw is logged and answered with 500. A change must be audited with `call.audit`.
   */
  handler(call: AdminCall<S>): AdminAnswer | Promise<AdminAnswer>
}

/** A contribution: the routes of one plugin. */
export interface AdminApi {
  /** Kebab-case; names the plugin's group in the API's documents. */
  readonly name: string
  readonly routes?: readonly AdminRoute[]
  /** Served by the plugin itself, below `MAILER_ADMIN_API`; here the mailer can offer them elsewhere, too. */
  readonly operations?: readonly BoundOperation[]
}

/** The address that the operations of the mailer's admin API are below: the `base` of contributed ones. */
export const MAILER_ADMIN_API = '/admin/mailer/api'

/**
 * A route whose handler gets the types of its schemas.
 *
 * @example
 * const untag = adminRoute({
 *   method: 'DELETE',
 *   path: '/dmarc/sources/:ip',
 *   summary: 'Removes the label of a source.',
 *   permission: 'publish',
 *   schema: { params: Type.Object({ ip: Type.String() }) },
 *   handler: async ({ params }) => ({ body: { ok: true, deleted: await remove(params.ip) } })
 * })
 */
export function adminRoute<const S extends AdminRouteSchema>(route: AdminRoute<S>): AdminRoute {
  // The mailer calls the handler only with what the schemas let through.
  return route as unknown as AdminRoute
}

/** Owned by the mailer. An address that is taken is refused at start, naming both plugins. */
export const mailerAdminApi: ExtensionPoint<AdminApi> = defineExtensionPoint<AdminApi>(
  'mailer.admin-api/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    operations: Type.Optional(Type.Array(Type.Unknown())),
    routes: Type.Optional(
      Type.Array(
        Type.Object({
          method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
          path: Type.String({ pattern: '^/', maxLength: 256 }),
          summary: Type.String({ minLength: 1, maxLength: 200 }),
          permission: Type.Optional(
            Type.Enum(['read', 'publish', 'sendBroadcasts', 'manageSuppressions'])
          ),
          bodyLimit: Type.Optional(Type.Integer({ minimum: 1 })),
          upload: Type.Optional(
            Type.Object({
              maxFiles: Type.Integer({ minimum: 1 }),
              maxFileBytes: Type.Integer({ minimum: 1 })
            })
          ),
          ...requiredFunctions('handler')
        }),
        { minItems: 1 }
      )
    )
  })
)
