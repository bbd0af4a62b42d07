// Makes the derived views: one page per event name, one preset per rollup family.
import type { DerivedView, PageId } from './view.ts'

/** What deriving needs to know of a registered event. */
export interface DerivableEvent {
  readonly kind: string
  readonly rollups: readonly { readonly as: string }[]
}

const PAGE_OF_KIND: ReadonlyMap<string, PageId> = new Map([
  ['error', 'errors'],
  ['span', 'traces'],
  ['state', 'journeys'],
  ['usage', 'usage'],
  ['event', 'events']
])

/** The views that the registry gives by itself, in its order. */
export function deriveViews(registry: Readonly<Record<string, DerivableEvent>>): DerivedView[] {
  const events = Object.entries(registry)
  const families = new Set(events.flatMap(([, event]) => event.rollups.map(({ as }) => as)))
  return [
    ...events.map(([name, { kind }]) => viewOfEvent(name, kind)),
    ...[...families].map(viewOfFamily)
  ]
}

function viewOfEvent(name: string, kind: string): DerivedView {
  return {
    name,
    page: PAGE_OF_KIND.get(kind) ?? 'events',
    origin: 'derived',
    query: {
      range: '7d',
      filters: { name },
      display: kind === 'event' ? 'series' : 'table',
      // Spans of a name may be below others, and the page lists root spans at first.
      ...(kind === 'span' && { state: { spans: 'all' } })
    }
  }
}

function viewOfFamily(as: string): DerivedView {
  return {
    name: `rollup: ${as}`,
    page: 'journeys',
    origin: 'derived',
    query: { range: '30d', filters: { rollup: as }, display: 'breakdown' }
  }
}
