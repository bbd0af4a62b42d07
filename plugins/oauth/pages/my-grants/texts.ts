// English of the page of one's own grants.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'mine.title': 'Connected apps',
  'mine.text': 'Applications that may act for you here. Each one was allowed by you.',
  'mine.can': 'May',
  'mine.for': 'Access to',
  'mine.context': 'On behalf of',
  'mine.since': 'Allowed',
  'mine.used': 'Last token',
  'mine.never': 'none yet',
  'mine.sensitive': 'sensitive',
  'mine.by': 'by {publisher}',
  'mine.end': 'End access',
  'mine.endOf': 'End access of {name}',
  'mine.endHeading': 'End access of {name}?',
  'mine.endText':
    'It is signed out everywhere at once. To use it again, you connect it again and allow access anew.',
  'mine.ended': '{name} has no access any more.',
  'mine.endedBefore': 'Its access had ended already.',
  'mine.none': 'No connected apps',
  'mine.noneText':
    'When you allow an application to act for you, it is listed here, and you can end its access.',
  'mine.more': 'Show more',
  'mine.moreFailed': 'More could not be loaded: {reason}'
}

/** Adds the texts; cheap to call again. */
export function registerMyGrantTexts(): void {
  registerCatalog('en', texts)
}
