// English of the Overview page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'overview.title': 'Overview',
  'overview.figures': 'Figures',
  'overview.records': 'Records',
  'overview.people': 'People',
  'overview.errors': 'Errors',
  'overview.slow': 'p95 of spans',
  'overview.slowText': 'median {value}',
  'overview.spend': 'Spend',
  'overview.by': 'Records by {interval} and kind',
  'overview.previous': 'previous period',
  'overview.caption': '{total} records in this range, {before} in the period before.',
  'overview.by.name': 'By name',
  'overview.by.service': 'By service',
  'overview.by.tenantId': 'By tenant',
  'overview.name': 'Name',
  'overview.service': 'Service',
  'overview.tenantId': 'Tenant',
  'overview.issues': 'Latest issues',
  'overview.count': 'Records',
  'overview.change': 'Change',
  'overview.share': 'Share',
  'overview.isNew': 'new',
  'overview.issue': 'Issue',
  'overview.seen': 'Last seen',
  'overview.none': 'Nothing was recorded in this range',
  'overview.noneText': 'Make an ingest key on the System page and send the first record.',
  'overview.widen': 'Look at {range}',
  'overview.makeKey': 'Make a key',
  'overview.noIssues': 'No errors in this range',
  'overview.partly': 'the largest only: there are more groups than one answer holds',
  'kind.event': 'events',
  'kind.error': 'errors',
  'kind.span': 'spans',
  'kind.state': 'states',
  'kind.usage': 'usage'
}

/** Adds the texts; cheap to call again. */
export function registerOverviewTexts(): void {
  registerCatalog('en', texts)
}
