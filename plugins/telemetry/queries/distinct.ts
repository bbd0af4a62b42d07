// Distinct subjects by interval and over the whole range.

import type { Document } from 'mongodb'
import { bucketStart, coarser } from '../rollups/bucket.ts'
import type { DistinctResult } from '../schemas/reads.ts'
import { requireDistinctFamily } from './families.ts'
import { findPeople } from './people.ts'
import type { Reader } from './reader.ts'
import { rangeTerm, scopeFilter } from './row-filter.ts'
import { MAX_TIME_MS } from './row-source.ts'
import { checkInterval } from './series.ts'
import { type DistinctParams, QueryError } from './types.ts'

interface Bucketed {
  readonly _id: Date
  readonly tenants: readonly string[]
  readonly refs: readonly string[]
  readonly times: readonly Date[]
}

export async function readDistinct(
  reader: Reader,
  scope: string,
  params: DistinctParams
): Promise<DistinctResult> {
  const { as } = params
  if (typeof as !== 'string' || as === '') throw new QueryError('rollup family required')
  checkInterval(params.interval)
  const { bucket } = requireDistinctFamily(reader.registry(), as)
  const cap = reader.limits.distinct
  const found = await reader.rollups
    .aggregate<Bucketed>(distinctPipeline(scope, params, cap + 1), { maxTimeMS: MAX_TIME_MS })
    .toArray()
  const interval = coarser(bucket, params.interval ?? bucket)
  const scanned = found.reduce((sum, one) => sum + one.refs.length, 0)
  const people = await findPeople(
    reader,
    scope,
    found.flatMap(({ refs }) => refs)
  )
  const all = new Set<string>()
  const byBucket = new Map<number, Set<string>>()
  for (const one of found) {
    const at = bucketStart(one._id.getTime(), interval)
    const inBucket = byBucket.get(at) ?? new Set()
    byBucket.set(at, inBucket)
    for (const [index, ref] of one.refs.entries()) {
      const tenant = one.tenants[index] ?? ''
      const who = `${tenant}\n${people.refAt(tenant, ref, one.times[index]?.getTime() ?? 0)}`
      all.add(who)
      inBucket.add(who)
    }
  }
  const buckets = [...byBucket].sort(([a], [b]) => a - b)
  return {
    buckets: buckets.map(([at, members]) => ({ at: new Date(at), value: members.size })),
    distinct: all.size,
    interval,
    truncated: scanned > cap,
    dataSource: 'rollups'
  }
}

/** One document a bucket with everybody in it: refs of different tenants are different people. */
export function distinctPipeline(scope: string, params: DistinctParams, limit: number): Document[] {
  const { as, subjectType } = params
  return [
    {
      $match: {
        ...scopeFilter(scope),
        as,
        bucketAt: rangeTerm(params),
        ...(subjectType !== undefined && { subjectType })
      }
    },
    // The newest buckets count when there are more than may be read.
    { $sort: { bucketAt: -1, _id: -1 } },
    { $limit: limit },
    {
      $group: {
        _id: '$bucketAt',
        tenants: { $push: '$tenantId' },
        refs: { $push: { $arrayElemAt: ['$dims', 0] } },
        times: { $push: '$firstAt' }
      }
    }
  ]
}
