// English of the Errors page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'errors.title': 'Errors',
  'errors.figures': 'Figures',
  'errors.count': 'Errors',
  'errors.issues': 'Issues',
  'errors.issuesNote': '{count} seen in this range',
  'errors.truncated': 'the newest {count} seen in this range',
  'errors.new': 'New issues',
  'errors.newText': 'first seen in this range',
  'errors.seenText': 'seen in this range',
  'errors.by': 'Errors by {interval}',
  'errors.previous': 'previous period',
  'errors.caption': '{total} errors in this range, {before} in the previous period.',
  'errors.search': 'Search issues',
  'errors.none': 'No errors in this range',
  'errors.noneText': 'No errors were reported.',
  'errors.noMatch': 'No issues match your search',
  'errors.clear': 'Show all issues',
  'issue.issue': 'Issue',
  'issue.trend': 'Trend',
  'issue.count': 'In range',
  'issue.total': 'All time',
  'issue.factCount': 'total',
  'issue.factLast': 'last seen',
  'issue.factFirst': 'first seen',
  'issue.last': 'Last seen',
  'issue.first': 'First seen',
  'issue.isNew': 'new',
  'issue.label': 'Issue {name}',
  'issue.inRange': 'In this range',
  'issue.facts': 'Issue',
  'issue.latest': 'Latest errors',
  'issue.latestStack': 'Latest stack trace',
  'issue.firstTrace': 'first trace',
  'issue.byRelease': 'By release',
  'issue.trace': 'trace',
  'issue.all': 'All errors of this issue',
  'issue.noRows':
    'Its records are outside this range, or were deleted at the end of their retention.',
  'issue.missing': 'This issue is not in this range',
  'issue.missingText': 'Choose a longer range to find it.'
}

/** Adds the texts; cheap to call again. */
export function registerErrorsTexts(): void {
  registerCatalog('en', texts)
}
