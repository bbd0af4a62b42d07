// English of the Keys page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'keys.title': 'Signing keys',
  'keys.heading': 'Keys',
  'keys.note':
    'Active keys sign. Retiring keys stay published, so that their signatures can be checked.',
  'keys.kid': 'Key ID',
  'keys.alg': 'Algorithm',
  'keys.status': 'Status',
  'keys.active': 'active',
  'keys.retiring': 'retiring',
  'keys.made': 'Created',
  'keys.configured': 'from the config',
  'keys.rotate': 'New {alg} key',
  'keys.rotateHeading': 'Sign with a new {alg} key?',
  'keys.rotateText':
    'The new key signs in about five minutes, when all clients have it. The current key signs until then; after that it stays published until you delete it, so nothing breaks.',
  'keys.rotateAction': 'Create key',
  'keys.rotated': 'The new key signs in about five minutes.',
  'keys.delete': 'Delete',
  'keys.deleteOf': 'Delete key {kid}',
  'keys.deleteHeading': 'Delete this retiring key?',
  'keys.deleteText':
    'Its signatures can no longer be checked. Wait until the last token from before the rotation has expired, and a few minutes more for clients that cache the key set.',
  'keys.deleteAction': 'Delete key',
  'keys.deleted': 'Key deleted.',
  'keys.none': 'No keys yet',
  'keys.noneText': 'The first key is created when the server starts.'
}

/** Adds the texts; cheap to call again. */
export function registerKeyTexts(): void {
  registerCatalog('en', texts)
}
