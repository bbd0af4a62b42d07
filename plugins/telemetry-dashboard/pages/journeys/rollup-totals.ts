// Documents of a rollup family added up over their buckets: pure.
import type { RollupAnswer } from '../requests.ts'

const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a > b ? a : b)

function add(total: RollupAnswer, row: RollupAnswer): RollupAnswer {
  const sums = { ...total.sums }
  for (const [key, value] of Object.entries(row.sums)) sums[key] = (sums[key] ?? 0) + value
  return {
    ...total,
    count: total.count + row.count,
    sums,
    firstAt: earlier(total.firstAt, row.firstAt),
    lastAt: later(total.lastAt, row.lastAt),
    ...(row.bucketAt !== undefined && {
      bucketAt: later(total.bucketAt ?? row.bucketAt, row.bucketAt)
    })
  }
}

/**
 * One line for each tenant and dimensions, the largest count first: the sums of their documents, and the
 * newest of their buckets.
 */
export function totalsByDims(rows: readonly RollupAnswer[]): readonly RollupAnswer[] {
  const totals = new Map<string, RollupAnswer>()
  for (const row of rows) {
    const key = JSON.stringify([row.tenantId, row.dims])
    const total = totals.get(key)
    totals.set(key, total === undefined ? { ...row, _id: key } : add(total, row))
  }
  return [...totals.values()].sort((a, b) => b.count - a.count)
}
