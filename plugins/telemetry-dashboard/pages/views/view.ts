// A view and the address it stands for: each made from the other.
import type { View, ViewQuery } from '../../views/view.ts'
import { EXACT_FIELDS } from '../address.ts'

/** The answer of `GET /api/views`. */
export interface ViewsAnswer {
  readonly views: readonly View[]
  /** Who is looking: owns some of them. */
  readonly viewerRef: string | null
}

/** Parameters that filter; everything else that an address says is state. */
const FILTERS = new Set<string>([
  ...EXACT_FIELDS,
  'attrs',
  'metrics',
  'excludeActors',
  'exclude',
  'rollup'
])

/** Parameters of one moment, which a view does not keep. */
const PASSING = new Set(['record', 'at', 'live', 'new', 'issue', 'reject', 'span', 'row'])

/** What an address shows, as a view keeps it. */
export function viewQuery(params: URLSearchParams): ViewQuery {
  const filters: Record<string, string> = {}
  const state: Record<string, string> = {}
  for (const [name, value] of params) {
    if (FILTERS.has(name)) filters[name] = value
    else if (name !== 'range' && !PASSING.has(name)) state[name] = value
  }
  return {
    range: params.get('range') ?? '7d',
    filters,
    display: params.get('chart') === 'table' ? 'table' : 'series',
    ...(Object.keys(state).length > 0 && { state })
  }
}

const texts = (part: unknown): [string, string][] =>
  typeof part === 'object' && part !== null
    ? Object.entries(part).flatMap(([name, value]): [string, string][] =>
        ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : []
      )
    : []

/** The address parameters of a view. */
export function viewParams({ range, filters, ...query }: ViewQuery): Record<string, string> {
  const state = Object.fromEntries(texts(query['state']))
  const isFixed = 'from' in state && 'to' in state
  return {
    ...(typeof range === 'string' && !isFixed && { range }),
    ...Object.fromEntries(texts(filters)),
    ...state
  }
}

/** Views of this page first, each origin in the order of the answer. */
export function viewsBy(
  views: readonly View[],
  origin: View['origin'],
  page: string
): readonly View[] {
  const found = views.filter((view) => view.origin === origin)
  return [
    ...found.filter((view) => view.page === page),
    ...found.filter((view) => view.page !== page)
  ]
}
