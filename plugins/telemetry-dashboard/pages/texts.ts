// English of the dashboard's pages.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'page.refresh': 'Load again',
  'page.live': 'Live',
  'page.liveHint': 'Load what is new every few seconds',
  'page.liveFixed': 'Live needs a range that ends now, such as 24h',
  'page.view': 'Chart or table',
  'page.alert': 'Alert',
  'page.alertHint': 'Make an alert of this',
  'view.views': 'Views',
  'view.open': 'Views: save, open, share',
  'view.configured': 'Given',
  'view.derived': 'Made from the registry',
  'view.isShared': 'shared',
  'view.isPrivate': 'only you',
  'view.deleteHeading': 'Delete the view {name}?',
  'view.deleteAction': 'Delete view',
  'view.page.overview': 'Overview',
  'view.page.errors': 'Errors',
  'view.page.traces': 'Traces',
  'view.page.events': 'Events',
  'view.page.journeys': 'Journeys',
  'view.page.usage': 'Usage',
  'view.page.system': 'System',
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
  'tile.truncated': 'over the first {n} rows',
  'tile.against': 'against {value}'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
