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
    'Eine Liste von Adressen, eine CSV-Datei mit Spalten oder der Export eines anderen Mail-Dienstes. Unlesbare Zeilen werden aufgelistet, die anderen übernommen.',
  'suppressions.file': 'CSV-Datei',
  'suppressions.importing': '{name} wird importiert…',
  'suppressions.known': 'Diese Datei ist bekannt: {name}.',
  'suppressions.columns': 'Spalten der Datei',
  'suppressions.column': 'Spalte {number}',
  'suppressions.ignored': 'Nicht importiert',
  'suppressions.field.email': 'Adresse',
  'suppressions.field.scope': 'Geltung',
  'suppressions.field.reason': 'Grund',
  'suppressions.field.source': 'Quelle',
  'suppressions.field.notes': 'Notiz',
  'suppressions.field.addedAt': 'Hinzugefügt',
  'suppressions.field.expiresAt': 'Endet',
  'suppressions.field.emailHash': 'Hash der Adresse',
  'suppressions.firstRows': 'Erste Zeilen',
  'suppressions.nameAddresses': 'Die Spalte mit den Adressen wählen.',
  'suppressions.row': 'Zeile {line}: {email}, {reason}, {scope}',
  'suppressions.rowLeftOut': 'Zeile {line}: ausgelassen, dieser Kontakt darf Mail bekommen',
  'suppressions.leftOut': {
    one: '{count} Kontakt darf Mail bekommen und wurde ausgelassen.',
    other: '{count} Kontakte dürfen Mail bekommen und wurden ausgelassen.'
  },
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
