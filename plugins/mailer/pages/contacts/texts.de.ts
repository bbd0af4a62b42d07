// German of the Contacts page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'contacts.title': 'Kontakte',
  'contacts.email': 'Adresse',
  'contacts.id': 'ID',
  'contacts.tags': 'Tags',
  'contacts.zone': 'Zeitzone',
  'contacts.search': 'Genaue ID oder Adresse',
  'contacts.note': 'aus der App, die den Mailer betreibt',
  'contacts.none': 'Keine Kontakte',
  'contacts.noneText': 'Kontakte kommen aus der App: Noch hat keiner eine Adresse.',
  'contacts.noneFound': 'Kein Kontakt hat diese ID oder Adresse',
  'contacts.noneFoundText': 'Die Suche braucht eine ganze ID oder eine ganze Adresse.',
  'contacts.clear': 'Alle zeigen'
}
