// German of the Templates page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'templates.title': 'Vorlagen',
  'templates.heading': 'Alle Vorlagen',
  'templates.new': 'Neue Vorlage',
  'templates.search': 'Nach Name oder Betreff suchen',
  'templates.kind': 'Art',
  'templates.allKinds': 'Alle Arten',
  'templates.live': 'v{version} aktiv',
  'templates.unpublished': 'nicht veröffentlicht',
  'templates.draft': 'Entwurf',
  'templates.subject': 'Betreff',
  'templates.sent': 'Gesendet',
  'templates.opened': 'Geöffnet',
  'templates.none': 'Noch keine Vorlagen',
  'templates.noneText':
    'Eine Vorlage enthält Betreff und Text einer Mail. Flows und Rundmails senden Vorlagen.',
  'templates.noneFound': 'Keine Vorlage passt zur Suche',
  'templates.clear': 'Alle zeigen',
  'templates.kindHint': 'Marketing-Mails brauchen ein Abonnement und einen Abmeldelink.'
}
