// Tenants with their totals, from the system families: constant time, whatever the number of rows.
import type { Document } from 'mongodb'
import { scopeFilter } from '../queries/row-filter.ts'
import { MAX_TIME_MS } from '../queries/row-source.ts'
import { bucketStart, DAY_MS } from '../rollups/bucket.ts'
import { DAILY } from '../rollups/system.ts'
import type { Telemetry } from '../telemetry.ts'

const DAYS = 30

export interface TenantTotals {
  readonly tenantId: string
  /** Records of the last 30 days. */
  readonly events: number
  /** Event names and services seen in them. */
  readonly series: number
  /** Rollup families that these events feed. */
  readonly families: readonly string[]
  readonly lastActivity: Date
}

type Found = Omit<TenantTotals, 'families'> & { readonly names: readonly string[] }

export async function listTenants(
  { collections, clock, registry }: Telemetry,
  scope: string,
  limit: number
): Promise<{ readonly tenants: readonly TenantTotals[]; readonly truncated: boolean }> {
  const found = await collections.rollups
    .aggregate<Found>(tenantsPipeline(scope, clock.now(), limit + 1), {
      maxTimeMS: MAX_TIME_MS
    })
    .toArray()
  const tenants = found.slice(0, limit).map(({ names, ...totals }) => {
    const fed = names.flatMap((name) => registry.event(name)?.rollups ?? [])
    return { ...totals, families: [...new Set(fed.map(({ as }) => as))].sort() }
  })
  return { tenants, truncated: found.length > limit }
}

/** Dimensions of the system families are `kind=…`, `name=…`, `service=…`. */
const NAMES = { $map: { input: '$dims', in: { $substrCP: ['$$this', 'name='.length, 1000] } } }

export function tenantsPipeline(scope: string, now: Date, limit: number): Document[] {
  const from = new Date(bucketStart(now.getTime() - DAYS * DAY_MS, 'day'))
  return [
    { $match: { ...scopeFilter(scope), as: DAILY, bucketAt: { $gte: from } } },
    {
      $group: {
        _id: { tenantId: '$tenantId', dims: '$dims' },
        events: { $sum: '$count' },
        lastActivity: { $max: '$lastAt' }
      }
    },
    {
      $group: {
        _id: '$_id.tenantId',
        events: { $sum: '$events' },
        series: { $sum: 1 },
        dims: { $addToSet: { $arrayElemAt: ['$_id.dims', 1] } },
        lastActivity: { $max: '$lastActivity' }
      }
    },
    { $sort: { events: -1, _id: 1 } },
    { $limit: limit },
    { $project: { _id: 0, tenantId: '$_id', events: 1, series: 1, lastActivity: 1, names: NAMES } }
  ]
}
