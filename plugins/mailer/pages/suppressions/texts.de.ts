// German of the Suppressions page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'suppressions.title': 'Sperren',
  'suppressions.note': 'Adressen, die keine Mails bekommen',
  'suppressions.email': 'Adresse',
  'suppressions.erased': 'gelöschte Adresse',
  'suppressions.scope': 'Umfang',
  'suppressions.reason': 'Grund',
  'suppressions.source': 'Quelle',
  'suppressions.notes': 'Notizen',
  'suppressions.added': 'Hinzugefügt',
  'suppressions.expires': 'Endet',
  'suppressions.never': 'nie',
  'suppressions.hash': 'Hash der Adresse',
  'suppressions.add': 'Adresse sperren',
  'suppressions.addAction': 'Sperren',
  'suppressions.addedToast': '{email} ist gesperrt',
  'suppressions.remove': 'Sperre aufheben',
  'suppressions.removeHeading': 'Die Sperre von {email} aufheben?',
  'suppressions.removeText': 'An diese Adresse darf wieder gesendet werden.',
  'suppressions.removeReason': 'Warum darf wieder gesendet werden?',
  'suppressions.removeHint':
    'Erforderlich nach unzustellbarer Mail oder Beschwerde. Der Grund steht im Protokoll.',
  'suppressions.removed': 'Sperre aufgehoben',
  'suppressions.stays':
    'Dieser Kontakt wurde vergessen. Die Sperre bleibt, damit keine Mail mehr gesendet wird.',
  'suppressions.none': 'Keine Sperren',
  'suppressions.noneText':
    'Abmeldungen, unzustellbare Mails und Beschwerden fügen hier Adressen hinzu.',
  'suppressions.noneFound': 'Keine passenden Sperren',
  'suppressions.clear': 'Alle zeigen',
  'suppressions.missing': 'Diese Sperre ist nicht in der Liste',
  'suppressions.export': 'CSV exportieren',
  'suppressions.import': 'CSV importieren',
  'suppressions.importHeading': 'Sperren importieren',
  'suppressions.importText':
    'Eine Adresse je Zeile, oder die Spalten email, scope, reason, source, notes und expiresAt. Unlesbare Zeilen werden aufgelistet, die anderen übernommen.',
  'suppressions.file': 'CSV-Datei',
  'suppressions.importing': '{name} wird importiert…',
  'suppressions.taken': {
    one: '{count} Adresse ist gesperrt.',
    other: '{count} Adressen sind gesperrt.'
  },
  'suppressions.broken': {
    one: '{count} Zeile wurde ausgelassen:',
    other: '{count} Zeilen wurden ausgelassen:'
  },
  'suppressions.line': 'Zeile {line}: {message}',
  'suppressions.moreLines': 'und {count} weitere',
  'suppressions.done': 'Fertig',
  'suppressions.noFile': 'Zuerst eine Datei wählen.',
  'suppressions.label': 'Sperre'
}
