// German of the consent page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'consent.title': 'Zugriff erlauben',
  'consent.heading': 'Zugriff für {name} erlauben?',
  'consent.as': 'Sie sind angemeldet als {name}.',
  'consent.client': 'Anwendung',
  'consent.by': 'von {publisher}',
  'consent.proven': 'betrieben von {host}',
  'consent.target': 'Leitet weiter zu',
  'consent.for': 'Zugriff auf',
  'consent.loopback':
    'Die Antwort geht an ein Programm auf diesem Computer, und welches Programm das ist, lässt sich nicht prüfen. Erlauben Sie den Zugriff nur, wenn Sie {name} hier gerade selbst gestartet haben.',
  'consent.app':
    'Die Antwort geht an eine App auf diesem Gerät. Erlauben Sie den Zugriff nur, wenn Sie {name} hier gerade selbst gestartet haben.',
  'consent.scopes': 'Die Anwendung darf dann',
  'consent.sensitive': 'sensibel',
  'consent.new': 'neu',
  'consent.before': 'bereits erlaubt',
  'consent.switch': 'Anderes Konto verwenden',
  'consent.always': 'gehört immer zur Anmeldung',
  'consent.offline': 'Zugriff auch in Ihrer Abwesenheit',
  'consent.offlineText': 'Sonst gilt der Zugriff {time} lang.',
  'consent.noScopes': 'Mindestens eine Berechtigung auswählen oder die Anfrage ablehnen.',
  'consent.context': 'Im Namen von',
  'consent.choose': 'Bitte auswählen',
  'consent.moreContexts': 'Nur die ersten {count} werden angezeigt.',
  'consent.noContexts':
    'Es gibt nichts, in dessen Namen Sie Zugriff erlauben können. Lehnen Sie die Anfrage ab oder bitten Sie zuerst um eine Einladung.',
  'consent.end':
    'Sie können diesen Zugriff jederzeit in Ihrem Konto bei den verbundenen Apps beenden.',
  'consent.until': 'Diese Anfrage läuft um {time} Uhr ab.',
  'consent.deny': 'Ablehnen',
  'consent.allow': 'Erlauben',
  'consent.privacy': 'Datenschutz',
  'consent.terms': 'Nutzungsbedingungen',
  'consent.homepage': 'Website',
  'consent.failed': 'Ihre Antwort wurde nicht gesendet: {reason}',
  'consent.refusedTarget': 'Die Adresse der Anwendung kann hier nicht geöffnet werden.',
  'consent.signedOut': 'Anmelden, um fortzufahren',
  'consent.signedOutText':
    'Eine Anwendung bittet um Zugriff. Nach der Anmeldung kommen Sie hierher zurück.',
  'consent.signIn': 'Anmelden',
  'consent.foreign': 'Diese Anfrage gehört zu einem anderen Konto',
  'consent.foreignText':
    'Sie wurde von einer anderen Person oder in einem anderen Browser gestellt. Kehren Sie zur Anwendung zurück und beginnen Sie von vorn.',
  'consent.over': 'Diese Anfrage ist abgelaufen',
  'consent.overText':
    'Sie wurde bereits beantwortet oder hat zu lange gewartet. Kehren Sie zur Anwendung zurück und beginnen Sie von vorn.',
  'consent.leaving': 'Zurück zur Anwendung',
  'consent.leavingText': 'Einen Moment bitte.',
  'consent.leavingApp':
    'Ihre Antwort wurde gesendet. Wenn nichts passiert, öffnen Sie die Anwendung mit der Schaltfläche; danach können Sie dieses Fenster schließen.',
  'consent.continue': 'Weiter',
  'consent.openApp': 'Anwendung öffnen',
  'consent.refused.bad_origin': 'Sie kam von der Seite einer anderen Website.',
  'consent.refused.invalid_request': 'Diese Anfrage wurde inzwischen geändert oder entschieden.',
  'consent.refused.server_error':
    'Auf dem Server ist ein Fehler aufgetreten. Bitte erneut versuchen.',
  'consent.refused.too_many_requests': 'Zu viele Anfragen. Kurz warten und erneut versuchen.'
}
