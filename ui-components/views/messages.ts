// English of the dialog of saved views.
import type { Messages } from '../locales/catalog.ts'

export const messages: Messages = {
  'views.heading': 'Views',
  'views.save': 'Save current view',
  'views.name': 'Name of the view',
  'views.forAll': 'Share with team',
  'views.saveAction': 'Save view',
  'views.saved': 'Saved',
  'views.none': 'No saved views yet.',
  'views.over': 'Update',
  'views.rename': 'Rename',
  'views.share': 'Share',
  'views.unshare': 'Make private',
  'views.delete': 'Delete'
}
