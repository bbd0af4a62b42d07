// Shows what an import would make of the beginning of a file: its columns, and what each row becomes.
import { type Static, saidSchema, Type } from '@keelson/sdk'
import { type Columns, columnsOf, FIELDS } from './columns.ts'
import { type CsvForm, formOf } from './csv-form.ts'
import { type NoEmailColumn, noColumn } from './import-suppressions.ts'
import { type CsvRow, readCsv } from './read-csv.ts'
import { type ReadRow, readRow, type SuppressionDefaults } from './read-suppressions.ts'

/** Rows that are shown. */
const SHOWN = 10
const MOST_CELL = 200

const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** What an import would make of a file. */
export const importPreviewSchema = Type.Object(
  {
    export: nullable(Type.String({ description: 'What the file is, when its columns are known.' })),
    columns: Type.Array(
      Type.Object({
        name: nullable(Type.String({ description: 'null: the file has no names.' })),
        field: nullable(Type.Enum([...FIELDS], { description: 'null: the column is left out.' })),
        samples: Type.Array(Type.String())
      })
    ),
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        outcome: Type.Enum(['suppression', 'left_out', 'fault']),
        email: nullable(Type.String()),
        scope: nullable(Type.String()),
        reason: nullable(Type.String()),
        message: nullable(Type.String({ description: 'Why the row cannot be read.' })),
        said: Type.Optional(saidSchema)
      })
    )
  },
  { title: 'SuppressionImportPreview' }
)

/** What an import would make of a file. */
export type ImportPreview = Static<typeof importPreviewSchema>

/** Reads the first rows. Without a column of addresses it still shows the columns, so that one can be named. */
export async function previewImport(
  pieces: AsyncIterable<Uint8Array>,
  {
    defaults,
    columns
  }: { readonly defaults: SuppressionDefaults; readonly columns?: Columns | undefined }
): Promise<ImportPreview | NoEmailColumn> {
  const read: CsvRow[] = []
  for await (const row of readCsv(pieces)) if (read.push(row) > SHOWN) break
  const [first] = read
  if (first === undefined || 'fault' in first) return noColumn
  const form = formOf(first.cells, columns)
  const shown: Pick<CsvForm, 'columns' | 'names' | 'known'> = form ?? {
    columns: columns ?? columnsOf(first.cells),
    names: first.cells,
    known: undefined
  }
  const rows = shown.names === undefined ? read : read.slice(1)
  return {
    export: shown.known?.name ?? null,
    columns: first.cells.map((name, at) => ({
      name: shown.names === undefined ? null : cut(name),
      field: shown.columns[at] ?? null,
      samples: rows.slice(0, 3).flatMap((row) => ('cells' in row ? cut(row.cells[at] ?? '') : []))
    })),
    rows: form === undefined ? [] : rows.map((row) => rowView(row, readRow(row, form, defaults)))
  }
}

const cut = (text: string): string => text.slice(0, MOST_CELL)

function rowView({ line }: CsvRow, read: ReadRow): ImportPreview['rows'][number] {
  const nothing = { email: null, scope: null, reason: null, message: null }
  if (read.kind === 'left_out') return { line, outcome: read.kind, ...nothing }
  if (read.kind === 'fault') {
    const { message, said } = read
    return { line, outcome: read.kind, ...nothing, message, said }
  }
  const { email, scope, reason } = read.suppression
  return { line, outcome: read.kind, email, scope, reason, message: null }
}
