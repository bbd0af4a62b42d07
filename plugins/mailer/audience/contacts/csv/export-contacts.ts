// Exports contacts as CSV, page by page as they are read.
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { MailerContext } from '../../../ledger/context.ts'
import type { ContactWithState } from '../contacts-of-state.ts'
import { type ContactSearch, listContacts } from '../list-contacts.ts'
import { withFormulaEscape } from './formula-escape.ts'

const COLUMNS = ['externalId', 'email', 'state', 'subscribedAt', 'tags', 'timezone', 'locale']
const PAGE = 200
/** A file has no more rows: a longer list is read through the API. */
export const MOST_EXPORTED = 1_000_000

/** The contacts of a list, in its order. A cell that a spreadsheet would run as a formula begins with `'`. */
export function exportContacts(
  context: MailerContext,
  search: Pick<ContactSearch, 'search' | 'state'> = {}
): Readable {
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    cast: { date: (value) => value.toISOString(), string: withFormulaEscape }
  })
  const source = Readable.from(rowsOf(context, search))
  source.once('error', (error) => csv.destroy(error))
  csv.once('close', () => source.destroy())
  return source.pipe(csv)
}

async function* rowsOf(context: MailerContext, search: ContactSearch): AsyncGenerator<object> {
  let cursor: string | undefined
  let written = 0
  do {
    const asked = { ...search, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const page = await listContacts(context, asked)
    for (const contact of page.contacts.slice(0, MOST_EXPORTED - written)) yield rowOf(contact)
    written += page.contacts.length
    cursor = page.nextCursor
  } while (cursor !== undefined && written < MOST_EXPORTED)
}

const rowOf = ({ tags, ...contact }: ContactWithState): object => ({
  ...contact,
  tags: tags.join(', ')
})
