// English of the Templates page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'templates.title': 'Templates',
  'templates.heading': 'All templates',
  'templates.new': 'New template',
  'templates.search': 'Search by name or subject',
  'templates.kind': 'Kind',
  'templates.allKinds': 'All kinds',
  'templates.live': 'v{version} live',
  'templates.unpublished': 'not published',
  'templates.draft': 'draft',
  'templates.subject': 'Subject',
  'templates.sent': 'Sent',
  'templates.opened': 'Opened',
  'templates.none': 'No templates yet',
  'templates.noneText':
    'A template holds the subject and the body of a mail. Flows and broadcasts send templates.',
  'templates.noneFound': 'No templates match your search',
  'templates.clear': 'Show all',
  'templates.kindHint': 'Marketing mail needs a subscription and an unsubscribe link.'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerTemplatesTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
