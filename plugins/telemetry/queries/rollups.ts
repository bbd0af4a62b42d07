// Documents of a rollup family.

import type { Document, Sort } from 'mongodb'
import type { RollupFamily } from '../registry/types.ts'
import { bucketStart } from '../rollups/bucket.ts'
import type { RollupsResult } from '../schemas/reads.ts'
import { clampLimit, type Reader } from './reader.ts'
import { scopeFilter } from './row-filter.ts'
import { MAX_TIME_MS } from './row-source.ts'
import { showRollup } from './show-rollup.ts'
import {
  QueryError,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  type RollupSort,
  type RollupsParams
} from './types.ts'

const MAX_DIMS = 100

const DIRECTIONS = {
  count: { count: -1, _id: 1 },
  lastAt: { lastAt: -1, _id: 1 },
  firstAt: { firstAt: 1, _id: 1 },
  bucketAt: { bucketAt: 1, _id: 1 }
} as const satisfies Record<RollupSort, Sort>

export async function readRollups(
  reader: Reader,
  scope: string,
  params: RollupsParams
): Promise<RollupsResult> {
  const { rollups, limits } = reader
  const limit = clampLimit(params.limit, limits.rollups)
  const family = reader.registry().family(params.as)
  const { filter, sort } = rollupsFind(scope, params, family)
  const bucketed = family?.bucket !== undefined
  // Families of the system are not for reading by name.
  if (params.as.startsWith('$'))
    return { rows: [], bucketed, truncated: false, dataSource: 'rollups' }
  const found = await rollups
    .find(filter)
    .sort(sort)
    .limit(limit + 1)
    .maxTimeMS(MAX_TIME_MS)
    .toArray()
  return {
    rows: found.slice(0, limit).map(showRollup),
    bucketed,
    truncated: found.length > limit,
    dataSource: 'rollups'
  }
}

/** Filter and sort of a read, such that an index serves it. */
export function rollupsFind(
  scope: string,
  params: RollupsParams,
  family: RollupFamily | undefined
): { readonly filter: Document; readonly sort: Sort } {
  checkParams(params)
  const bucket = family?.bucket
  const {
    as,
    dims,
    subjectType,
    from,
    to,
    on = bucket === undefined ? 'lastAt' : 'bucketAt'
  } = params
  const sort = params.sort ?? (bucket === undefined ? 'count' : 'bucketAt')
  const filter: Document = { ...scopeFilter(scope), as }
  if (bucket === undefined) filter['lifetime'] = true
  else filter['bucketAt'] = { $exists: true }
  if (dims !== undefined && dims.length > 0) {
    filter['dims'] = dims.length === 1 ? dims[0] : { $in: [...dims] }
  }
  if (subjectType !== undefined) filter['subjectType'] = subjectType
  const range = rangeOf(from, to)
  if (range === undefined) return { filter, sort: DIRECTIONS[sort] }
  if (bucket !== undefined && on !== 'bucketAt') {
    // First and last lie inside their bucket: that bounds the scan of the index.
    filter['bucketAt'] = {
      ...(from !== undefined && { $gte: new Date(bucketStart(from.getTime(), bucket)) }),
      ...(to !== undefined && { $lt: to })
    }
  }
  filter[on] = range
  return { filter, sort: DIRECTIONS[sort] }
}

function rangeOf(from: Date | undefined, to: Date | undefined): Document | undefined {
  if (from === undefined && to === undefined) return undefined
  if (from !== undefined && to !== undefined && !(from < to)) {
    throw new QueryError('invalid time range')
  }
  return { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) }
}

function checkParams({ as, dims, subjectType, on, sort }: RollupsParams): void {
  if (typeof as !== 'string' || as === '') throw new QueryError('rollup family required')
  if (dims !== undefined && dims.length > MAX_DIMS) {
    throw new QueryError(`dims takes at most ${MAX_DIMS} values`)
  }
  if (dims?.some((dim) => typeof dim !== 'string') === true) {
    throw new QueryError('dims must be text')
  }
  if (subjectType !== undefined && typeof subjectType !== 'string') {
    throw new QueryError('subjectType must be text')
  }
  if (on !== undefined && !ROLLUP_TIMES.includes(on)) {
    throw new QueryError(`on must be one of ${ROLLUP_TIMES.join(', ')}`)
  }
  if (sort !== undefined && !ROLLUP_SORTS.includes(sort)) {
    throw new QueryError(`sort must be one of ${ROLLUP_SORTS.join(', ')}`)
  }
}
