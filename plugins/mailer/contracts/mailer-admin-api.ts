// mailer.admin-api/v1: operations below the mailer's admin API, for people and for agents alike.
import type { Access, BoundOperation, Operation, Refused } from '@keelson/sdk'
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { type TArray, type TOptional, type TString, Type } from '@keelson/sdk/typebox'
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
  change: writing,
  publish: { ...writing, permission: 'mailer.publish' },
  sendBroadcasts: { ...writing, permission: 'mailer.sendBroadcasts' },
  manageSuppressions: { ...writing, permission: 'mailer.manageSuppressions' }
} as const satisfies Readonly<Record<AdminPermission, Access>>

/** What a caller must be allowed to do. `read` and `change`, which makes drafts, is every caller of the admin API. */
export type AdminPermission =
  | 'read'
  | 'change'
  | 'publish'
  | 'sendBroadcasts'
  | 'manageSuppressions'

/** The address that the operations of the mailer's admin API are below: the `base` of contributed ones. */
export const MAILER_ADMIN_API = '/admin/mailer/api'

/**
 * The operations of a plugin beside the mailer, where each that does more than read asks the mailer first whether
 * the caller may act. A guard of the plugin may admit a caller whom the mailer refuses: without the question, the
 * change would be made before its audit entry is refused.
 *
 * @param mailerOf the mailer among what the operations are served with
 * @example
 * export const dnsblOperations = askingFirst([read, recheck], ({ mailer }: DnsblHost) => mailer())
 */
export function askingFirst<H>(
  operations: readonly Operation<H>[],
  mailerOf: (host: H) => Pick<MailerCore, 'as'>
): readonly Operation<H>[] {
  return operations.map((operation) => {
    if (operation.effect === 'read') return operation
    return {
      ...operation,
      async run(input, call) {
        const isAllowed = await mailerOf(call.host).as(call.actor).allowed()
        if (!isAllowed) return { ok: false, code: 'forbidden' } satisfies Refused
        return operation.run(input, call)
      }
    } satisfies Operation<H>
  })
}

/** A contribution: operations of one plugin. */
export interface AdminApi {
  /** Kebab-case; names the plugin. */
  readonly name: string
  /** Served by the plugin itself, below `MAILER_ADMIN_API`; here the mailer can offer them elsewhere, too. */
  readonly operations: readonly BoundOperation[]
}

/**
 * Owned by the mailer. The plugin serves its operations itself; what it contributes is offered where the
 * admin API is mounted once more: to agents, and to hosts without the kernel.
 *
 * @example
 * host.serve(dnsblOperations, services)
 * host.extend(mailerAdminApi, {
 *   name: 'block-lists',
 *   operations: bindOperations(dnsblOperations, services)
 * })
 */
export const mailerAdminApi: ExtensionPoint<AdminApi> = defineExtensionPoint<AdminApi>(
  'mailer.admin-api/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    operations: Type.Array(
      Type.Object({
        operation: Type.Object({
          id: Type.String(),
          base: Type.Literal(MAILER_ADMIN_API),
          ...requiredFunctions('run')
        })
      }),
      { minItems: 1 }
    )
  })
)
