// German of what the mail pages share.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'mail.status.queued': 'in Warteschlange',
  'mail.status.deferred': 'verschoben',
  'mail.status.held': 'angehalten',
  'mail.status.sending': 'wird gesendet',
  'mail.status.sent': 'gesendet',
  'mail.status.failed': 'fehlgeschlagen',
  'mail.status.unknown': 'unbekannt',
  'mail.status.suppressed': 'gesperrt',
  'mail.status.cancelled': 'abgebrochen',
  'mail.status.holdout': 'Kontrollgruppe',
  'mail.status.delivered': 'zugestellt',
  'mail.status.opened': 'geöffnet',
  'mail.status.clicked': 'geklickt',
  'mail.status.bounced': 'unzustellbar',
  'mail.status.complained': 'beschwert',
  'mail.marketing': 'Marketing',
  'mail.transactional': 'Transaktional',
  'mail.create': 'Anlegen',
  'mail.save': 'Speichern',
  'mail.delete': 'Löschen',
  'mail.name': 'Name',
  'mail.slug': 'Kurzname',
  'mail.slugHint': 'Kleinbuchstaben, Ziffern und Bindestriche. Später nicht änderbar.',
  'mail.updated': 'Geändert',
  'mail.status': 'Status',
  'mail.never': 'nie',
  'mail.none': '–'
}
