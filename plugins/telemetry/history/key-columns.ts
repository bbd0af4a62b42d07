// Keys of maps that have columns of their own in a file: reading one value does not read the whole map.
import type { KeyColumns } from '../storage/stored-segment.ts'
import { KEYED, type Keyed, quoted } from './columns.ts'
import type { Session } from './engine.ts'

/** Keys of one map of one file. */
const MOST: Readonly<Record<Keyed, number>> = { attrs: 24, metrics: 12 }
const PREFIX: Readonly<Record<Keyed, string>> = { attrs: 'a', metrics: 'm' }

/** The name of a column: its place, never text of the data. */
export const keyColumn = (map: Keyed, at: number): string => quoted(`${PREFIX[map]}${at}`)

/** The keys of a relation that most rows have, in alphabetical order, so that files of the same keys are alike. */
export async function keysOfMap(
  session: Session,
  relation: string,
  map: Keyed
): Promise<KeyColumns> {
  const found = await session.texts(
    `SELECT key FROM (SELECT unnest(map_keys(${quoted(map)})) AS key FROM ${relation}) GROUP BY key ORDER BY count(*) DESC, key LIMIT ${MOST[map] + 1}`
  )
  return { keys: found.slice(0, MOST[map]).sort(), isAll: found.length <= MOST[map] }
}

/** The columns of keys, each after a comma, and the keys as parameters. */
export function keySelection(maps: Readonly<Record<Keyed, KeyColumns>>): {
  readonly sql: string
  readonly names: string
  readonly values: readonly string[]
} {
  const values: string[] = []
  let sql = ''
  let names = ''
  for (const map of Object.keys(KEYED) as Keyed[]) {
    for (const [at, key] of maps[map].keys.entries()) {
      values.push(key)
      const name = keyColumn(map, at)
      sql += `, ${quoted(map)}[$${values.length}] AS ${name}`
      names += `, ${name}`
    }
  }
  return { sql, names, values }
}
