// German of the Dashboard page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'dashboard.title': 'Mail',
  'dashboard.figures': 'Letzte 24 Stunden',
  'dashboard.sends': 'Gesendet',
  'dashboard.delivered': 'Zugestellt',
  'dashboard.opened': 'Von Menschen geöffnet',
  'dashboard.clicked': 'Geklickt',
  'dashboard.lastDay': 'letzte 24 h',
  'dashboard.against': 'am Tag davor {value}',
  'dashboard.points': '{value} Punkte',
  'dashboard.bounced': '{value} unzustellbar',
  'dashboard.noReport': 'noch keine Meldung',
  'dashboard.noMail': 'keine Mail in 24 h',
  'dashboard.queue': 'Warteschlange',
  'dashboard.inFlight': 'Jetzt fällig',
  'dashboard.delayed': 'Für später geplant',
  'dashboard.provider': 'Anbieter',
  'dashboard.providerOk': 'nimmt Mails an',
  'dashboard.providerFailing': 'die letzte Mail ist fehlgeschlagen',
  'dashboard.health': 'Zustand des Versands',
  'dashboard.health.none': 'noch nicht gemessen',
  'dashboard.health.healthy': 'gesund',
  'dashboard.health.degraded': 'beeinträchtigt',
  'dashboard.health.tripped': 'gestoppt',
  'dashboard.setup': 'Einrichtung',
  'dashboard.setup.ok': 'alle Prüfungen bestanden',
  'dashboard.setup.open': { one: '{count} offen', other: '{count} offen' },
  'dashboard.check.ok': 'Bestanden',
  'dashboard.check.warn': 'Warnung',
  'dashboard.check.error': 'Fehler',
  'dashboard.setup.passed': {
    one: '{count} Prüfung bestanden',
    other: '{count} Prüfungen bestanden'
  },
  'dashboard.recentSends': 'Neueste Mails',
  'dashboard.noSends':
    'Noch wurde keine Mail gesendet. Eine Vorlage veröffentlichen, dann eine Rundmail senden oder einen Flow starten.',
  'dashboard.allSends': 'Alle Mails',
  'dashboard.flows': 'Laufende Flows',
  'dashboard.noFlows': 'Kein Flow läuft.',
  'dashboard.allFlows': 'Alle Flows',
  'dashboard.version': 'v{version}',
  'dashboard.changes': 'Neueste Änderungen',
  'dashboard.noChanges': 'Noch keine Änderungen.',
  'dashboard.allChanges': 'Protokoll',
  'dashboard.paused': 'Alle Marketing-Mails sind angehalten.',
  'dashboard.pausedBy': 'Von {by}: {reason}',
  'dashboard.pauseSettings': 'Einstellungen'
}
