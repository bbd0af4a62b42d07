// English of the Grants page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'grants.title': 'Grants',
  'grants.heading': 'Active grants',
  'grants.note': 'newest first',
  'grants.person': 'Person',
  'grants.scopes': 'Scopes',
  'grants.context': 'On behalf of',
  'grants.since': 'Allowed',
  'grants.used': 'Last used',
  'grants.end': 'End',
  'grants.endOf': 'End access of {name} for {person}',
  'grants.endHeading': 'End access of {name} for {person}?',
  'grants.endText': 'Its tokens stop working at once. The person can allow it again.',
  'grants.endAction': 'End access',
  'grants.ended': {
    one: 'Access ended; {count} token stopped working.',
    other: 'Access ended; {count} tokens stopped working.'
  },
  'grants.none': 'No active grants',
  'grants.noneText': 'A grant is created when a person allows a client access.',
  'grants.noneFound': 'No matching grants'
}

/** Adds the texts; cheap to call again. */
export function registerGrantTexts(): void {
  registerCatalog('en', texts)
}
