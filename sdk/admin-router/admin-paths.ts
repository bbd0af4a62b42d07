// Finds the route of an address among many: compiled once, matched by segments. Pure.
import type { AdminRoute } from '../contracts/mailer-admin-api.ts'

/** A route that was found, and the `:name` parts of its path. */
export interface FoundRoute<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a method and a raw path; undefined when there is none. */
export type RouteFinder<R> = (method: string, path: string) => FoundRoute<R> | undefined

interface Compiled<R> {
  readonly route: R
  readonly segments: readonly string[]
}

/** The form of an address: two routes of one form answer the same requests. */
export function addressForm({ method, path }: Pick<AdminRoute, 'method' | 'path'>): string {
  const parts = segmentsOf(path).map((segment) => (segment.startsWith(':') ? ':' : segment))
  return `${method} /${parts.join('/')}`
}

/** Compiles routes. Where several match, the one whose first parts are fixed wins. */
export function routeFinder<R extends Pick<AdminRoute, 'method' | 'path'>>(
  routes: readonly R[]
): RouteFinder<R> {
  const byShape = new Map<string, Compiled<R>[]>()
  for (const route of routes) {
    const segments = segmentsOf(route.path)
    const key = shapeOf(route.method, segments)
    byShape.set(key, [...(byShape.get(key) ?? []), { route, segments }].sort(fixedFirst))
  }
  return (method, path) => {
    const given = segmentsOf(path)
    for (const { route, segments } of byShape.get(shapeOf(method, given)) ?? []) {
      const params = paramsOf(segments, given)
      if (params !== undefined) return { route, params }
    }
    return undefined
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

const shapeOf = (method: string, { length }: readonly string[]): string => `${method} ${length}`

function fixedFirst(a: Compiled<unknown>, b: Compiled<unknown>): number {
  const at = a.segments.findIndex((part, i) => isParam(part) !== isParam(b.segments[i]))
  if (at === -1) return 0
  return isParam(a.segments[at]) ? 1 : -1
}

const isParam = (segment: string | undefined): boolean => segment?.startsWith(':') === true

/** The parameters, decoded; undefined when the path is another or cannot be decoded. */
function paramsOf(
  segments: readonly string[],
  given: readonly string[]
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const text = decoded(given[at] ?? '')
    if (text === undefined) return undefined
    if (isParam(segment)) params[segment.slice(1)] = text
    else if (segment !== text) return undefined
  }
  return params
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
