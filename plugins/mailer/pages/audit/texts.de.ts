// German of the Audit page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'mailAudit.title': 'Protokoll',
  'mailAudit.note': 'jede Änderung mit ihrem Urheber',
  'mailAudit.time': 'Zeit',
  'mailAudit.action': 'Aktion',
  'mailAudit.actor': 'Urheber',
  'mailAudit.resource': 'Geändert',
  'mailAudit.ip': 'IP-Adresse',
  'mailAudit.agent': 'Browser',
  'mailAudit.request': 'Anfrage',
  'mailAudit.changes': 'Änderungen',
  'mailAudit.noChanges': 'Dieser Eintrag hat keine Werte vorher oder nachher.',
  'mailAudit.erased': 'Ein Kontakt wurde am {time} aus diesem Eintrag gelöscht.',
  'mailAudit.filter': 'Nur diese zeigen',
  'mailAudit.none': 'Noch keine Einträge',
  'mailAudit.noneText': 'Änderungen an Vorlagen, Flows, Rundmails und Kontakten erscheinen hier.',
  'mailAudit.noneFound': 'Keine passenden Einträge',
  'mailAudit.clear': 'Alle zeigen',
  'mailAudit.missing': 'Dieser Eintrag ist nicht in der Liste',
  'mailAudit.label': 'Eintrag',
  'diff.added': 'Neu: ',
  'diff.removed': 'Entfernt: ',
  'flow.noChanges': 'Keine Werte geändert.',
  'flow.changes': 'Änderungen'
}
