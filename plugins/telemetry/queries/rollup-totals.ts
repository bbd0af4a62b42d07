// Documents of a rollup family added up by their dimensions, over all buckets of a range.

import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import type { RollupFamily } from '../registry/types.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { RollupTotal, RollupTotalsResult } from '../schemas/reads.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rollupsFind } from './rollups.ts'
import { MAX_TIME_MS } from './row-source.ts'
import type { RollupsParams } from './types.ts'

export type RollupTotalsParams = Pick<RollupsParams, 'as' | 'from' | 'to' | 'limit'>

type Group = Pick<StoredRollup, 'subjectType' | 'bucketAt' | 'firstAt' | 'lastAt' | 'count'> &
  Readonly<Record<`sum${number}`, number>> & {
    readonly _id: Pick<StoredRollup, 'tenantId' | 'dims'>
  }

interface Found {
  readonly totals: readonly Group[]
  readonly all: readonly { readonly values: number; readonly documents: number }[]
}

/** The largest counts first. */
export async function readRollupTotals(
  { rollups, registry, limits }: Reader,
  scope: string,
  params: RollupTotalsParams
): Promise<RollupTotalsResult> {
  const family = registry().family(params.as)
  const pipeline = rollupTotalsPipeline(scope, params, {
    family,
    documents: limits.distinct + 1,
    groups: clampLimit(params.limit, limits.rollups)
  })
  // Families of the system are not for reading by name.
  const found = params.as.startsWith('$')
    ? []
    : await rollups.aggregate<Found>(pipeline, { maxTimeMS: MAX_TIME_MS }).toArray()
  const { values = 0, documents = 0 } = found[0]?.all[0] ?? {}
  return {
    totals: (found[0]?.totals ?? []).map((group) => showTotal(group, family?.sum ?? [])),
    values,
    documents: Math.min(documents, limits.distinct),
    bucket: family?.bucket ?? null,
    truncated: documents > limits.distinct,
    dataSource: 'rollups'
  }
}

function showTotal(group: Group, sums: readonly string[]): RollupTotal {
  const { _id, subjectType, bucketAt, firstAt, lastAt, count } = group
  return {
    ..._id,
    // Absent in the documents is null in their group.
    ...(typeof subjectType === 'string' && { subjectType }),
    ...(bucketAt instanceof Date && { bucketAt }),
    firstAt,
    lastAt,
    count,
    sums: Object.fromEntries(sums.map((key, at) => [key, group[`sum${at}`] ?? 0]))
  }
}

export interface TotalsLimits {
  readonly family: RollupFamily | undefined
  /** Documents that are added up, the newest. */
  readonly documents: number
  /** Totals of an answer, the largest. */
  readonly groups: number
}

/** The totals, and how many there are of how many documents, in one document. @throws QueryError */
export function rollupTotalsPipeline(
  scope: string,
  params: RollupTotalsParams,
  { family, documents, groups }: TotalsLimits
): Document[] {
  const sums = (family?.sum ?? []).map((key, at) => [
    `sum${at}`,
    { $sum: `$sums.${encodeKey(key)}` }
  ])
  return [
    { $match: rollupsFind(scope, params, family).filter },
    { $sort: family?.bucket === undefined ? { lastAt: -1, _id: 1 } : { bucketAt: -1, _id: -1 } },
    { $limit: documents },
    {
      $group: {
        _id: { tenantId: '$tenantId', dims: '$dims' },
        subjectType: { $first: '$subjectType' },
        bucketAt: { $max: '$bucketAt' },
        firstAt: { $min: '$firstAt' },
        lastAt: { $max: '$lastAt' },
        count: { $sum: '$count' },
        documents: { $sum: 1 },
        ...Object.fromEntries(sums)
      }
    },
    {
      $facet: {
        totals: [{ $sort: { count: -1, _id: 1 } }, { $limit: groups }],
        all: [{ $group: { _id: null, values: { $sum: 1 }, documents: { $sum: '$documents' } } }]
      }
    }
  ]
}
