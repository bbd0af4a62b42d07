// English of the Events page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'events.title': 'Events',
  'events.all': 'All events',
  'events.pick': 'Event',
  'events.by': '{name} by {interval}',
  'events.records': 'Records',
  'events.previous': 'previous period',
  'events.figures': 'Figures',
  'events.note': 'newest first',
  'events.noteCount': 'newest first, {count} in range',
  'events.caption': '{total} in range, {before} in the previous period.',
  'group.noneBy': 'Group by: none',
  'group.heading': 'By {name}',
  'group.note': 'the largest groups',
  'group.truncated': 'of the newest records',
  'group.share': 'Share',
  'group.none': 'without a value',
  'tile.people': 'People',
  'tile.errors': 'Errors',
  'tile.median': '{measure}, median',
  'tile.rate': 'Per {interval}',
  'tile.peak': 'peak {value}',
  'tile.p95': 'p95 {value}'
}

/** Adds the texts; cheap to call again. */
export function registerEventsTexts(): void {
  registerCatalog('en', texts)
}
