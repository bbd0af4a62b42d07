// Reads the audit log for operators: the list, and one entry with what it changed.

import { type NewestPage, type PageOfRows, readNewestOfAny } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { AuditRow } from '../audit-row.ts'
import { changesBetween, type FieldChange } from '../changes-between.ts'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'

/** Which entries to list; what is set must hold. */
export interface AuditFilter extends NewestPage {
  readonly actor?: string
  readonly action?: string
  /** Slug or id of what was changed. */
  readonly resource?: string
  /** From this time on, and before that one. */
  readonly from?: Date
  readonly to?: Date
}

/** A page of at most 200, the newest first. */
export async function listAudit(
  { collections }: Pick<MailerContext, 'collections'>,
  { actor, action, resource, from, to, ...page }: AuditFilter = {}
): Promise<PageOfRows<Omit<AuditRow, 'mentions'>>> {
  const filter: Filter<AuditRow> = {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...((from ?? to) !== undefined && { at: defined({ $gte: from, $lt: to }) })
  }
  const options = { ...page, time: 'at', maxLimit: 200 }
  const filters =
    resource === undefined
      ? [filter]
      : ['slug', 'id'].map((name) => ({ ...filter, [`resource.${name}`]: resource }))
  const { rows, ...more } = await readNewestOfAny(collections.auditLog, filters, options)
  return { rows: rows.map(({ mentions: _mentions, ...row }) => row), ...more }
}

/** An entry, and what it changed field by field; null when the id is unknown. */
export async function readAudit(
  { collections }: Pick<MailerContext, 'collections'>,
  id: string
): Promise<(Omit<AuditRow, 'mentions'> & { readonly changes: readonly FieldChange[] }) | null> {
  const entry = await collections.auditLog.findOne({ _id: id }, { projection: { mentions: 0 } })
  return entry && { ...entry, changes: changesBetween(stateOf(entry.before), stateOf(entry.after)) }
}

/** The state as an object: a number or text becomes the field `value`. */
function stateOf(state: unknown): object {
  if (state === undefined || state === null) return {}
  return typeof state === 'object' ? state : { value: state }
}
