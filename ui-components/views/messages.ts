// English of the dialog of saved views.
import type { Messages } from '../locales/catalog.ts'

export const messages: Messages = {
  'views.heading': 'Views',
  'views.save': 'Save what is shown',
  'views.name': 'Name of the view',
  'views.forAll': 'for everyone here',
  'views.saveAction': 'Save view',
  'views.saved': 'Saved',
  'views.none': 'Nothing saved yet.',
  'views.over': 'Save over',
  'views.rename': 'Rename',
  'views.share': 'Share',
  'views.unshare': 'Keep to yourself',
  'views.delete': 'Delete'
}
