// Window functions along a measure: $derivative, $integral and $linearFill.
import { Double } from 'bson'
import { divideNumbers, multiplyNumbers, subtractNumbers } from '../bson/arithmetic.ts'
import { toDouble } from '../bson/numbers.ts'
import type { Sort } from '../bson/sort.ts'
import { type Doc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isTimeUnit } from '../expressions/calendar.ts'
import { type Expression, isNothing, orNull, type Result } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { namedDoc } from '../expressions/operator-arguments.ts'
import { fieldOf } from '../expressions/parse-expression.ts'
import { type Interval, parseBounds, WHOLE, type WindowBounds } from './window-bounds.ts'
import { isNumber, PAUSE, type WindowContext, type WindowParser } from './window-function.ts'

/** The measure along which $derivative and $integral go: numbers, or dates in milliseconds. */
function measureOf(doc: Doc, sort: Sort, unit: number | undefined, name: string): Numeric {
  const path = sort.parts[0]?.path ?? ''
  const value = path.split('.').reduce<Result>(fieldOf, doc)
  if (value instanceof Date && unit !== undefined) return new Double(value.getTime())
  if (isNumber(value) && unit === undefined) return value
  throw commandError(
    'Location5624900',
    `${name} (with ${unit === undefined ? 'no ' : ''}'unit') requires the sortBy field to be a ${unit === undefined ? 'number' : 'Date'}`
  )
}

/** Documents of a window that are gone through before others may have their turn. */
const MOST_AT_ONCE = 1_000

const UNIT_MILLIS: ReadonlyMap<string, number> = new Map([
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1]
])

interface Slope {
  readonly input: Expression
  /** In milliseconds; set where the measure is a date. */
  readonly unit: number | undefined
  readonly bounds: WindowBounds
  readonly sort: Sort
}

function readSlope(
  name: string,
  argument: Value,
  window: Value,
  { expressions, sort }: WindowContext
): Slope {
  const options = namedDoc(name, argument, ['input'], ['unit'])
  if (sort?.parts.length !== 1)
    throw commandError('FailedToParse', `${name} requires a sortBy of one field`)
  const unit = options.get('unit')
  if (unit !== undefined && !(isTimeUnit(unit) && UNIT_MILLIS.has(unit))) {
    throw commandError('Location5490704', `unit must be 'week' or smaller in ${name}`)
  }
  if (name === '$derivative' && window === undefined)
    throw commandError('FailedToParse', '$derivative requires explicit window bounds')
  return {
    input: parseWhole(options.get('input'), expressions),
    unit: typeof unit === 'string' ? UNIT_MILLIS.get(unit) : undefined,
    bounds: window === undefined ? WHOLE : parseBounds(window, sort),
    sort
  }
}

export const parseDerivative: WindowParser = (name, argument, window, context) => {
  const slope = readSlope(name, argument, window, context)
  return {
    fields: 'all',
    inputs: [slope.input],
    compute: (documents, [values = []]) =>
      documents.map((_doc, place) => {
        const { low, high } = slope.bounds(documents, place)
        return low >= high ? null : rise(documents, values, { low, high }, slope)
      })
  }
}

function rise(
  documents: readonly Doc[],
  values: readonly Result[],
  { low, high }: Interval,
  { unit, sort }: Slope
): Value {
  const [first, last] = [values[low], values[high]] as [Result, Result]
  if (isNothing(first) || isNothing(last)) return null
  if (!isNumber(first) || !isNumber(last))
    throw commandError('Location5624903', '$derivative input must be numeric')
  const [start, end] = [low, high].map((place) =>
    measureOf(documents[place] as Doc, sort, unit, '$derivative')
  ) as [Numeric, Numeric]
  const run = subtractNumbers(end, start)
  if (toDouble(run) === 0) return null
  const rate = divideNumbers(subtractNumbers(last, first), run)
  // In the order of MongoDB: converting the dates first would lose digits.
  return unit === undefined ? rate : multiplyNumbers(rate, new Double(unit))
}

export const parseIntegral: WindowParser = (name, argument, window, context) => {
  const slope = readSlope(name, argument, window, context)
  return {
    fields: 'all',
    inputs: [slope.input],
    *compute(documents, [values = []]) {
      for (let place = 0; place < documents.length; place++) {
        const { low, high } = slope.bounds(documents, place)
        yield low > high ? null : new Double(area(documents, values, { low, high }, slope))
        if (high - low > MOST_AT_ONCE) yield PAUSE
      }
    }
  }
}

/** By trapezoids between neighbours. */
function area(
  documents: readonly Doc[],
  values: readonly Result[],
  { low, high }: Interval,
  { unit, sort }: Slope
): number {
  const points: (readonly [number, number])[] = []
  for (let place = low; place <= high; place++) {
    const value = values[place] as Result
    if (isNumber(value))
      points.push([
        toDouble(measureOf(documents[place] as Doc, sort, unit, '$integral')),
        toDouble(value)
      ])
  }
  let sum = 0
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]] as [
      readonly [number, number],
      readonly [number, number]
    ]
    sum += ((y0 + y1) / 2) * (x1 - x0)
  }
  return unit === undefined ? sum : sum / unit
}

export const parseLinearFill: WindowParser = (name, argument, window, { expressions, sort }) => {
  if (window !== undefined) throw commandError('FailedToParse', `${name} takes no window`)
  if (sort?.parts.length !== 1)
    throw commandError(
      'Location605001',
      '$linearFill must be specified with a top level sortBy expression with exactly one element'
    )
  return {
    fields: 'all',
    inputs: [parseWhole(argument, expressions)],
    compute: (documents, [values = []]) => fillLinearly(documents, values.map(orNull), sort)
  }
}

function fillLinearly(documents: readonly Doc[], values: readonly Value[], sort: Sort): Value[] {
  const places = documents.map((doc) => positionOf(doc, sort))
  const filled = [...values]
  let left = -1
  for (const [right, value] of values.entries()) {
    if (isNothing(value)) continue
    if (!isNumeric(value))
      throw commandError('Location605001', '$linearFill input must be numeric or null')
    for (let gap = left + 1; left >= 0 && gap < right; gap++) {
      const [x0, x1, x] = [places[left], places[right], places[gap]] as [number, number, number]
      const [y0, y1] = [toDouble(values[left] as Numeric), toDouble(value)]
      filled[gap] = new Double(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0))
    }
    left = right
  }
  for (let i = 1; i < places.length; i++) {
    if (places[i] === places[i - 1])
      throw commandError('Location6050106', 'There can be no repeated values in the sort field')
  }
  return filled
}

function positionOf(doc: Doc, sort: Sort): number {
  const value = (sort.parts[0]?.path ?? '').split('.').reduce<Result>(fieldOf, doc)
  if (value instanceof Date) return value.getTime()
  if (isNumber(value)) return toDouble(value)
  throw commandError(
    'TypeMismatch',
    '$linearFill requires the sortBy field to be numeric or a date'
  )
}
