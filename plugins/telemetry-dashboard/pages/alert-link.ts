// From a page's query to a rule on it: which filters a rule can watch, and the address of the form.
import type { Filter } from '@keelson/ui'
import { attrKey, filterChanges } from './address.ts'

/** What a rule cannot watch. */
const UNWATCHED = new Set(['traceId', 'meter', 'billedTo', 'tenant'])

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
  const said = Object.entries(filterChanges(watchable(filters)))
  const given = said.filter((entry): entry is [string, string] => entry[1] !== null)
  return { new: 'rule', ...Object.fromEntries(given), ...more }
}
