// English of the dashboard's pages.
import { type Messages, registerCatalog } from '@keelson/ui'
import { namedTexts } from './named-texts.ts'

const texts: Messages = {
  ...namedTexts('view.page.', 'Overview Errors Traces Events Journeys Usage System'),
  ...namedTexts('column.', 'Time Kind Name Subject Tenant Figure Service'),
  ...namedTexts('interval.', 'minute hour day week month'),
  'page.alert': 'Alert',
  'page.alertHint': 'Create an alert from this view',
  'view.views': 'Views',
  'view.open': 'Views: save, open, share',
  'view.configured': 'Provided',
  'view.derived': 'Built-in',
  'view.isShared': 'shared',
  'view.isPrivate': 'private',
  'view.deleteHeading': 'Delete the view {name}?',
  'view.deleteAction': 'Delete view',
  'page.interval': 'Interval',
  'group.by': 'Group by',
  'group.byOne': 'Group by: {name}',
  'empty.widen': 'Show {range}',
  'tile.truncated': 'based on the first {n} records',
  'tile.against': 'vs {value}'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
