// mailer.operations/v1: the operations of the admin API without HTTP, each call checked by who makes it.
import {
  type Actor,
  type BoundOperation,
  bindOperations,
  type Operation,
  OWN_REFUSALS,
  runOperation
} from '@keelson/sdk'
import type { AdminHost } from '../admin/admin-operation.ts'
import { adminOperations } from '../admin/admin-operations.ts'
import { mailFiles } from '../admin/mail-files.ts'
import type {
  ActingOperations,
  MailerCallOptions,
  MailerOperationId,
  MailerOperations,
  MailerResult
} from '../contracts/mailer-operations.ts'
import { errors, errorTable } from '../errors.ts'
import { actingOf } from '../ledger/acting.ts'

/** Whether a person has a permission, as `mailer.publish`. */
export type PermitsActor = (actor: Actor, permission: string) => boolean

/** The capability over the operations of one mailer. */
export function createOperations(host: AdminHost, permits: PermitsActor): MailerOperations {
  const { context } = host
  const own = bindOperations(adminOperations, host)
  const byId = new Map(own.map((bound) => [bound.operation.id, bound]))
  return {
    own,
    contributed: () => context.extensions.adminApis().flatMap(({ api }) => api.operations),
    files: mailFiles.map(({ method, path, schema, send }) => ({
      method,
      path,
      summary: schema.summary,
      send: (request, reply, actor) => send(request, reply, { context, acting: actingOf(actor) })
    })),
    errors: errorTable,
    as: (actor) => actingOperations({ host, byId, permits, actor })
  }
}

interface Acting {
  readonly host: AdminHost
  readonly byId: ReadonlyMap<string, BoundOperation>
  readonly permits: PermitsActor
  readonly actor: Actor
}

function actingOperations({ host, byId, permits, actor }: Acting): ActingOperations {
  const { context } = host
  /** The rule of who may use mail at all, and that of the permission, which a session was not asked for yet. */
  const mayCall = async ({ access: { permission } }: Operation<never>): Promise<boolean> =>
    (await context.admits(actor, permission)) &&
    (permission === undefined || permits(actor, permission))
  return {
    async call<Id extends MailerOperationId>(
      id: Id,
      input: object,
      { ifRevision, callKey, signal = NEVER }: MailerCallOptions = {}
    ) {
      const bound = byId.get(id)
      if (bound === undefined) throw errors.MLR_OPERATION_UNKNOWN({ id })
      if (!(await mayCall(bound.operation))) return FORBIDDEN
      const result = await runOperation(bound, input, {
        actor,
        signal,
        ifRevision,
        callKey,
        log: context.log,
        may: (permission) => permits(actor, permission)
      })
      if (!result.ok) return result as MailerResult<Id>
      const { nextCursor } = result.facts
      const answer = {
        ok: true,
        answer: result.body,
        ...(nextCursor !== undefined && { nextCursor })
      }
      return answer as MailerResult<Id>
    }
  }
}

const NEVER = new AbortController().signal
const FORBIDDEN = { ok: false, code: 'forbidden', message: OWN_REFUSALS.forbidden.message } as const
