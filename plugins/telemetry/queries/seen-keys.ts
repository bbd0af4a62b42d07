// What the newest records of open events say: such an event declares no attributes, and its records have some.
import type { StoredRow } from '../envelope/stored-row.ts'
import { decodeKey } from '../field-keys.ts'
import type { Reader } from './reader.ts'
import { scopeFilter } from './row-filter.ts'
import { NEWEST_FIRST } from './row-source.ts'

/** The keys of an event's records, the most frequent first. */
export interface SeenKeys {
  readonly attrKeys: readonly string[]
  readonly metricKeys: readonly string[]
}

/** Records of one event that are looked at: keys of rare records may be missing. */
const NEWEST = 500
/** Keys of one event. */
const MOST_KEYS = 100

type Keyed = Pick<StoredRow, 'attrs' | 'metrics'>

/** By the name of each open event that has records. */
export async function readSeenKeys(
  reader: Reader,
  scope: string
): Promise<Readonly<Record<string, SeenKeys>>> {
  const open = [...reader.registry().events.values()].filter(({ isOpen }) => isOpen)
  const read = async (name: string): Promise<readonly Keyed[]> => {
    const { items } = await reader.rows.find(seenFilter(scope, name), {
      sort: NEWEST_FIRST,
      limit: NEWEST,
      projection: { occurredAt: 1, attrs: 1, metrics: 1 }
    })
    return items
  }
  const seen = await Promise.all(
    open.map(async ({ name }) => [name, keysOf(await read(name))] as const)
  )
  return Object.fromEntries(
    seen.filter(([, keys]) => keys.attrKeys.length + keys.metricKeys.length > 0)
  )
}

export const seenFilter = (scope: string, name: string) => ({ ...scopeFilter(scope), name })

/** Pure. */
export const keysOf = (rows: readonly Keyed[]): SeenKeys => ({
  attrKeys: mostFrequent(rows.map(({ attrs }) => attrs)),
  metricKeys: mostFrequent(rows.map(({ metrics }) => metrics))
})

function mostFrequent(maps: readonly (object | undefined)[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const map of maps)
    for (const field of Object.keys(map ?? {})) counts.set(field, (counts.get(field) ?? 0) + 1)
  const sorted = [...counts].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
  return sorted.slice(0, MOST_KEYS).map(([field]) => decodeKey(field))
}
