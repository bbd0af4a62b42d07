// Imports suppressions from CSV: read as it arrives, written in batches, each broken line named.
import { type Static, saidSchema, Type } from '@keelson/sdk'
import { audit } from '../../../ledger/audit/audit.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import type { Acting } from '../../../ledger/template-input.ts'
import type { NewSuppression } from '../merge-suppression.ts'
import { importSuppressionRows } from '../record-suppressions.ts'
import type { Columns } from './columns.ts'
import { type CsvForm, formOf } from './csv-form.ts'
import { readCsv } from './read-csv.ts'
import { readRow, type SuppressionDefaults } from './read-suppressions.ts'

const BATCH = 1_000
/** Broken lines that are named. */
const MOST_NAMED = 200_000

const lineFaultSchema = Type.Object({
  line: Type.Integer(),
  message: Type.String(),
  said: Type.Optional(saidSchema)
})

/** What an import came to. */
export const importReportSchema = Type.Object(
  {
    rows: Type.Integer({ description: 'Rows with content, the header left out.' }),
    taken: Type.Integer(),
    leftOut: Type.Integer({
      description:
        'Rows of contacts who may be mailed, and of refusals that say nothing of a mailbox.'
    }),
    broken: Type.Integer(),
    errors: Type.Array(lineFaultSchema, {
      description: `Every broken line, at most ${MOST_NAMED}.`
    })
  },
  { title: 'SuppressionImport' }
)

/** What an import came to. */
export type ImportReport = Static<typeof importReportSchema>

/** Why a file is not read. */
export interface NoEmailColumn {
  readonly ok: false
  readonly code: 'no_email_column'
  readonly message: string
}

/** What an import answers. */
export type Imported = { readonly ok: true; readonly report: ImportReport } | NoEmailColumn

/** How a file is imported, and who does it. */
export interface ImportOptions extends Acting {
  readonly defaults: SuppressionDefaults
  /** What each column is; unset: known by the first row. */
  readonly columns?: Columns | undefined
}

/**
 * Takes every good row and names every broken line. Importing a file again changes nothing, so a broken
 * connection is answered by sending it again. The audit log has the start and the end.
 */
export async function importSuppressions(
  context: MailerContext,
  pieces: AsyncIterable<Uint8Array>,
  { defaults, columns, ...acting }: ImportOptions
): Promise<Imported> {
  const resource = { collection: context.collections.suppressions.collectionName }
  const note = (action: string, after: object) =>
    audit(context, { ...acting, action: `suppression.${action}`, resource, after })
  const report = { rows: 0, taken: 0, leftOut: 0, broken: 0, errors: [] as ImportReport['errors'] }
  let form: CsvForm | undefined
  let batch: NewSuppression[] = []
  const write = async () => {
    await importSuppressionRows(context, batch)
    report.taken += batch.length
    batch = []
  }
  for await (const row of readCsv(pieces)) {
    if (form === undefined) {
      form = 'fault' in row ? undefined : formOf(row.cells, columns)
      if (form === undefined) return noColumn
      await note('import', { ...defaults, ...(form.known && { export: form.known.id }) })
      if (form.names !== undefined) continue
    }
    report.rows += 1
    const read = readRow(row, form, defaults)
    if (read.kind === 'suppression') batch.push(read.suppression)
    else if (read.kind === 'left_out') report.leftOut += 1
    else {
      report.broken += 1
      const { message, said } = read
      if (report.errors.length < MOST_NAMED) report.errors.push({ line: row.line, message, said })
    }
    if (batch.length >= BATCH) await write()
  }
  if (form === undefined) return noColumn
  await write()
  const { errors: _errors, ...counts } = report
  await note('imported', counts)
  return { ok: true, report }
}

/** The refusal of a file without addresses. */
export const noColumn: NoEmailColumn = {
  ok: false,
  code: 'no_email_column',
  message: 'The first row must name the columns, among them email, or hold an address.'
}
