// Counts errors in telemetry: of one tenant, within bounded hours, and never more services than a page shows.

import type { Clock } from '@keelson/sdk'
import type { TelemetryStore } from '@keelson/telemetry/contracts'
import type { DigestAnswer } from './schemas.ts'

/** More are left out: those with the most errors come first. */
const MOST = 50
const HOUR_MS = 3_600_000

interface Counted {
  readonly _id: string
  readonly errors: number
  readonly lastAt: Date
}

export interface DigestReader {
  readonly telemetry: TelemetryStore
  readonly clock: Clock
  readonly hours: number
}

/** `scoped` adds the tenant to each read: a viewer of one tenant cannot see another's. */
export async function countErrors(
  { telemetry, clock, hours }: DigestReader,
  tenantId: string
): Promise<DigestAnswer> {
  const since = new Date(clock.now().getTime() - hours * HOUR_MS)
  const counted = (await telemetry
    .scoped(tenantId)
    .aggregate([
      { $match: { kind: 'error', occurredAt: { $gte: since } } },
      { $group: { _id: '$service', errors: { $sum: 1 }, lastAt: { $max: '$occurredAt' } } },
      { $sort: { errors: -1, _id: 1 } },
      { $limit: MOST }
    ])) as Counted[]
  const items = counted.map(({ _id: service, errors, lastAt }) => ({
    service,
    errors,
    lastAt: lastAt.toISOString()
  }))
  return { hours, items }
}
