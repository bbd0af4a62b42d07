// English of the Keys page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'keys.title': 'Signing keys',
  'keys.heading': 'Keys',
  'keys.note':
    'Active keys sign. Retiring ones are still published, so that what they signed can be checked.',
  'keys.kid': 'Key id',
  'keys.alg': 'Algorithm',
  'keys.status': 'Status',
  'keys.active': 'active',
  'keys.retiring': 'retiring',
  'keys.made': 'Made',
  'keys.configured': 'in the config',
  'keys.rotate': 'New {alg} key',
  'keys.rotateHeading': 'Sign with a new {alg} key?',
  'keys.rotateText':
    'It signs in about five minutes, when every client has it. The one before signs until then and retires: it is published until you delete it, so nothing breaks.',
  'keys.rotateAction': 'Make the key',
  'keys.rotated': 'The new key signs in about five minutes.',
  'keys.delete': 'Delete',
  'keys.deleteOf': 'Delete key {kid}',
  'keys.deleteHeading': 'Delete this retiring key?',
  'keys.deleteText':
    'What it signed can no longer be checked. Wait until the last token of before the rotation has run out, and a few minutes for clients that remember the key set.',
  'keys.deleteAction': 'Delete key',
  'keys.deleted': 'The key was deleted.',
  'keys.none': 'No keys yet',
  'keys.noneText': 'The first one is made when the server starts.'
}

/** Adds the texts; cheap to call again. */
export function registerKeyTexts(): void {
  registerCatalog('en', texts)
}
