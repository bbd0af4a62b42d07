// English of the page of one trace.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'trace.title': 'Trace',
  'trace.back': 'All traces',
  'trace.id': 'Copy trace ID',
  'trace.duration': 'Duration',
  'trace.spans': 'Spans',
  'trace.services': 'Services',
  'trace.errors': 'Errors',
  'trace.failed': { one: '{count} failed span', other: '{count} failed spans' },
  'trace.overview': 'Overview',
  'trace.brushHint': 'drag to zoom',
  'trace.brushKeys': '+ and - zoom, arrows move, Home shows all',
  'trace.whole': 'Show all',
  'trace.waterfall': 'Waterfall',
  'trace.legend': 'critical path highlighted',
  'trace.truncated': 'the first {count} records',
  'trace.missing': 'Trace not found',
  'trace.missingText':
    'Its records may have been deleted at the end of their retention, or belong to another tenant.',
  'trace.began': 'started {time}',
  'traces.span': 'Span',
  'traces.duration': 'Duration',
  'traces.failed': 'failed'
}

/** Adds the texts; cheap to call again. */
export function registerTraceTexts(): void {
  registerCatalog('en', texts)
}
