// What a statement reads as `rows`: documents and files, each row once, and a column for each value of a map that it
// asks for. Pure.
import { KEYED, type Keyed, quoted } from './columns.ts'
import { filesOf } from './engine.ts'
import { keyColumn } from './key-columns.ts'
import type { SegmentEntry } from './segment-store.ts'
import type { Given, MapValue } from './statement.ts'

/** A segment and its file. */
export interface SegmentFile {
  readonly path: string
  readonly segment: Pick<SegmentEntry, Keyed | 'expiresAt'>
}

export interface Source {
  /** The table of documents. */
  readonly hot?: string
  /** Whether a document may be in a file too. */
  readonly isNew?: boolean
  readonly files: readonly SegmentFile[]
  /** Rows of files that have expired by then are left out. */
  readonly now?: Date
}

/** Some columns of all rows; files that tell the values in the same way are read together. */
export function relationOf(
  { hot, isNew = false, files, now }: Source,
  { columns, mapValues }: Omit<Given, 'values'>
): string {
  const list = columns.map(quoted).join(', ')
  const groups = new Map<string, string[]>()
  for (const { path, segment } of files) {
    const values = mapValues.map((value) => `, ${valueIn(segment, value)} AS ${value.column}`)
    const isExpiring = now !== undefined && segment.expiresAt !== undefined
    const where = isExpiring ? ` WHERE "expiresAt" IS NULL OR "expiresAt" > ${now.getTime()}` : ''
    const text = `SELECT ${list}${values.join('')} FROM ?${where}`
    groups.set(text, [...(groups.get(text) ?? []), path])
  }
  const parts = [...groups].map(([text, paths]) =>
    text.replace('FROM ?', () => `FROM read_parquet(${filesOf(paths)})`)
  )
  const taken = mapValues.map((value) => `, ${extracted(value)} AS ${value.column}`).join('')
  const all = files.map(({ path }) => path)
  const once =
    isNew && all.length > 0
      ? ` WHERE "_id" NOT IN (SELECT "_id" FROM read_parquet(${filesOf(all)}) WHERE "_id" IS NOT NULL)`
      : ''
  if (hot !== undefined) parts.push(`SELECT ${list}${taken} FROM ${hot}${once}`)
  return parts.join(' UNION ALL ')
}

const extracted = ({ map, key }: MapValue): string => `${quoted(map)}[${key.sql}]`

/** The value in a column of its own, none, or taken out of the map. */
function valueIn(segment: SegmentFile['segment'], value: MapValue): string {
  const known = segment[value.map]
  const at = known?.keys.indexOf(value.key.text) ?? -1
  if (at >= 0) return keyColumn(value.map, at)
  return known?.isAll === true ? `NULL::${KEYED[value.map]}` : extracted(value)
}
