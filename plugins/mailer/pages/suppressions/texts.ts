// English of the Suppressions page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'suppressions.title': 'Suppressions',
  'suppressions.note': 'addresses that get no mail',
  'suppressions.email': 'Address',
  'suppressions.erased': 'erased address',
  'suppressions.scope': 'Scope',
  'suppressions.reason': 'Reason',
  'suppressions.source': 'Source',
  'suppressions.notes': 'Notes',
  'suppressions.added': 'Added',
  'suppressions.expires': 'Ends',
  'suppressions.never': 'never',
  'suppressions.hash': 'Hash of the address',
  'suppressions.add': 'Suppress address',
  'suppressions.addAction': 'Suppress',
  'suppressions.addedToast': '{email} is suppressed',
  'suppressions.remove': 'Remove suppression',
  'suppressions.removeHeading': 'Remove the suppression of {email}?',
  'suppressions.removeText': 'Mail may be sent to this address again.',
  'suppressions.removeReason': 'Why may mail be sent again?',
  'suppressions.removeHint':
    'Required after a bounce or complaint. It is written to the audit log.',
  'suppressions.removed': 'Suppression removed',
  'suppressions.stays':
    'This contact was forgotten. The suppression stays, so that no mail is sent again.',
  'suppressions.none': 'No suppressions',
  'suppressions.noneText': 'Unsubscribes, hard bounces and complaints add addresses here.',
  'suppressions.noneFound': 'No matching suppressions',
  'suppressions.clear': 'Show all',
  'suppressions.missing': 'This suppression is not in the list',
  'suppressions.export': 'Export CSV',
  'suppressions.import': 'Import CSV',
  'suppressions.importHeading': 'Import suppressions',
  'suppressions.importText':
    'A list of addresses, a CSV file with columns, or the export of another mail service. Lines that cannot be read are listed, the others are taken.',
  'suppressions.file': 'CSV file',
  'suppressions.importing': 'Importing {name}…',
  'suppressions.known': 'This file is known: {name}.',
  'suppressions.columns': 'Columns of the file',
  'suppressions.column': 'Column {number}',
  'suppressions.ignored': 'Not imported',
  'suppressions.field.email': 'Address',
  'suppressions.field.scope': 'Scope',
  'suppressions.field.reason': 'Reason',
  'suppressions.field.source': 'Source',
  'suppressions.field.notes': 'Notes',
  'suppressions.field.addedAt': 'Added',
  'suppressions.field.expiresAt': 'Ends',
  'suppressions.field.emailHash': 'Hash of the address',
  'suppressions.firstRows': 'First rows',
  'suppressions.nameAddresses': 'Choose the column that holds the addresses.',
  'suppressions.row': 'Line {line}: {email}, {reason}, {scope}',
  'suppressions.rowLeftOut': 'Line {line}: left out, this contact may be mailed',
  'suppressions.leftOut': {
    one: '{count} contact may be mailed and was left out.',
    other: '{count} contacts may be mailed and were left out.'
  },
  'suppressions.taken': {
    one: '{count} address is suppressed.',
    other: '{count} addresses are suppressed.'
  },
  'suppressions.broken': {
    one: '{count} line was left out:',
    other: '{count} lines were left out:'
  },
  'suppressions.line': 'Line {line}: {message}',
  'suppressions.moreLines': 'and {count} more',
  'suppressions.done': 'Done',
  'suppressions.noFile': 'Choose a file first.',
  'suppressions.label': 'Suppression'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerSuppressionsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
