// Writes a file of what a pair of export buttons saves: loaded when the first one is asked for.
import { type Cells, csvOf, saveBlob, saveFile } from './files.ts'

/** What a pair of export buttons saves. */
export interface Export {
  /** Of the file, without its ending. */
  readonly name: string
  /** What the JSON file holds. */
  readonly rows: readonly unknown[]
  /** Lines of the CSV file. Default: the rows themselves. */
  cells?(): readonly Cells[]
  /** A file of all rows, where those that are shown are a part; undefined when it failed, which the page has said. */
  whole?(format: 'csv' | 'json'): Promise<Blob | undefined>
}

/** Of all rows where the page can have them, else of those that are shown. */
export async function saveExport(exported: Export, format: 'csv' | 'json'): Promise<void> {
  const { name, rows, cells } = exported
  if (exported.whole !== undefined) {
    const file = await exported.whole(format)
    if (file !== undefined) saveBlob(`${name}.${format}`, file)
    return
  }
  const isCsv = format === 'csv'
  const text = isCsv ? csvOf(cells?.() ?? (rows as Cells[])) : JSON.stringify(rows, null, 2)
  saveFile(`${name}.${format}`, isCsv ? 'text/csv' : 'application/json', text)
}
