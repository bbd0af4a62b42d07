// The files of the admin API: suppressions and contacts, as their lists have them.
import { Type } from '@keelson/sdk'
import { exportContacts } from '../audience/contacts/csv/export-contacts.ts'
import { exportSuppressions } from '../audience/contacts/csv/export-suppressions.ts'
import type { SuppressionFilter } from '../audience/contacts/list-suppressions.ts'
import { contactFilter } from './contact-answers.ts'
import { csvFile, type MailFile } from './mail-file.ts'
import { suppressionFilter } from './suppression-answers.ts'

const suppressions = csvFile({
  path: '/suppressions/export',
  name: 'suppressions.csv',
  summary: 'Suppressions as text/csv',
  query: Type.Object(suppressionFilter),
  action: 'suppression.export',
  collection: 'suppressions',
  rows: (context, filter) => exportSuppressions(context, filter as SuppressionFilter)
})

const contacts = csvFile({
  path: '/contact-list/export',
  name: 'contacts.csv',
  summary: 'Contacts as text/csv, at most 1,000,000',
  query: Type.Object(contactFilter),
  action: 'contacts.export',
  collection: 'subscriptions',
  rows: exportContacts
})

/** Every file. */
export const mailFiles: readonly MailFile[] = [suppressions, contacts]
