// How the rows of a file are read: its columns and what it is, by its first row and by what the caller says. Pure.
import { type Columns, columnsOf, columnsWithoutNames, haveAddress, plainName } from './columns.ts'
import { type KnownExport, knownExportOf } from './known-exports.ts'

/** How the rows of a file are read. */
export interface CsvForm {
  readonly columns: Columns
  /** The names in the first row; undefined: that is a row already. */
  readonly names: readonly string[] | undefined
  /** What the file is, unless the caller named the columns. */
  readonly known: KnownExport | undefined
}

/**
 * The form of a file by its first row. `mapped` are the columns that the caller names, which outweigh
 * everything that is known of the file. Undefined when there is no column with addresses.
 */
export function formOf(cells: readonly string[], mapped?: Columns): CsvForm | undefined {
  const bare = columnsWithoutNames(cells)
  const names = bare === undefined ? cells : undefined
  if (mapped !== undefined)
    return haveAddress(mapped) ? { columns: mapped, names, known: undefined } : undefined
  if (bare !== undefined) return { columns: bare, names, known: undefined }
  const known = knownExportOf(cells)
  const own = cells.map((name) => known?.columns?.[plainName(name)])
  const columns = columnsOf(cells).map(
    (field, at) => own[at] ?? (own.includes(field) ? undefined : field)
  )
  return haveAddress(columns) ? { columns, names, known } : undefined
}
