// Rows as lines for a table of DuckDB, some at a time, while others have their turn.
import type { StoredRow } from '../envelope/stored-row.ts'
import { startSlices } from '../queries/slices.ts'
import { lineOf } from './columns.ts'

export async function* lineBatches(
  rows: Iterable<StoredRow> | AsyncIterable<StoredRow>,
  size: number,
  write: (row: StoredRow) => string = lineOf
): AsyncIterable<readonly string[]> {
  const turn = startSlices()
  let lines: string[] = []
  for await (const row of rows) {
    lines.push(write(row))
    await turn()
    if (lines.length < size) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}
