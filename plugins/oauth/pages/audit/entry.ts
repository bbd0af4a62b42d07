// Audit rows as the page reads and names them. Pure.
import type { AuditEntry } from '../../operations/answers.ts'

/** The name that the catalog knows a type by: the prefix of a type does not matter. */
export const kindOf = (type: string): string => type.replace(/^oauth\./, '')

/** Types that mean credentials were misused. */
const ALARMS = new Set(['code_replay', 'refresh_reuse_detected', 'refresh_wrong_client'])

export const isAlarm = ({ type }: Pick<AuditEntry, 'type'>): boolean => ALARMS.has(kindOf(type))

/**
 * The `before` that brings the rows below these: a millisecond after the last one, because others may
 * have happened in the same; what is known already is dropped.
 */
export function beforeOf(rows: readonly AuditEntry[]): string | undefined {
  const last = rows.at(-1)
  if (last === undefined) return undefined
  return new Date(Date.parse(last.createdAt) + 1).toISOString()
}

/** A value of `meta` on one line. */
export const metaText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : JSON.stringify(value)
