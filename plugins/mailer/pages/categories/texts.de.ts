// German of the Categories page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'categories.title': 'Kategorien',
  'categories.note':
    'was Empfänger auf der Seite mit Einstellungen wählen; festgelegt in der Konfiguration des Mailers',
  'categories.name': 'Kategorie',
  'categories.description': 'Beschreibung',
  'categories.templates': 'Vorlagen',
  'categories.optOuts': 'Abgewählt',
  'categories.none': 'Keine Kategorien',
  'categories.noneText':
    'Kategorien in der Konfiguration des Mailers eintragen, damit Empfänger wählen können, was sie bekommen.',
  'categories.show': 'Abwahlen von {category} zeigen'
}
