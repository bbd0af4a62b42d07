// From a page's query to a rule on it: which filters a rule can watch, and the address of the form.
import { addedParams, type Filter } from '@keelson/ui'
import { attrKey, DOINGS, filterChanges, SEARCH } from './address.ts'

/** What a rule cannot watch. */
const UNWATCHED = new Set<string>([SEARCH, ...DOINGS, 'traceId', 'meter', 'billedTo', 'tenant'])

/** Equalities alone can be watched: what was left out or bounded is dropped. */
export const watchable = (filters: readonly Filter[]): Filter[] =>
  filters.filter(
    ({ field, not }) =>
      not !== true &&
      !UNWATCHED.has(field) &&
      (attrKey(field) !== undefined || !field.includes('.'))
  )

/** The parameters of the Alerts page for a new rule on these filters. */
export function alertParams(
  filters: readonly Filter[],
  more: Readonly<Record<string, string>> = {}
): Record<string, string> {
  return { new: 'rule', ...addedParams(filterChanges(watchable(filters))), ...more }
}
