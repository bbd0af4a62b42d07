// English of the Contacts page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'contacts.title': 'Contacts',
  'contacts.email': 'Address',
  'contacts.id': 'ID',
  'contacts.tags': 'Tags',
  'contacts.zone': 'Time zone',
  'contacts.search': 'Exact ID or address',
  'contacts.note': 'from the app that hosts the mailer',
  'contacts.none': 'No contacts',
  'contacts.noneText': 'Contacts come from the app: none of them has an address yet.',
  'contacts.noneFound': 'No contact has this ID or address',
  'contacts.noneFoundText': 'The search takes a whole ID or a whole address.',
  'contacts.clear': 'Show all'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerContactsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
