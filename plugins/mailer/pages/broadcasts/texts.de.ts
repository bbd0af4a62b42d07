// German of the Broadcasts page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'broadcasts.title': 'Rundmails',
  'broadcasts.heading': 'Alle Rundmails',
  'broadcasts.new': 'Neue Rundmail',
  'broadcasts.template': 'Vorlage',
  'broadcasts.templateHint':
    'Marketing-Vorlagen. Sie muss veröffentlicht sein, bevor die Rundmail geplant wird.',
  'broadcasts.noTemplate': 'Noch keine Marketing-Vorlage. Zuerst eine anlegen.',
  'broadcasts.recipients': 'Empfänger',
  'broadcasts.when': 'Wann',
  'broadcasts.created': 'Angelegt',
  'broadcasts.none': 'Noch keine Rundmails',
  'broadcasts.noneText': 'Eine Rundmail sendet eine Vorlage einmal an alle in einem Segment.',
  'broadcast.status.draft': 'Entwurf',
  'broadcast.status.scheduled': 'geplant',
  'broadcast.status.sending': 'wird gesendet',
  'broadcast.status.paused': 'angehalten',
  'broadcast.status.sent': 'gesendet',
  'broadcast.status.cancelled': 'abgebrochen',
  'broadcast.status.failed': 'fehlgeschlagen'
}
