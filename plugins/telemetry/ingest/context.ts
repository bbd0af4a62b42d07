// Whose rows a batch writes: the key's tenant, the one the batch claims, or the session's.

import type { FastifyRequest } from 'fastify'
import { isPlainObject } from '../bounds.ts'
import { isTenant, readSubjects, type SubjectList } from '../envelope/refs.ts'
import type { Subject } from '../schemas/envelope.ts'
import type { StoredKey } from '../storage/stored-key.ts'

/** What the host knows about the caller of a session key. */
export interface SessionContext {
  readonly tenantId: string
  readonly subjects?: readonly Subject[]
  /** `<type>:<id>` */
  readonly actor?: string
}

/** Answers for session keys: who is calling. null: signed out. */
export interface ContextAdapter {
  resolveContext(request: FastifyRequest): Promise<SessionContext | null> | SessionContext | null
}

/** A session's context, read. */
export interface HostContext {
  readonly subjects: SubjectList
  readonly actor: string | undefined
}

export type TenantFault =
  | 'no_context_adapter'
  | 'no_session'
  | 'tenant_required'
  | 'reserved_tenant'

export type TenantVerdict =
  | { readonly ok: true; readonly tenantId: string; readonly host: HostContext | undefined }
  | { readonly ok: false; readonly fault: TenantFault }

const fail = (fault: TenantFault): TenantVerdict => ({ ok: false, fault })

/** Decides the tenant of a batch. */
export async function resolveTenant(
  request: FastifyRequest,
  key: StoredKey,
  context: unknown,
  adapter: ContextAdapter | undefined
): Promise<TenantVerdict> {
  switch (key.tenantMode) {
    case 'fixed':
      return checkTenant(key.tenantId, undefined)
    case 'claimed':
      return checkTenant(isPlainObject(context) ? context['tenantId'] : undefined, undefined)
    case 'session': {
      if (adapter === undefined) return fail('no_context_adapter')
      const session = await adapter.resolveContext(request)
      if (session === null || session === undefined) return fail('no_session')
      const subjects = readSubjects(session.subjects) ?? { refs: [], roles: undefined }
      return checkTenant(session.tenantId, { subjects, actor: session.actor })
    }
  }
}

function checkTenant(tenantId: unknown, host: HostContext | undefined): TenantVerdict {
  if (tenantId === '*') return fail('reserved_tenant')
  return isTenant(tenantId) ? { ok: true, tenantId, host } : fail('tenant_required')
}
