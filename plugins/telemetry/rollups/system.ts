// The system families: counts and sums per tenant, kind, name and service, by hour and by day. Hidden from
// the registry and from views; every tile that asks for totals reads them instead of raw rows.
import { escapePart } from '../envelope/record-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledEvent } from '../registry/types.ts'
import { bucketStart, DAY_MS } from './bucket.ts'
import { joinId } from './dimension.ts'
import { addSum, countIn, emptyIncrement, type Increment } from './increment.ts'
import { bucketOf, emptyBuckets, type Ledger, type Page, type SystemPage } from './ledger.ts'

export const HOURLY = '$hourly'
export const DAILY = '$daily'

/** Days system documents are kept: hours for 400 days, days for five years. */
export const HOURLY_DAYS = 400
const DAILY_DAYS = 5 * 366

/** Counts a record in the system's hour and day. */
export function addToSystem(
  ledger: Ledger,
  page: Page,
  event: CompiledEvent,
  row: StoredRow,
  at: number
): void {
  const { hours, days } = systemOf(page, event, row.service)
  const hour = bucketStart(at, 'hour')
  const day = bucketStart(at, 'day')
  const inHour = bucketOf(hours, hour, () => documentOf(ledger, page, HOURLY, row, hour))
  const inDay = bucketOf(days, day, () => documentOf(ledger, page, DAILY, row, day))
  const counting = { ledger, row, at, capture: undefined }
  countIn(inHour, counting, hour + HOURLY_DAYS * DAY_MS)
  countIn(inDay, counting, day + DAILY_DAYS * DAY_MS)
  if (row.durationMs !== undefined) addBoth(inHour, inDay, 'durationMs', row.durationMs)
  if (row.metrics === undefined || event.isOpen) return
  for (const field of event.metricFields) {
    const value = row.metrics[field]
    if (value !== undefined) addBoth(inHour, inDay, field, value)
  }
}

function systemOf(page: Page, event: CompiledEvent, service: string): SystemPage {
  let services = page.systems.get(event)
  if (services === undefined) {
    services = new Map()
    page.systems.set(event, services)
  }
  let system = services.get(service)
  if (system === undefined) {
    system = { hours: emptyBuckets(), days: emptyBuckets() }
    services.set(service, system)
  }
  return system
}

function addBoth(a: Increment, b: Increment, field: string, value: number): void {
  addSum(a, field, value)
  addSum(b, field, value)
}

function documentOf(
  ledger: Ledger,
  page: Page,
  as: string,
  { kind, name, service }: StoredRow,
  bucketAt: number
): Increment {
  ledger.admit()
  const joined = `kind=${kind}|name=${escapePart(name)}|service=${escapePart(service)}`
  const key = {
    _id: joinId(page.escaped, as, joined, bucketAt),
    tenantId: page.tenantId,
    as,
    dims: [`kind=${kind}`, `name=${name}`, `service=${service}`],
    subjectType: undefined,
    bucketAt
  }
  return emptyIncrement(key)
}
