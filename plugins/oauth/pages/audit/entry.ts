// Audit rows as the page reads and names them. Pure.

export interface AuditEntry {
  readonly id: string
  readonly type: string
  readonly actor: 'user' | 'client' | 'admin' | 'system'
  readonly actorId?: string
  readonly clientId?: string
  readonly userId?: string
  readonly grantId?: string
  readonly ip?: string
  readonly requestId?: string
  readonly meta?: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

/** The name that the catalog knows a type by: with and without its prefix are the same thing. */
export const kindOf = (type: string): string => type.replace(/^oauth\./, '')

/** Types that mean somebody used what was not theirs. */
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
