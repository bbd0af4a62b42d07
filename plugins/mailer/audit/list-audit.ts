// Lists the audit log for operators.
import type { Filter } from 'mongodb'
import type { MailerContext } from '../context.ts'
import { type NewestPage, type PageOfRows, readNewest } from '../storage/newest-first.ts'
import type { AuditRow } from './audit-row.ts'

/** Which entries to list; what is set must hold. */
export interface AuditFilter extends NewestPage {
  readonly actor?: string
  readonly action?: string
  /** Slug or id of what was changed. */
  readonly resource?: string
}

/** A page of at most 200, the newest first. */
export async function listAudit(
  { collections }: Pick<MailerContext, 'collections'>,
  { actor, action, resource, ...page }: AuditFilter = {}
): Promise<PageOfRows<Omit<AuditRow, 'mentions'>>> {
  const filter: Filter<AuditRow> = {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(resource !== undefined && {
      $or: [{ 'resource.slug': resource }, { 'resource.id': resource }]
    })
  }
  const options = { ...page, time: 'at', maxLimit: 200 }
  const { rows, ...more } = await readNewest(collections.auditLog, filter, options)
  return { rows: rows.map(({ mentions: _mentions, ...row }) => row), ...more }
}
