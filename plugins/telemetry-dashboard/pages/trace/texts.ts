// English of the page of one trace.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'trace.title': 'Trace',
  'trace.back': 'All spans',
  'trace.id': 'Copy the trace id',
  'trace.duration': 'Duration',
  'trace.spans': 'Spans',
  'trace.services': 'Services',
  'trace.errors': 'Errors',
  'trace.overview': 'The whole trace',
  'trace.brushHint': 'drag over a stretch; + and - zoom, arrows move, Home shows all',
  'trace.whole': 'Show all of it',
  'trace.waterfall': 'Waterfall',
  'trace.legend': 'the path that the duration hangs on is in full colour',
  'trace.truncated': 'only the first {count} records are shown',
  'trace.missing': 'No record carries this trace id',
  'trace.missingText':
    'Its rows may have reached the end of their retention, or it belongs to another tenant.',
  'trace.began': 'began {time}',
  'traces.span': 'Span',
  'traces.duration': 'Duration',
  'traces.failed': 'failed'
}

/** Adds the texts; cheap to call again. */
export function registerTraceTexts(): void {
  registerCatalog('en', texts)
}
