// English of the Broadcasts page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'broadcasts.title': 'Broadcasts',
  'broadcasts.heading': 'All broadcasts',
  'broadcasts.new': 'New broadcast',
  'broadcasts.template': 'Template',
  'broadcasts.templateHint':
    'Marketing templates. It must be published before the broadcast is scheduled.',
  'broadcasts.noTemplate': 'No marketing template yet. Create one first.',
  'broadcasts.recipients': 'Recipients',
  'broadcasts.when': 'When',
  'broadcasts.created': 'Created',
  'broadcasts.none': 'No broadcasts yet',
  'broadcasts.noneText': 'A broadcast sends one template to everyone in a segment, once.',
  'broadcast.status.draft': 'draft',
  'broadcast.status.scheduled': 'scheduled',
  'broadcast.status.sending': 'sending',
  'broadcast.status.paused': 'paused',
  'broadcast.status.sent': 'sent',
  'broadcast.status.cancelled': 'cancelled',
  'broadcast.status.failed': 'failed'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerBroadcastsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
