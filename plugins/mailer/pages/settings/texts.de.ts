// German of the Settings page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'settings.title': 'Einstellungen',
  'settings.pause': 'Marketing-Mails',
  'settings.running': 'Marketing-Mails werden gesendet.',
  'settings.paused': 'Alle Marketing-Mails sind angehalten.',
  'settings.pausedBy': 'Seit {at}, von {by}: {reason}',
  'settings.pauseNote': 'Transaktionale Mails wie Belege sind nicht betroffen.',
  'settings.pauseAction': 'Alle Marketing-Mails anhalten',
  'settings.resumeAction': 'Marketing-Mails fortsetzen',
  'settings.pauseHeading': 'Alle Marketing-Mails anhalten?',
  'settings.pauseText':
    'Flows und Rundmails halten ihre Mails, bis Sie fortsetzen. Jede angehaltene Mail zeigt den Grund.',
  'settings.reason': 'Grund',
  'settings.pausedToast': 'Marketing-Mails sind angehalten.',
  'settings.resumed':
    'Marketing-Mails sind fortgesetzt. Angehaltene Mails gehen innerhalb einer Minute ab.',
  'settings.providers': 'Anbieter',
  'settings.providersNote': 'letzte 24 Stunden',
  'settings.provider': 'Anbieter',
  'settings.default': 'Standard',
  'settings.defaultTransactional': 'transaktional',
  'settings.rate': 'Grenze/s',
  'settings.sent': 'Gesendet',
  'settings.bounced': 'Unzustellbar',
  'settings.failed': 'Fehlgeschlagen',
  'settings.webhook': 'Webhook',
  'settings.noProviders': 'Keine Anbieter',
  'settings.config': 'Konfiguration',
  'settings.configNote': 'In der Konfigurationsdatei festgelegt. Geheimnisse sind ausgelassen.',
  'settings.name': 'Einstellung',
  'settings.value': 'Wert',
  'settings.unset': 'nicht gesetzt'
}
