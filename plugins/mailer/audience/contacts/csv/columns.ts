// Which column of a file is what, by the names that its first row gives them. Pure.
import { isMailable } from '../../../ledger/address.ts'

/** What a column may be. `email` or `emailHash` must be there; the rest is optional. */
export const FIELDS = [
  'email',
  'scope',
  'reason',
  'source',
  'notes',
  'expiresAt',
  'addedAt',
  'emailHash'
] as const

/** What a column is. */
export type Field = (typeof FIELDS)[number]

/** The field at each place of a row; undefined: the column is left out. */
export type Columns = readonly (Field | undefined)[]

/** Other names of fields, without case, blanks and punctuation: those of other mail services. */
const NAMES: Readonly<Record<string, Field>> = {
  email: 'email',
  emailaddress: 'email',
  mail: 'email',
  mailaddress: 'email',
  address: 'email',
  recipient: 'email',
  emailadresse: 'email',
  scope: 'scope',
  reason: 'reason',
  suppressionreason: 'reason',
  source: 'source',
  origin: 'source',
  notes: 'notes',
  note: 'notes',
  error: 'notes',
  details: 'notes',
  expiresat: 'expiresAt',
  addedat: 'addedAt',
  created: 'addedAt',
  createdat: 'addedAt',
  lastupdatetime: 'addedAt',
  emailhash: 'emailHash'
}

/** A column's name as it is compared: `E-Mail Address` and `email_address` are one. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The columns that names say; each field once, where it is named first. */
export function columnsOf(names: readonly string[]): Columns {
  const fields = names.map((name) => NAMES[plainName(name)])
  return fields.map((field, at) => (fields.indexOf(field) === at ? field : undefined))
}

/** Whether rows of these columns can be told apart by their address. */
export const haveAddress = (columns: Columns): boolean =>
  columns.includes('email') || columns.includes('emailHash')

/** The columns of a file without names: addresses, with a reason beside them as Amazon SES takes them. */
export function columnsWithoutNames(cells: readonly string[]): Columns | undefined {
  const [first = ''] = cells
  if (!isMailable(first)) return undefined
  return cells.length === 2 ? ['email', 'reason'] : ['email']
}
