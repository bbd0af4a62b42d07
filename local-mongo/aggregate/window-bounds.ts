// Which documents of a partition a window takes in.

import { addNumbers } from '../bson/arithmetic.ts'
import { compareNumbers, toDouble } from '../bson/numbers.ts'
import type { Sort } from '../bson/sort.ts'
import { type Doc, isDoc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { addUnits, isTimeUnit, type TimeUnit } from '../expressions/calendar.ts'
import { fieldOf } from '../expressions/parse-expression.ts'
import { UTC } from '../expressions/time-zone.ts'
import { wholeOption } from './stage-options.ts'

/** Inclusive places in the partition; `low` above `high` is an empty window. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** The window of the document at a place. */
export type WindowBounds = (documents: readonly Doc[], place: number) => Interval

export const WHOLE: WindowBounds = (documents) => ({ low: 0, high: documents.length - 1 })

type Bound<T> = 'unbounded' | 'current' | T

function pairOf<T>(
  value: Value,
  name: string,
  read: (bound: Value) => T
): readonly [Bound<T>, Bound<T>] {
  if (!Array.isArray(value) || value.length !== 2) {
    throw commandError('FailedToParse', `Window bounds must be a 2-element array: ${name}`)
  }
  const [low, high] = value.map(
    (bound): Bound<T> => (bound === 'unbounded' || bound === 'current' ? bound : read(bound))
  )
  return [low as Bound<T>, high as Bound<T>]
}

/** Reads `window: { documents: […] }` or `{ range: […], unit }`; the whole partition without one. */
export function parseBounds(window: Value, sort: Sort | undefined): WindowBounds {
  if (window === undefined) return WHOLE
  if (!isDoc(window)) throw commandError('FailedToParse', "'window' field must be an object")
  for (const key of window.keys()) {
    if (!['documents', 'range', 'unit'].includes(key)) {
      throw commandError(
        'FailedToParse',
        `'window' field can only contain 'documents', 'range' and 'unit', not '${key}'`
      )
    }
  }
  if (window.has('documents') === window.has('range')) {
    if (window.size === 0) return WHOLE
    throw commandError(
      'FailedToParse',
      "Window bounds can specify either 'documents' or 'range', not both"
    )
  }
  return window.has('documents') ? byPlace(window, sort) : byValue(window, sort)
}

function byPlace(window: Doc, sort: Sort | undefined): WindowBounds {
  if (window.has('unit'))
    throw commandError(
      'FailedToParse',
      "Window bounds can only specify 'unit' with range-based bounds"
    )
  const [low, high] = pairOf(window.get('documents'), 'documents', (bound) =>
    wholeOption(bound, 'a window bound', 'FailedToParse')
  )
  if ((low !== 'unbounded' || high !== 'unbounded') && !sort) {
    throw commandError('Location5339901', 'Document-based bounds require a sortBy')
  }
  if (typeof low === 'number' && typeof high === 'number' && low > high) {
    throw commandError('Location5339900', 'Lower bound must not exceed upper bound')
  }
  return (documents, place) => ({
    low: low === 'unbounded' ? 0 : Math.max(0, place + (low === 'current' ? 0 : low)),
    high:
      high === 'unbounded'
        ? documents.length - 1
        : Math.min(documents.length - 1, place + (high === 'current' ? 0 : high))
  })
}

function byValue(window: Doc, sort: Sort | undefined): WindowBounds {
  const [part, other] = sort?.parts ?? []
  if (!part || other || part.direction !== 1) {
    throw commandError(
      'Location5339902',
      'Range-based bounds require a sortBy a single field in ascending order'
    )
  }
  const unit = unitOf(window)
  const [low, high] = pairOf(window.get('range'), 'range', numberOf)
  return (documents, place) => {
    const current = measuredValue(documents[place] as Doc, part.path, unit)
    const reach = (bound: Bound<Numeric>): Value =>
      bound === 'unbounded' || bound === 'current' ? current : shifted(current, bound, unit)
    const from = low === 'unbounded' ? 0 : firstAtLeast(documents, part.path, reach(low), unit)
    const to =
      high === 'unbounded'
        ? documents.length - 1
        : lastAtMost(documents, part.path, reach(high), unit)
    return { low: from, high: to }
  }
}

function unitOf(window: Doc): TimeUnit | undefined {
  if (!window.has('unit')) return undefined
  const unit = window.get('unit')
  if (isTimeUnit(unit)) return unit
  throw commandError('FailedToParse', "'unit' must be a time unit")
}

function numberOf(bound: Value): Numeric {
  if (isNumeric(bound)) return bound
  throw commandError('FailedToParse', 'Range-based bounds expression must be a number')
}

/** The value that a range is measured by; fails when it is of the wrong kind. */
function measuredValue(doc: Doc, path: string, unit: TimeUnit | undefined): Numeric | Date {
  const value = path.split('.').reduce<ReturnType<typeof fieldOf>>(fieldOf, doc)
  if (
    unit === undefined &&
    typeof value === 'object' &&
    value !== null &&
    isNumeric(value as Value)
  )
    return value as Numeric
  if (unit !== undefined && value instanceof Date) return value
  throw commandError(
    'Location5429414',
    `Invalid range: Expected the sortBy field to be a ${unit === undefined ? 'number' : 'Date'}`
  )
}

function shifted(value: Value, by: Numeric, unit: TimeUnit | undefined): Value {
  if (value instanceof Date)
    return addUnits(value, unit ?? 'millisecond', Math.trunc(toDouble(by)), UTC, '$setWindowFields')
  return addNumbers(value as Numeric, by)
}

function compare(a: Value, b: Value): number {
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  return compareNumbers(a as Numeric, b as Numeric)
}

function firstAtLeast(
  documents: readonly Doc[],
  path: string,
  least: Value,
  unit: TimeUnit | undefined
): number {
  return boundary(documents, (doc) => compare(measuredValue(doc, path, unit), least) >= 0)
}

function lastAtMost(
  documents: readonly Doc[],
  path: string,
  most: Value,
  unit: TimeUnit | undefined
): number {
  return boundary(documents, (doc) => compare(measuredValue(doc, path, unit), most) > 0) - 1
}

/** The first place from which on the test holds. */
function boundary(documents: readonly Doc[], test: (doc: Doc) => boolean): number {
  let low = 0
  let high = documents.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(documents[middle] as Doc)) high = middle
    else low = middle + 1
  }
  return low
}
