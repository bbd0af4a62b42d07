// English of the page of one's own grants.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'mine.title': 'Connected apps',
  'mine.text': 'Applications that you allowed to act for you.',
  'mine.can': 'Can',
  'mine.for': 'Access to',
  'mine.context': 'On behalf of',
  'mine.since': 'Allowed',
  'mine.used': 'Last used',
  'mine.never': 'none yet',
  'mine.sensitive': 'sensitive',
  'mine.by': 'by {publisher}',
  'mine.end': 'End access',
  'mine.endOf': 'End access of {name}',
  'mine.endHeading': 'End access of {name}?',
  'mine.endText':
    'It is signed out everywhere at once. To use it again, connect it and allow access again.',
  'mine.ended': '{name} no longer has access.',
  'mine.endedBefore': 'Its access had already ended.',
  'mine.none': 'No connected apps',
  'mine.noneText':
    'Applications that you allow to act for you are listed here, and you can end their access.',
  'mine.more': 'Show more',
  'mine.moreFailed': 'Loading more failed: {reason}'
}

/** Adds the texts; cheap to call again. */
export function registerMyGrantTexts(): void {
  registerCatalog('en', texts)
}
