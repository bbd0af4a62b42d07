// Named reports for agents: the views people saved, those of the host, and one for each event and family.
import type { McpViewer } from '@keelson/sdk/contracts/mcp-tools'
import type { Document } from 'mongodb'
import { readTime } from '../envelope/time.ts'
import { parseMetricTerm, parsePair, splitTerms } from '../queries/filter-text.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import { EXACT_FILTER_NAMES, type RecordFilters } from '../schemas/filters.ts'
import type { Telemetry } from '../telemetry.ts'

export interface ReportSpec {
  readonly name: string
  /** A page of the dashboard: `events`, `errors`, … */
  readonly page: string
  readonly query: Readonly<Record<string, unknown>>
}

export interface Report extends ReportSpec {
  readonly origin: 'saved' | 'configured' | 'derived'
  readonly shared?: boolean
}

const MOST_SAVED = 200
const PAGE_OF_KIND = {
  error: 'errors',
  span: 'traces',
  state: 'journeys',
  usage: 'usage',
  event: 'events'
} as const

/** One report per name: saved over configured over derived, as on the pages. */
export async function listReports(
  telemetry: Telemetry,
  viewer: McpViewer,
  configured: readonly ReportSpec[]
): Promise<readonly Report[]> {
  const reports = new Map<string, Report>()
  const all = [
    ...(await savedReports(telemetry, viewer)),
    ...configured.map((spec): Report => ({ ...spec, origin: 'configured' })),
    ...derivedReports(telemetry)
  ]
  for (const report of all) if (!reports.has(report.name)) reports.set(report.name, report)
  return [...reports.values()]
}

/** Scope and owner as the dashboard has them: `*` is a scope like any. */
async function savedReports(
  { collections }: Telemetry,
  { tenantId, viewerRef }: McpViewer
): Promise<readonly Report[]> {
  if (collections.views === undefined) return []
  const own = viewerRef === undefined ? [] : [{ tenantId, ownerRef: viewerRef }]
  const found = await collections.views
    .find({ $or: [{ tenantId, shared: true }, ...own] })
    .sort({ createdAt: 1, _id: 1 })
    .limit(MOST_SAVED)
    .toArray()
  return found.flatMap(reportOf)
}

function reportOf(view: Document): Report[] {
  const { name, page, query, shared } = view
  try {
    const parsed: unknown = typeof query === 'string' ? JSON.parse(query) : query
    if (typeof name !== 'string' || typeof page !== 'string' || !isObject(parsed)) return []
    return [{ name, page, query: parsed, origin: 'saved', shared: shared === true }]
  } catch {
    return []
  }
}

function derivedReports({ registry }: Telemetry): readonly Report[] {
  const events = Object.entries(registry.project()).map(
    ([name, { kind }]): Report => ({
      name,
      page: PAGE_OF_KIND[kind],
      origin: 'derived',
      query: { range: '7d', filters: { name }, display: kind === 'event' ? 'series' : 'table' }
    })
  )
  const families = [...registry.families.keys()].map(
    (as): Report => ({
      name: `rollup: ${as}`,
      page: 'journeys',
      origin: 'derived',
      query: { range: '30d', filters: { rollup: as }, display: 'breakdown' }
    })
  )
  return [...events, ...families]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a report asks for, read from the state of its page. */
export interface ReportQuery {
  readonly range: TimeRange
  readonly display: string
  readonly rollup: string | undefined
  readonly filters: RecordFilters
}

const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const
const LONGEST_MS = 3660 * UNIT_MS.d
const KIND_OF_PAGE: Readonly<Record<string, string>> = {
  errors: 'error',
  traces: 'span',
  usage: 'usage'
}

/** A report's range: the times that it fixes, or the time up to now. @throws QueryError */
function rangeOf({ range = '7d', state }: ReportSpec['query'], now: Date): TimeRange {
  const fixed = isObject(state) ? state : {}
  const [from, to] = [readTime(fixed['from']), readTime(fixed['to'])]
  if (from !== undefined && to !== undefined && from < to) {
    return { from: new Date(from), to: new Date(to) }
  }
  const [, count = '', unit = ''] = /^(\d{1,5})([hd])$/.exec(String(range)) ?? []
  const rangeMs = Number(count) * (UNIT_MS[unit as 'h' | 'd'] ?? 0)
  if (!(rangeMs > 0 && rangeMs <= LONGEST_MS)) {
    throw new QueryError(`the report's range ${range} cannot be read`)
  }
  return { from: new Date(now.getTime() - rangeMs), to: now }
}

/** @throws QueryError when the range or a filter cannot be read: a report never shows more than its page. */
export function readReport({ page, query }: ReportSpec, now: Date): ReportQuery {
  const { display = 'table', filters } = query
  const given = isObject(filters) ? filters : {}
  const kind = KIND_OF_PAGE[page]
  const { rollup } = given
  return {
    range: rangeOf(query, now),
    display: String(display),
    rollup: typeof rollup === 'string' ? rollup : undefined,
    filters: {
      ...(kind !== undefined && { kind }),
      ...Object.fromEntries(
        EXACT_FILTER_NAMES.flatMap((key) =>
          typeof given[key] === 'string' ? [[key, given[key]]] : []
        )
      ),
      ...attrsOf(given['attrs']),
      ...listsOf(given)
    }
  }
}

/** What an address says of metrics, actors and values that are left out. @throws QueryError */
function listsOf(given: Readonly<Record<string, unknown>>): RecordFilters {
  const terms = (name: string) => splitTerms(typeof given[name] === 'string' ? given[name] : '')
  const all = <T>(name: string, read: (term: string) => T | undefined): readonly T[] =>
    terms(name).map((term) => {
      const value = read(term)
      if (value === undefined) throw new QueryError(`the report's filter ${name} cannot be read`)
      return value
    })
  const metrics = all('metrics', parseMetricTerm)
  const exclude = all('exclude', (term) => {
    const [field, value] = parsePair(term) ?? []
    return field === undefined || value === undefined ? undefined : { field, value }
  })
  const q = given['q']
  const excludeActors = terms('excludeActors').map((term) => term.trim())
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(metrics.length > 0 && { metrics }),
    ...(exclude.length > 0 && { exclude }),
    ...(excludeActors.length > 0 && { excludeActors })
  }
}

/** `key:value,key:value` as in addresses, where `\,` is a comma of the value; or an object. */
function attrsOf(given: unknown): Pick<RecordFilters, 'attrs'> {
  if (isObject(given)) {
    return { attrs: new Map(Object.entries(given).map(([key, value]) => [key, String(value)])) }
  }
  if (typeof given !== 'string' || given === '') return {}
  const pairs = splitTerms(given).flatMap((term) => {
    const pair = parsePair(term)
    return pair === undefined ? [] : [pair]
  })
  return { attrs: new Map(pairs) }
}
