// English of the Traces page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'traces.title': 'Traces',
  'traces.figures': 'Figures',
  'traces.scope': 'Spans shown',
  'traces.roots': 'Traces',
  'traces.all': 'All spans',
  'traces.roots.counted': 'All figures count root spans: one per trace',
  'traces.all.counted': 'All figures count every span',
  'traces.roots.count': 'Traces',
  'traces.all.count': 'Spans',
  'traces.roots.span': 'Root span',
  'traces.all.span': 'Span',
  'traces.noRoots': 'No traces in this range',
  'traces.noRootsText':
    'A trace is listed by its root span. Traces that another system started are among all spans.',
  'traces.showAll': 'Show all spans',
  'traces.noteCount': 'newest first, {count} in range',
  'traces.p50': 'Median',
  'traces.p95': 'p95',
  'traces.p99': 'p99',
  'traces.slowest': 'slowest {value}',
  'traces.roots.histogram': 'Root span duration',
  'traces.all.histogram': 'Span duration',
  'traces.histogramNote': 'click a bar to filter',
  'traces.histogramScale': 'Spans by duration, at most {count} in a bar',
  'traces.bar': {
    one: '{count} span from {min} to {max}',
    other: '{count} spans from {min} to {max}'
  },
  'traces.durationField': 'duration (ms)',
  'traces.share': 'Duration as a bar',
  'traces.duration': 'Duration',
  'traces.failed': 'failed',
  'traces.byGroup': 'Slowest groups',
  'traces.groupsCut': '{count} of {values}, by p95',
  'traces.nameless': 'no value',
  'traces.openSlowest': 'Open the slowest trace',
  'traces.group.failed': 'Failed',
  'traces.group.p50': 'Median',
  'traces.group.p95': 'p95',
  'traces.group.max': 'Slowest'
}

/** Adds the texts; cheap to call again. */
export function registerTracesTexts(): void {
  registerCatalog('en', texts)
}
