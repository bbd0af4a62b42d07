// English of the consent page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'consent.title': 'Allow access?',
  'consent.wants': '{client} asks for access in your name.',
  'consent.by': 'Published by {publisher}.',
  'consent.described': 'Described by {host}.',
  'consent.as': 'You are signed in as {person}.',
  'consent.scopes': 'It will be able to',
  'consent.resources': 'At: {resources}',
  'consent.new': 'new',
  'consent.sensitive': 'sensitive',
  'consent.context': 'On behalf of',
  'consent.contextMore': 'Only the first 50 are shown.',
  'consent.goesTo': 'Afterwards you are sent to',
  'consent.loopback':
    'This is a program on your own computer. Go on only if you have just started it yourself.',
  'consent.expires': 'This request is good until {time}.',
  'consent.allow': 'Allow',
  'consent.deny': 'Deny',
  'consent.nothing': 'Choose at least one, or deny.',
  'consent.sending': 'Going back to {client}.',
  'consent.goneHeading': 'This request cannot be decided',
  'consent.gone':
    'It is unknown, was decided before, or its time is over. Go back to the application and start again.',
  'consent.foreign':
    'It was made by another person or in another browser. Sign in as that person, or start again from the application.',
  'consent.missing': 'The address of this page names no request.'
}

export const registerConsentTexts = (): void => registerCatalog('en', texts)
