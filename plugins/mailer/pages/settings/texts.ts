// English of the Settings page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'settings.title': 'Settings',
  'settings.pause': 'Marketing mail',
  'settings.running': 'Marketing mail is being sent.',
  'settings.paused': 'All marketing mail is paused.',
  'settings.pausedBy': 'Since {at}, by {by}: {reason}',
  'settings.pauseNote': 'Transactional mail, such as receipts, is not affected.',
  'settings.pauseAction': 'Pause all marketing mail',
  'settings.resumeAction': 'Resume marketing mail',
  'settings.pauseHeading': 'Pause all marketing mail?',
  'settings.pauseText':
    'Flows and broadcasts hold their mails until you resume. Each held mail shows the reason.',
  'settings.reason': 'Reason',
  'settings.pausedToast': 'Marketing mail is paused.',
  'settings.resumed': 'Marketing mail is resumed. Held mails leave within a minute.',
  'settings.providers': 'Providers',
  'settings.providersNote': 'last 24 hours',
  'settings.provider': 'Provider',
  'settings.default': 'default',
  'settings.defaultTransactional': 'transactional',
  'settings.rate': 'Limit/s',
  'settings.sent': 'Sent',
  'settings.bounced': 'Bounced',
  'settings.failed': 'Failed',
  'settings.webhook': 'Webhook',
  'settings.noProviders': 'No providers',
  'settings.config': 'Configuration',
  'settings.configNote': 'Set in the config file. Secrets are left out.',
  'settings.name': 'Setting',
  'settings.value': 'Value',
  'settings.unset': 'not set'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerSettingsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
