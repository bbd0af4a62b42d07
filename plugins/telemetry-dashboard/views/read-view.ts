// Reads the body of a request that saves a view.
import { accepted, type Parsed, refused } from '../routes/parsed.ts'
import { PAGES, type ViewQuery, type ViewSpec } from './view.ts'

export interface ViewRequest {
  readonly spec: ViewSpec
  readonly shared: boolean
}

/** Characters in the name of a view. */
export const MAX_VIEW_NAME = 200
/** Levels of objects and arrays in the query of a view. */
export const MAX_QUERY_DEPTH = 12

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const SPEC_REQUIRED = refused('view spec required')

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1))
}

/** The view that a body asks to save, by a viewer with or without an identity. */
export function readViewRequest(body: unknown, viewerRef: string | undefined): Parsed<ViewRequest> {
  if (!isObject(body) || !isObject(body['spec'])) return SPEC_REQUIRED
  const { name, page, query } = body['spec']
  const shared = body['shared'] ?? false
  if (typeof name !== 'string' || name.trim() === '') return SPEC_REQUIRED
  if (typeof page !== 'string' || page === '' || !isObject(query)) return SPEC_REQUIRED
  const known = PAGES.find((id) => id === page)
  if (known === undefined) return refused(`page must be one of ${PAGES.join(', ')}`)
  if (name.length > MAX_VIEW_NAME) {
    return refused(`name must be at most ${MAX_VIEW_NAME} characters`)
  }
  if (isTooDeep(query, MAX_QUERY_DEPTH)) {
    return refused(`query must be at most ${MAX_QUERY_DEPTH} levels deep`)
  }
  if (typeof shared !== 'boolean') return refused('shared must be true or false')
  if (!shared && viewerRef === undefined) return refused('private views need a viewer identity')
  return accepted({ spec: { name, page: known, query: query as ViewQuery }, shared })
}

export interface ViewChange {
  readonly name?: string
  readonly query?: ViewQuery
  readonly shared?: boolean
}

/** The change that a body asks for: any of `name`, `query` and `shared`, at least one. */
export function readViewChange(body: unknown, viewerRef: string | undefined): Parsed<ViewChange> {
  if (!isObject(body)) return refused('view change required')
  const { name, query, shared } = body
  const given = { name, query, shared }
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  if (present.length === 0) return refused('view change required')
  // What is not changed stands in with something that is right.
  const whole = {
    spec: { name: name ?? 'x', page: 'events', query: query ?? {} },
    shared: shared ?? true
  }
  const read = readViewRequest(whole, viewerRef)
  return read.ok ? accepted(Object.fromEntries(present)) : read
}
