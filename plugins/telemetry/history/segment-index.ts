// Which segments there are, as this process last saw them, and which of them a filter may fit.
import type { Document } from 'mongodb'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { SegmentCache } from './cache.ts'
import { mayHave, personKey, traceKey } from './key-filter.ts'
import {
  type HistoryVersion,
  listSegments,
  readFilters,
  readVersion,
  type SegmentEntry
} from './segment-store.ts'

/** All segments at one moment, the newest first. */
export interface SegmentList extends HistoryVersion {
  readonly segments: readonly SegmentEntry[]
}

export interface SegmentIndex {
  /** Whether there has been any, as far as this process knows. */
  readonly isUsed: boolean
  /** As this process last saw them. */
  readonly known: SegmentList
  /** As they are now. */
  read(): Promise<SegmentList>
  /** Those that may have rows which fit. */
  choose(list: SegmentList, filter: Document): Promise<readonly SegmentEntry[]>
}

const NONE: SegmentList = { version: 0, returns: 0, segments: [] }

export function createSegmentIndex(
  storage: TelemetryStorage,
  cache: Pick<SegmentCache, 'keepOnly'>
): SegmentIndex {
  let known: SegmentList = NONE
  const filters = new Map<string, Uint8Array>()
  async function read(): Promise<SegmentList> {
    for (;;) {
      const before = await readVersion(storage)
      if (before.version === known.version) return known
      const segments = await listSegments(storage)
      const after = await readVersion(storage)
      if (after.version !== before.version) continue
      known = { ...after, segments }
      const ids = new Set(segments.map(({ _id }) => _id))
      for (const id of filters.keys()) if (!ids.has(id)) filters.delete(id)
      await cache.keepOnly(ids)
      return known
    }
  }
  async function filtered(
    segments: readonly SegmentEntry[],
    key: string
  ): Promise<readonly SegmentEntry[]> {
    const unknown = segments.filter(({ _id }) => !filters.has(_id)).map(({ _id }) => _id)
    if (unknown.length > 0) {
      for (const [id, filter] of await readFilters(storage, unknown)) filters.set(id, filter)
    }
    return segments.filter(({ _id }) => {
      const filter = filters.get(_id)
      return filter === undefined || mayHave(filter, key)
    })
  }
  return {
    get isUsed() {
      return known.version > 0
    },
    get known() {
      return known
    },
    read,
    async choose({ segments }, filter) {
      const some = segments.filter((one) => mayFit(one, filter))
      const key = keyOf(filter)
      return key === undefined || some.length === 0 ? some : filtered(some, key)
    }
  }
}

function keyOf({ traceId, subjectKeys }: Document): string | undefined {
  if (typeof traceId === 'string') return traceKey(traceId)
  if (typeof subjectKeys === 'string') return personKey(subjectKeys)
  return undefined
}

/** Whether tenant, time and name of a filter leave it in. Pure. */
export function mayFit(segment: SegmentEntry, filter: Document): boolean {
  const { tenantId, name, occurredAt, $or } = filter
  if (Array.isArray($or) && !$or.some((one: Document) => mayFit(segment, one))) return false
  if (typeof tenantId === 'string' && segment.tenantId !== tenantId) return false
  const { names, from, to } = segment
  if (names !== undefined && typeof name === 'string' && !names.includes(name)) return false
  if (typeof occurredAt !== 'object' || occurredAt === null) return true
  const { $gte, $gt, $lt, $lte } = occurredAt as Readonly<Record<string, Date | undefined>>
  return (
    ($gte === undefined || to >= $gte) &&
    ($gt === undefined || to > $gt) &&
    ($lt === undefined || from < $lt) &&
    ($lte === undefined || from <= $lte)
  )
}
