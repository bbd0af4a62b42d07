// English of the dashboard's pages.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
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
  'view.page.overview': 'Overview',
  'view.page.errors': 'Errors',
  'view.page.traces': 'Traces',
  'view.page.events': 'Events',
  'view.page.journeys': 'Journeys',
  'view.page.usage': 'Usage',
  'view.page.system': 'System',
  'page.interval': 'Interval',
  'group.by': 'Group by',
  'group.byOne': 'Group by: {name}',
  'interval.minute': 'minute',
  'interval.hour': 'hour',
  'interval.day': 'day',
  'interval.week': 'week',
  'interval.month': 'month',
  'column.time': 'Time',
  'column.kind': 'Kind',
  'column.name': 'Name',
  'column.subject': 'Subject',
  'column.tenant': 'Tenant',
  'column.figure': 'Figure',
  'column.service': 'Service',
  'column.env': 'Environment',
  'empty.widen': 'Show {range}',
  'tile.truncated': 'based on the first {n} records',
  'tile.against': 'vs {value}'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
