// Reads suppressions from rows of CSV: each is a suppression, a row that suppresses no one, or a named fault. Pure.
import { type Sentence, schemaFault, Type } from '@keelson/sdk'
import { inputs } from '../../../ledger/checked-input.ts'
import type { StoredScope } from '../../../ledger/contact-rows.ts'
import type { NewSuppression } from '../merge-suppression.ts'
import { suppressSchema } from '../record-suppressions.ts'
import { type Columns, type Field, plainName } from './columns.ts'
import type { CsvForm } from './csv-form.ts'
import { withoutFormulaEscape } from './formula-escape.ts'
import { reasonOfWord } from './known-exports.ts'
import type { CsvRow } from './read-csv.ts'
import { say } from './sentences.ts'
import { timeOf } from './time-of.ts'

/** What rows without these columns have. `scope` unset: all mail after a bounce or complaint, else marketing. */
export type SuppressionDefaults = Pick<NewSuppression, 'reason' | 'source'> & {
  readonly scope?: StoredScope | undefined
}

/** A row that was read. */
export type ReadRow =
  | { readonly kind: 'suppression'; readonly suppression: NewSuppression }
  /** A contact who may be mailed, or a refusal that is not about the mailbox. */
  | { readonly kind: 'left_out' }
  | ({ readonly kind: 'fault' } & Sentence)

/** The longest note that is stored; what a vendor wrote is cut to it. */
const MOST_NOTES = 1024

const rowSchema = Type.Object({
  ...suppressSchema.properties,
  email: Type.Optional(inputs.email),
  scope: Type.String({
    pattern: '^(all|marketing|transactional|marketing_pause|category:.{1,64})$'
  }),
  emailHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  addedAt: Type.Optional(inputs.date)
})

const fault = (sentence: Sentence): ReadRow => ({ kind: 'fault', ...sentence })

/** Reads one row. */
export function readRow(row: CsvRow, form: CsvForm, defaults: SuppressionDefaults): ReadRow {
  if ('fault' in row) return fault(row.fault)
  const { columns, known } = form
  const { length } = row.cells
  if (length > columns.length && columns.length > 1)
    return fault(say('line.cells', { count: length, expected: columns.length }))
  const cells = cellsByField(row.cells, columns)
  const meaning = known?.meaning(cellsByName(row.cells, form.names ?? []))
  if (meaning === null) return { kind: 'left_out' }
  const { reason: said = '', notes, scope, source, email: address, emailHash } = cells
  const word = reasonOfWord(said)
  const reason = meaning?.reason ?? word ?? defaults.reason
  const email = address === undefined ? null : withoutFormulaEscape(address)
  if (email === null && emailHash === undefined) return fault(say('line.noEmail'))
  if (email === null && reason !== 'gdpr_forget') return fault(say('line.hashAlone'))
  const { expiresAt, addedAt } = cells
  const suppression = {
    ...(email === null ? { emailHash } : { email }),
    scope: scope ?? meaning?.scope ?? defaults.scope ?? scopeOf(reason),
    reason,
    // An empty cell of a column says that there is no source.
    ...optional('source', columns.includes('source') ? source : defaults.source),
    // A text that is not a word for a reason is what the server said.
    ...optional('notes', notes ?? (word === undefined && said !== '' ? said : undefined)),
    ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt) ?? new Date(Number.NaN) }),
    ...optional('addedAt', addedAt === undefined ? undefined : timeOf(addedAt))
  }
  return checked(suppression)
}

function checked(suppression: object): ReadRow {
  const wrong = schemaFault(rowSchema, suppression)
  if (wrong !== undefined)
    return fault(say('line.invalid', { field: wrong.path, problem: wrong.problem }))
  return { kind: 'suppression', suppression: { email: null, ...suppression } as NewSuppression }
}

const optional = (name: string, value: string | Date | undefined): object => {
  if (typeof value !== 'string') return value === undefined ? {} : { [name]: value }
  const text = withoutFormulaEscape(value)
  return { [name]: name === 'notes' ? text.slice(0, MOST_NOTES) : text }
}

/** As the events of providers do: what ends all mail, and what ends marketing. */
const scopeOf = (reason: NewSuppression['reason']): StoredScope =>
  ['hard_bounce', 'complaint', 'gdpr_forget'].includes(reason) ? 'all' : 'marketing'

function cellsByField(cells: readonly string[], columns: Columns): Partial<Record<Field, string>> {
  const entries = columns.flatMap((field, at) => {
    const cell = cells[at] ?? ''
    return field === undefined || cell === '' ? [] : [[field, cell]]
  })
  return Object.fromEntries(entries)
}

const cellsByName = (
  cells: readonly string[],
  names: readonly string[]
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, at) => [plainName(name), cells[at] ?? '']))
