// English that the mail pages share: states of mails, kinds, words of forms.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'mail.status.queued': 'queued',
  'mail.status.deferred': 'deferred',
  'mail.status.held': 'held',
  'mail.status.sending': 'sending',
  'mail.status.sent': 'sent',
  'mail.status.failed': 'failed',
  'mail.status.unknown': 'unknown',
  'mail.status.suppressed': 'suppressed',
  'mail.status.cancelled': 'cancelled',
  'mail.status.holdout': 'holdout',
  'mail.status.delivered': 'delivered',
  'mail.status.opened': 'opened',
  'mail.status.clicked': 'clicked',
  'mail.status.bounced': 'bounced',
  'mail.status.complained': 'complained',
  'mail.marketing': 'Marketing',
  'mail.transactional': 'Transactional',
  'mail.create': 'Create',
  'mail.save': 'Save',
  'mail.delete': 'Delete',
  'mail.name': 'Name',
  'mail.slug': 'Slug',
  'mail.slugHint': 'Lower-case letters, digits and hyphens. It cannot be changed later.',
  'mail.updated': 'Updated',
  'mail.status': 'Status',
  'mail.never': 'never',
  'mail.none': '–'
} satisfies Messages

/** The elements bring English along. */
const elements: Messages = {}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
