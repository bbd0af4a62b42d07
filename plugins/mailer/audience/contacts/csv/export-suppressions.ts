// Exports suppressions as CSV, row by row as they are read.
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { MailerContext } from '../../../ledger/context.ts'
import { type SuppressionFilter, suppressionsOf } from '../list-suppressions.ts'
import { withFormulaEscape } from './formula-escape.ts'

const COLUMNS = ['email', 'emailHash', 'scope', 'reason', 'source', 'notes', 'addedAt', 'expiresAt']
const BATCH = 1_000

/** Those added last first. A cell that a spreadsheet would run as a formula begins with `'`. */
export function exportSuppressions(
  { collections }: Pick<MailerContext, 'collections'>,
  filter: SuppressionFilter = {}
): Readable {
  const rows = collections.suppressions
    .find(suppressionsOf(filter), { batchSize: BATCH })
    .sort({ addedAt: -1, _id: -1 })
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    // An import trims cells that are not quoted, and ends a row at either line break.
    quoted_match: /^\s|\s$|\r/,
    cast: { date: (value) => value.toISOString(), string: withFormulaEscape }
  })
  const source = Readable.from(rows)
  source.once('error', (error) => csv.destroy(error))
  csv.once('close', () => source.destroy())
  return source.pipe(csv)
}
