// What an address shows, as a view keeps it. Pure.
import type { ViewQuery } from '../../views/view.ts'
import { DOINGS, EXACT_FIELDS, SEARCH } from '../address.ts'

/** Parameters that filter; everything else that an address says is state. */
const FILTERS = new Set<string>([
  ...EXACT_FIELDS,
  SEARCH,
  ...DOINGS,
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
