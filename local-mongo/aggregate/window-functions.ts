// The functions of $setWindowFields: what they make of each document of a partition.
import { Double, Int32 } from 'bson'
import { toDouble } from '../bson/numbers.ts'
import type { Sort } from '../bson/sort.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isNothing, orNull, type Result } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { namedDoc } from '../expressions/operator-arguments.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { isAccumulator, parseAccumulator, type Running } from './group-accumulators.ts'
import { wholeOption } from './stage-options.ts'
import { parseBounds, type WindowBounds } from './window-bounds.ts'
import {
  isNumber,
  PAUSE,
  type WindowContext,
  type WindowParser,
  type WindowSpec
} from './window-function.ts'
import { parseDerivative, parseIntegral, parseLinearFill } from './window-slopes.ts'

/** Fails with FailedToParse (9) for an unknown function. */
export function parseWindowFunction(
  name: string,
  argument: Value,
  window: Value,
  context: WindowContext
): WindowSpec {
  const parser = PARSERS.get(name) ?? (isAccumulator(name) ? parseAccumulated : undefined)
  if (parser) return parser(name, argument, window, context)
  throw commandError('FailedToParse', `Unrecognized window function, ${name}`)
}

const parseAccumulated: WindowParser = (name, argument, window, { expressions, sort }) => {
  const spec = parseAccumulator(name, argument, expressions)
  const bounds = parseBounds(window, sort)
  return {
    fields: spec.fields,
    inputs: [spec.input],
    compute: (documents, [values = []]) => accumulate(documents, values, bounds, spec.start)
  }
}

/** Values that a window takes in before others may have their turn. */
const FED_AT_ONCE = 1_000

/** Windows that only grow at their end go on adding; others start again. */
function* accumulate(
  documents: readonly Doc[],
  values: readonly Result[],
  bounds: WindowBounds,
  start: () => Running
): Generator<Value | typeof PAUSE> {
  let running: Running | undefined
  let from = -1
  let to = -1
  for (let place = 0; place < documents.length; place++) {
    const { low, high } = bounds(documents, place)
    if (running === undefined || low !== from || high < to) {
      running = start()
      from = low
      to = low - 1
    }
    while (to < high) {
      to++
      running.feed(values[to] as Result, documents[to] as Doc)
      if (to % FED_AT_ONCE === 0) yield PAUSE
    }
    yield copyOf(running.accumulator.result())
  }
}

/** Lists that go on growing must not be shared. */
function copyOf(value: Value): Value {
  if (Array.isArray(value)) return [...value]
  return isDoc(value) ? new Map(value) : value
}

function noWindow(name: string, argument: Value, window: Value, sort: Sort | undefined): void {
  if (!isDoc(argument) || argument.size > 0)
    throw commandError('Location5371603', `${name} must be specified with '{}' as the value`)
  if (window !== undefined)
    throw commandError(
      'Location5371601',
      `Rank style window functions do not take a window: ${name}`
    )
  if (!sort)
    throw commandError(
      'Location5371602',
      `${name} must be specified with a top level sortBy expression with exactly one element`
    )
}

function ranks(isDense: boolean): WindowParser {
  return (name, argument, window, { sort }) => {
    noWindow(name, argument, window, sort)
    return {
      fields: new Set(),
      inputs: [],
      compute: (documents) => rankAll(documents, sort as Sort, isDense)
    }
  }
}

function rankAll(documents: readonly Doc[], sort: Sort, isDense: boolean): Value[] {
  let rank = 0
  let last: Uint8Array | undefined
  return documents.map((doc, place) => {
    const key = sort.sortKey(doc)
    if (!last || Buffer.compare(last, key) !== 0) rank = isDense ? rank + 1 : place + 1
    last = key
    return new Int32(rank)
  })
}

const parseDocumentNumber: WindowParser = (name, argument, window, { sort }) => {
  noWindow(name, argument, window, sort)
  return {
    fields: new Set(),
    inputs: [],
    compute: (documents) => documents.map((_doc, place) => new Int32(place + 1))
  }
}

const parseShift: WindowParser = (name, argument, window, { expressions, sort }) => {
  if (window !== undefined || !sort)
    throw commandError('FailedToParse', `${name} needs a sortBy and takes no window`)
  const options = namedDoc(name, argument, ['output', 'by'], ['default'])
  const by = wholeOption(options.get('by'), "'$shift:by' field", 'FailedToParse')
  const output = parseWhole(options.get('output'), expressions)
  const otherwise = options.has('default')
    ? parseExpression(options.get('default'), expressions)
    : undefined
  if (otherwise && !otherwise.constant)
    throw commandError('FailedToParse', "'$shift:default' expression must yield a constant value.")
  const fallback = orNull(otherwise?.constant?.value ?? null)
  return {
    fields: output.fields,
    inputs: [output],
    compute: (_documents, [values = []]) =>
      values.map((_value, place) => {
        const other = values[place + by]
        return place + by in values ? orNull(other as Result) : fallback
      })
  }
}

/** Sums the products of distances from the means. */
function covariance(isSample: boolean): WindowParser {
  return (name, argument, window, { expressions, sort }) => {
    if (!Array.isArray(argument) || argument.length !== 2)
      throw commandError('FailedToParse', `${name} needs an array of two expressions`)
    const inputs = argument.map((part) => parseWhole(part, expressions))
    const bounds = parseBounds(window, sort)
    return {
      fields: 'all',
      inputs,
      *compute(documents, [xs = [], ys = []]) {
        const pairs = xs.map((x, index) => [x, ys[index] as Result] as const)
        for (let place = 0; place < documents.length; place++) {
          const { low, high } = bounds(documents, place)
          yield covarianceOf(pairs.slice(low, high + 1), isSample)
          if (high - low > FED_AT_ONCE) yield PAUSE
        }
      }
    }
  }
}

function covarianceOf(pairs: readonly (readonly [Result, Result])[], isSample: boolean): Value {
  const numbers = pairs.flatMap(([x, y]) =>
    isNumber(x) && isNumber(y) ? [[toDouble(x), toDouble(y)] as const] : []
  )
  const divisor = isSample ? numbers.length - 1 : numbers.length
  if (divisor <= 0) return null
  const mean = (index: 0 | 1) =>
    numbers.reduce((sum, pair) => sum + pair[index], 0) / numbers.length
  const [meanX, meanY] = [mean(0), mean(1)]
  return new Double(numbers.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / divisor)
}

const parseMovingAverage: WindowParser = (name, argument, window, { expressions, sort }) => {
  if (window !== undefined || !sort)
    throw commandError('FailedToParse', '$expMovingAvg needs a sortBy and takes no window')
  const options = namedDoc(name, argument, ['input'], ['N', 'alpha'])
  if (options.has('N') === options.has('alpha'))
    throw commandError('FailedToParse', "$expMovingAvg must have exactly one of 'N' and 'alpha'")
  const alpha = options.has('N')
    ? 2 / (positiveWhole(options.get('N')) + 1)
    : fraction(options.get('alpha'))
  const input = parseWhole(options.get('input'), expressions)
  return {
    fields: input.fields,
    inputs: [input],
    compute: (_documents, [values = []]) => {
      let average: number | undefined
      return values.map((value) => {
        if (isNumber(value))
          average =
            average === undefined
              ? toDouble(value)
              : toDouble(value) * alpha + average * (1 - alpha)
        return average === undefined ? null : new Double(average)
      })
    }
  }
}

function positiveWhole(value: Value): number {
  const whole = wholeOption(value, "'N' field of $expMovingAvg", 'FailedToParse')
  if (whole > 0) return whole
  throw commandError(
    'FailedToParse',
    "'N' field of $expMovingAvg must be an integer greater than zero"
  )
}

function fraction(value: Value): number {
  const number = isNumeric(value) ? toDouble(value) : Number.NaN
  if (number > 0 && number < 1) return number
  throw commandError(
    'FailedToParse',
    "'alpha' field of $expMovingAvg must be between 0 and 1 (exclusive)"
  )
}

const parseLastObserved: WindowParser = (name, argument, window, { expressions, sort }) => {
  if (window !== undefined || !sort)
    throw commandError('FailedToParse', `${name} needs a sortBy and takes no window`)
  const input = parseWhole(argument, expressions)
  return {
    fields: input.fields,
    inputs: [input],
    compute: (_documents, [values = []]) => {
      let last: Value = null
      return values.map((value) => {
        if (!isNothing(value)) last = value
        return last
      })
    }
  }
}

const PARSERS: ReadonlyMap<string, WindowParser> = new Map<string, WindowParser>([
  ['$rank', ranks(false)],
  ['$denseRank', ranks(true)],
  ['$documentNumber', parseDocumentNumber],
  ['$shift', parseShift],
  ['$covariancePop', covariance(false)],
  ['$covarianceSamp', covariance(true)],
  ['$derivative', parseDerivative],
  ['$integral', parseIntegral],
  ['$expMovingAvg', parseMovingAverage],
  ['$locf', parseLastObserved],
  ['$linearFill', parseLinearFill]
])
