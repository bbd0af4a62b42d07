// English of the Traces page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'traces.title': 'Traces',
  'traces.figures': 'Figures',
  'traces.spans': 'Spans',
  'traces.noteCount': 'newest first, {count} in range',
  'traces.p50': 'Median',
  'traces.p95': 'p95',
  'traces.p99': 'p99',
  'traces.slowest': 'slowest {value}',
  'traces.histogram': 'How long spans took',
  'traces.histogramNote': 'press a bar to see its spans',
  'traces.bar': {
    one: '{count} span from {min} to {max}',
    other: '{count} spans from {min} to {max}'
  },
  'traces.span': 'Span',
  'traces.share': 'Share',
  'traces.duration': 'Duration',
  'traces.failed': 'failed',
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
  'trace.began': 'began {time}'
}

/** Adds the texts; cheap to call again. */
export function registerTracesTexts(): void {
  registerCatalog('en', texts)
}
