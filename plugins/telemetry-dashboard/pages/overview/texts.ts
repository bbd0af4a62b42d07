// English of the Overview page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'overview.title': 'Overview',
  'overview.figures': 'Figures',
  'overview.records': 'Records',
  'overview.people': 'People',
  'overview.errors': 'Errors',
  'overview.slow': 'p95 latency',
  'overview.slowText': 'median {value}',
  'overview.spend': 'Spend',
  'overview.noPeople': 'no rollup counts them',
  'overview.noSpans': 'no spans',
  'overview.noSpend': 'no usage with a price',
  'overview.by': 'Records by {interval} and kind',
  'overview.previous': 'previous period',
  'overview.caption': '{total} records in this range, {before} in the previous period.',
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
  'overview.none': 'No records in this range',
  'overview.noneText': 'Create an ingest key on the System page and send a first record.',
  'overview.makeKey': 'Create a key',
  'overview.noIssues': 'No errors in this range',
  'overview.partly': 'the largest groups only: there are more than one answer can hold',
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
