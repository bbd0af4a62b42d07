// What a stored rollup document lacks of what its rows say: pure.
import { compareIds } from '../envelope/stored-id.ts'
import type { Increment } from '../rollups/increment.ts'
import type { StoredRollup } from '../rollups/update.ts'

/**
 * What is to be added; undefined when nothing is missing, or when the document counts records whose rows are not
 * there any more.
 */
export function missingOf(
  counted: Increment,
  stored: StoredRollup | undefined
): Increment | undefined {
  if (stored === undefined) return counted
  if (stored.count > counted.count) return undefined
  const sums: Record<string, number> = {}
  for (const [field, value] of Object.entries(counted.sums ?? {})) {
    const missing = value - (stored.sums?.[field] ?? 0)
    if (missing !== 0 || stored.sums?.[field] === undefined) sums[field] = missing
  }
  const count = counted.count - stored.count
  const isSame =
    count === 0 &&
    Object.keys(sums).length === 0 &&
    !isEarlier(counted, stored) &&
    counted.lastAt <= stored.lastAt.getTime()
  if (isSame) return undefined
  return {
    ...counted,
    count,
    sums: Object.keys(sums).length === 0 ? undefined : sums,
    // It is there: the addition must not make it.
    knownFirstAt: stored.firstAt.getTime()
  }
}

function isEarlier({ firstAt, first }: Increment, stored: StoredRollup): boolean {
  const difference = firstAt - stored.firstAt.getTime()
  if (difference !== 0 || first === undefined || stored.firstId === undefined) return difference < 0
  return compareIds(first._id, stored.firstId) < 0
}
