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
  'errors.caption': '{total} errors in this range, {before} in the period before.',
  'errors.search': 'Search issues',
  'errors.none': 'No errors in this range',
  'errors.noneText': 'Nothing went wrong, or nothing told of it.',
  'errors.noMatch': 'No issue holds these words',
  'errors.clear': 'Show all issues',
  'errors.widen': 'Look at {range}',
  'issue.issue': 'Issue',
  'issue.trend': 'Trend',
  'issue.count': 'In range',
  'issue.total': 'Ever',
  'issue.factCount': 'in total',
  'issue.factLast': 'last seen',
  'issue.factFirst': 'first seen',
  'issue.last': 'Last seen',
  'issue.first': 'First seen',
  'issue.isNew': 'new',
  'issue.label': 'Issue {name}',
  'issue.inRange': 'In this range',
  'issue.facts': 'Issue',
  'issue.latest': 'Latest errors',
  'issue.latestStack': 'Stack of the latest',
  'issue.firstTrace': 'trace of the first',
  'issue.byRelease': 'By release',
  'issue.trace': 'trace',
  'issue.all': 'All errors of this issue',
  'issue.noRows': 'Its rows have reached the end of their retention, or lie outside this range.',
  'issue.missing': 'This issue is not in this range',
  'issue.missingText': 'Look at a longer range to find it.'
}

/** Adds the texts; cheap to call again. */
export function registerErrorsTexts(): void {
  registerCatalog('en', texts)
}
