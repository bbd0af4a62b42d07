// German of the pages of the protocol.
import type { PageTexts } from './texts.ts'

export const german: PageTexts = {
  refusedTitle: 'Anfrage abgelehnt',
  refused: 'Diese Anfrage wurde abgelehnt',
  sentences: {
    access_denied: 'Der Zugriff ist nicht erlaubt.',
    invalid_client: 'Die Anwendung ist hier nicht bekannt.',
    invalid_request: 'Die Anwendung hat eine ungültige Anfrage gesendet.',
    login_required: 'Bitte melden Sie sich zuerst an.',
    server_error: 'Der Server konnte die Anfrage nicht beantworten.',
    too_many_requests: 'Zu viele Anfragen. Kurz warten und erneut versuchen.',
    other: 'Der Server hat die Anfrage der Anwendung abgelehnt.'
  },
  goBack:
    'Kehren Sie zur Anwendung zurück und versuchen Sie es erneut. Wenn das wieder passiert, wenden Sie sich an den Entwickler der Anwendung.',
  error: 'Fehler',
  request: 'Anfrage',
  leavingTitle: 'Zurück zur Anwendung',
  leaving: 'Sie werden zur Anwendung weitergeleitet.',
  continue: 'Weiter',
  deviceTitle: 'Gerät verbinden',
  deviceText: 'Geben Sie den Code ein, den das Gerät anzeigt.',
  deviceCode: 'Gerätecode',
  deviceWrong:
    'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder beginnen Sie auf dem Gerät neu.',
  deviceWarning: 'Fahren Sie nur fort, wenn Sie dies auf einem eigenen Gerät begonnen haben.',
  deviceAllowed: 'Das Gerät hat Zugriff',
  deviceDenied: 'Das Gerät hat keinen Zugriff',
  deviceBack: 'Kehren Sie zum Gerät zurück. Sie können dieses Fenster schließen.',
  signOutTitle: 'Abmelden?',
  signOutOf: (host) => `Von ${host} abmelden?`,
  signOutAsked: (client) => `${client} möchte Ihre Sitzung beenden.`,
  signOutAskedByApplication: 'Eine Anwendung möchte Ihre Sitzung beenden.',
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  signedOutTitle: 'Abgemeldet',
  signedOut: 'Sie sind abgemeldet',
  sessionEnded: (host) => `Ihre Sitzung bei ${host} ist in diesem Browser beendet.`,
  signInAgain: 'Erneut anmelden'
}
