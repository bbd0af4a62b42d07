// The system families: counts and sums per tenant, kind, name and service, by hour and by day. Hidden from
// the registry and from views; every tile that asks for totals reads them instead of raw rows.
import { escapePart } from '../envelope/record-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledEvent } from '../registry/types.ts'
import { bucketStart, DAY_MS } from './bucket.ts'
import { joinId } from './dimension.ts'
import {
  addSum,
  countRecord,
  type Increment,
  type Increments,
  startIncrement
} from './increment.ts'

export const HOURLY = '$hourly'
export const DAILY = '$daily'

/** Days system documents are kept: hours for 400 days, days for five years. */
export const HOURLY_DAYS = 400
const DAILY_DAYS = 5 * 366

/** Counts a record in the system's hour and day. */
export function addToSystem(
  increments: Increments,
  event: CompiledEvent,
  row: StoredRow,
  tenant: string,
  at: number
): void {
  const dims = `kind=${row.kind}|name=${escapePart(row.name)}|service=${escapePart(row.service)}`
  const hour = bucketStart(at, 'hour')
  const day = bucketStart(at, 'day')
  const inHour = systemIncrement(increments, HOURLY, row, tenant, dims, hour, at)
  const inDay = systemIncrement(increments, DAILY, row, tenant, dims, day, at)
  countRecord(inHour, row, at, hour + HOURLY_DAYS * DAY_MS)
  countRecord(inDay, row, at, day + DAILY_DAYS * DAY_MS)
  if (row.durationMs !== undefined) addBoth(inHour, inDay, 'durationMs', row.durationMs)
  if (row.metrics === undefined || event.isOpen) return
  for (const field of event.metricFields) {
    const value = row.metrics[field]
    if (value !== undefined) addBoth(inHour, inDay, field, value)
  }
}

function addBoth(a: Increment, b: Increment, field: string, value: number): void {
  addSum(a, field, value)
  addSum(b, field, value)
}

function systemIncrement(
  increments: Increments,
  as: string,
  row: StoredRow,
  tenant: string,
  dims: string,
  bucketAt: number,
  at: number
): Increment {
  const _id = joinId(tenant, as, dims, bucketAt)
  const known = increments.get(_id)
  if (known !== undefined) return known
  const key = {
    _id,
    tenantId: row.tenantId,
    as,
    dims: [`kind=${row.kind}`, `name=${row.name}`, `service=${row.service}`],
    subjectType: undefined,
    bucketAt
  }
  const made = startIncrement(key, undefined, row, at)
  increments.set(_id, made)
  return made
}
