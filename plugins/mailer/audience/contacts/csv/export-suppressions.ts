// Exports suppressions as CSV, row by row as they are read.
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Filter } from 'mongodb'
import type { SuppressionRow } from '../../../ledger/contact-rows.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import { defined } from '../../../ledger/defined.ts'
import type { SuppressionFilter } from '../list-suppressions.ts'

const COLUMNS = ['email', 'emailHash', 'scope', 'reason', 'source', 'notes', 'addedAt', 'expiresAt']
const BATCH = 1_000

/** Those added last first. A cell that a spreadsheet would run as a formula begins with `'`. */
export function exportSuppressions(
  { collections }: Pick<MailerContext, 'collections'>,
  { scope, reason }: Pick<SuppressionFilter, 'scope' | 'reason'> = {}
): Readable {
  const rows = collections.suppressions
    .find(defined({ scope, reason }) as Filter<SuppressionRow>, { batchSize: BATCH })
    .sort({ addedAt: -1, _id: -1 })
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    cast: { date: (value) => value.toISOString() }
  })
  const source = Readable.from(rows)
  source.once('error', (error) => csv.destroy(error))
  csv.once('close', () => source.destroy())
  return source.pipe(csv)
}
