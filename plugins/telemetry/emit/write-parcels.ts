// Writes parcels in one flush; a record whose content the database refuses is found and left out.
import type { WriteItem } from './decide.ts'
import { isFaultyContent } from './faults.ts'
import type { Parcel } from './parcel.ts'

/** What became of the items. */
export interface ParcelResult {
  /** Items that had been written before. */
  readonly repeats: ReadonlySet<WriteItem>
  /** Items the database refuses for what is in them, and why. */
  readonly faulty: ReadonlyMap<WriteItem, string>
}

/** Writes a parcel and returns the items that had been written before. */
export type Flush = (parcel: Parcel) => Promise<ReadonlySet<WriteItem>>

/**
 * Writes parcels together. When the database refuses the content, the flush is halved until the faulty
 * record is alone; the others are written without it.
 */
export function writeParcels(parcels: readonly Parcel[], flush: Flush): Promise<ParcelResult> {
  return writeContent(
    {
      items: parcels.flatMap((parcel) => parcel.items),
      rejects: parcels.flatMap((parcel) => parcel.rejects),
      aliases: parcels.flatMap((parcel) => parcel.aliases)
    },
    flush
  )
}

async function writeContent(content: Parcel, flush: Flush): Promise<ParcelResult> {
  try {
    return { repeats: await flush(content), faulty: new Map() }
  } catch (error) {
    if (!isFaultyContent(error)) throw error
    const [only, ...more] = content.items
    if (only === undefined) throw error
    if (more.length > 0) return writeHalves(content, flush)
    return { repeats: new Set(), faulty: new Map([[only, (error as Error).message]]) }
  }
}

async function writeHalves(content: Parcel, flush: Flush): Promise<ParcelResult> {
  const middle = content.items.length >> 1
  const halves: readonly Parcel[] = [
    { ...content, items: content.items.slice(0, middle) },
    { items: content.items.slice(middle), rejects: [], aliases: [] }
  ]
  const repeats = new Set<WriteItem>()
  const faulty = new Map<WriteItem, string>()
  for (const half of halves) {
    const result = await writeContent(half, flush)
    for (const item of result.repeats) repeats.add(item)
    for (const [item, reason] of result.faulty) faulty.set(item, reason)
  }
  return { repeats, faulty }
}
