// The system families: counts and sums per tenant, kind, name and service, by hour and by day. Hidden from
// the registry and from views; every tile that asks for totals reads them instead of raw rows.
import { escapePart, wireId } from '../envelope/record-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledEvent } from '../registry/types.ts'
import { encodeKey } from '../storage/field-keys.ts'
import { bucketStart, DAY_MS } from './bucket.ts'
import type { Contribution } from './contributions.ts'

export const HOURLY = '$hourly'
export const DAILY = '$daily'

/** Days system documents are kept: hours for 400 days, days for five years. */
export const HOURLY_DAYS = 400
const DAILY_DAYS = 5 * 366

/** What the system counts of a record. */
export function systemContributions(event: CompiledEvent, row: StoredRow): Contribution[] {
  const at = row.occurredAt.getTime()
  const dims = [`kind=${row.kind}`, `name=${row.name}`, `service=${row.service}`]
  const head = escapePart(row.tenantId)
  const tail = `kind=${row.kind}|name=${escapePart(row.name)}|service=${escapePart(row.service)}`
  const sums = systemSums(event, row)
  const make = (as: string, bucketAt: number, days: number): Contribution => ({
    key: {
      _id: `${head}|${as}|${tail}|${bucketAt}`,
      tenantId: row.tenantId,
      as,
      dims,
      subjectType: undefined,
      bucketAt
    },
    at,
    recordId: wireId(row._id),
    sums,
    capture: undefined,
    traceId: undefined,
    expiresAt: bucketAt + days * DAY_MS
  })
  return [
    make(HOURLY, bucketStart(at, 'hour'), HOURLY_DAYS),
    make(DAILY, bucketStart(at, 'day'), DAILY_DAYS)
  ]
}

function systemSums(event: CompiledEvent, row: StoredRow): Record<string, number> | undefined {
  let sums: Record<string, number> | undefined
  if (row.durationMs !== undefined) sums = { durationMs: row.durationMs }
  if (row.metrics === undefined || event.isOpen) return sums
  for (const key of event.metrics.keys()) {
    const field = encodeKey(key)
    const value = row.metrics[field]
    if (value === undefined) continue
    sums ??= {}
    sums[field] = value
  }
  return sums
}
