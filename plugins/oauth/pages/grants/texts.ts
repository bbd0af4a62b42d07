// English of the Grants page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'grants.title': 'Grants',
  'grants.heading': 'Live grants',
  'grants.note': 'who allowed what to whom, newest first',
  'grants.person': 'Person',
  'grants.scopes': 'Scopes',
  'grants.context': 'On behalf of',
  'grants.since': 'Allowed',
  'grants.used': 'Last token',
  'grants.end': 'End',
  'grants.endOf': 'End access of {name} for {person}',
  'grants.endHeading': 'End access of {name} for {person}?',
  'grants.endText': 'Its tokens stop working at once. The person may allow it again.',
  'grants.endAction': 'End access',
  'grants.ended': {
    one: 'Access ended; {count} token stopped working.',
    other: 'Access ended; {count} tokens stopped working.'
  },
  'grants.none': 'No live grants',
  'grants.noneText': 'A grant is there as soon as somebody allows a client access.',
  'grants.noneFound': 'No live grant fits'
}

/** Adds the texts; cheap to call again. */
export function registerGrantTexts(): void {
  registerCatalog('en', texts)
}
