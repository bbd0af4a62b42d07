// Reads suppressions from lines of CSV: each line is a row or a named fault, and no fault reaches the next line. Pure.
import { schemaFault } from '@keelson/sdk'
import { parse } from 'csv-parse/sync'
import { isMailable } from '../../../ledger/address.ts'
import type { NewSuppression } from '../merge-suppression.ts'
import { suppressSchema } from '../record-suppressions.ts'
import { type CsvLine, MOST_CHARACTERS } from './csv-lines.ts'

/** Columns that are read; others are left out. `email` must be there. */
const COLUMNS = ['email', 'scope', 'reason', 'source', 'notes', 'expiresat'] as const
type Column = (typeof COLUMNS)[number]

/** How the lines of a file are read. */
export interface CsvForm {
  readonly delimiter: ',' | ';' | '\t'
  /** The column at each place; undefined: it is left out. */
  readonly columns: readonly (Column | undefined)[]
  /** The first line is a row already. */
  readonly hasHeader: boolean
}

/** What rows without these columns have. */
export type SuppressionDefaults = Pick<NewSuppression, 'scope' | 'reason' | 'source'>

/** A row, or why a line is none. */
export type ReadRow =
  | { readonly ok: true; readonly suppression: NewSuppression }
  | { readonly ok: false; readonly message: string }

const DELIMITERS = [',', ';', '\t'] as const

/** The form of a file, by its first line; undefined when that has no column `email` and no address. */
export function formOf(first: string): CsvForm | undefined {
  const delimiter = DELIMITERS.find((one) => first.includes(one)) ?? ','
  const cells = cellsOf(first, delimiter)
  if (!cells.ok) return undefined
  const names = cells.cells.map((cell) => cell.toLowerCase().replaceAll(/[ _-]/g, ''))
  const columns = names.map((name) => COLUMNS.find((column) => column === name))
  if (columns.includes('email')) return { delimiter, columns, hasHeader: true }
  const [address = ''] = cells.cells
  return isMailable(address) ? { delimiter, columns: ['email'], hasHeader: false } : undefined
}

/** Reads one line. */
export function readRow(
  { text }: CsvLine,
  { delimiter, columns }: CsvForm,
  defaults: SuppressionDefaults
): ReadRow {
  if (text.length > MOST_CHARACTERS)
    return { ok: false, message: `The line has more than ${MOST_CHARACTERS} characters.` }
  const read = cellsOf(text, delimiter)
  if (!read.ok) return read
  if (read.cells.length > columns.length && columns.length > 1)
    return {
      ok: false,
      message: `The line has ${read.cells.length} cells, expected ${columns.length}.`
    }
  const { expiresat, email = '', ...cells } = cellsByColumn(read.cells, columns)
  const row = {
    ...defaults,
    ...cells,
    email: withoutEscape(email),
    ...(expiresat !== undefined && { expiresAt: new Date(expiresat) })
  }
  if (row.email === '') return { ok: false, message: 'email is missing.' }
  const fault = schemaFault(suppressSchema, row)
  if (fault === undefined) return { ok: true, suppression: row as NewSuppression }
  return { ok: false, message: `${fault.path} ${fault.problem}.` }
}

function cellsByColumn(
  cells: readonly string[],
  columns: CsvForm['columns']
): Partial<Record<Column, string>> {
  const entries = columns.flatMap((column, at) => {
    const cell = cells[at] ?? ''
    return column === undefined || cell === '' ? [] : [[column, cell]]
  })
  return Object.fromEntries(entries)
}

/** An export puts `'` before cells that a spreadsheet would read as a formula. */
const withoutEscape = (cell: string): string => cell.replace(/^'(?=[=+\-@])/, '')

type Cells =
  | { readonly ok: true; readonly cells: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** Without the delimiter of records the parser would look for one in each line. */
const OF_ONE_LINE = { record_delimiter: '\n', trim: true, relax_column_count: true } as const

function cellsOf(line: string, delimiter: string): Cells {
  if (!line.includes('"'))
    return { ok: true, cells: line.split(delimiter).map((cell) => cell.trim()) }
  try {
    const [cells = []] = parse(line, { ...OF_ONE_LINE, delimiter })
    return { ok: true, cells }
  } catch {
    return { ok: false, message: 'A quote of the line is not closed, or not where a cell begins.' }
  }
}
