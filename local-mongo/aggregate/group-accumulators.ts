// Reads the accumulators of $group, $bucket and windows.

import { compareValues } from '../bson/compare.ts'
import { toWhole } from '../bson/numbers.ts'
import { parseSort } from '../bson/sort.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import {
  ACCUMULATORS,
  type Accumulator,
  arrivals,
  type Ranking,
  ranked
} from '../expressions/accumulators.ts'
import {
  type Expression,
  isNothing,
  type ReadFields,
  type Result,
  typeOf,
  unionFields
} from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { namedDoc } from '../expressions/operator-arguments.ts'
import { type ExpressionContext, parseExpression } from '../expressions/parse-expression.ts'
import { parsePercentile } from '../expressions/statistics-operators.ts'
import { topField } from './stage.ts'

/** A running accumulator with the way it is fed. */
export interface Running {
  readonly accumulator: Pick<Accumulator, 'result' | 'size'>
  /** Takes in the value of the input for a document. */
  feed(value: Result, doc: Doc): void
}

export interface AccumulatorSpec {
  readonly fields: ReadFields
  /** What is evaluated for each document. */
  readonly input: Expression
  start(): Running
}

type SpecParser = (name: string, argument: Value, context: ExpressionContext) => AccumulatorSpec

/** Fails with Location15952 for an unknown accumulator. */
export function parseAccumulator(
  name: string,
  argument: Value,
  context: ExpressionContext
): AccumulatorSpec {
  const parser = PARSERS.get(name)
  if (parser === undefined) throw commandError('Location15952', `unknown group operator '${name}'`)
  return parser(name, argument, context)
}

/** Whether a name is that of an accumulator. */
export function isAccumulator(name: string): boolean {
  return PARSERS.has(name)
}

function fed(expression: Expression, make: () => Accumulator): AccumulatorSpec {
  return {
    fields: expression.fields,
    input: expression,
    start: () => {
      const accumulator = make()
      return { accumulator, feed: (value) => accumulator.add(value) }
    }
  }
}

const parsePlain: SpecParser = (name, argument, context) => {
  const factory = ACCUMULATORS.get(name)
  if (factory === undefined) throw commandError('Location15952', `unknown group operator '${name}'`)
  if (
    Array.isArray(argument) &&
    name !== '$push' &&
    name !== '$addToSet' &&
    argument.length !== 1
  ) {
    throw commandError('Location40237', `The ${name} accumulator is a unary operator`)
  }
  const unwrapped =
    Array.isArray(argument) && argument.length === 1 && name !== '$push' && name !== '$addToSet'
      ? argument[0]
      : argument
  return fed(parseWhole(unwrapped, context), () => factory(context.collation))
}

const parseCount: SpecParser = (name, argument, context) => {
  if (!isDoc(argument) || argument.size > 0)
    throw commandError('TypeMismatch', '$count takes no arguments, i.e. $count:{}')
  return parsePlain(name, true, context)
}

const parsePercentiles: SpecParser = (name, argument, context) => {
  const { input, factory } = parsePercentile(name, argument)
  return fed(parseWhole(input, context), () => factory(context.collation))
}

function countOf(argument: Doc, name: string, context: ExpressionContext): number {
  const { constant } = parseExpression(argument.get('n'), context)
  const value = constant?.value
  const whole =
    !isNothing(value ?? null) && isNumeric(value as Value) ? toWhole(value as never) : undefined
  if (whole === undefined || whole < 1n || whole > 2_147_483_647n) {
    throw commandError(
      'Location5787908',
      `'n' of ${name} must be a constant positive whole number, found ${typeOf(value ?? null)}`
    )
  }
  return Number(whole)
}

/** $firstN, $lastN, $minN and $maxN. */
const parseSome: SpecParser = (name, argument, context) => {
  const options = namedDoc(name, argument, ['input', 'n'], [])
  const n = countOf(options, name, context)
  const input = parseWhole(options.get('input'), context)
  if (name === '$firstN' || name === '$lastN')
    return fed(input, () => arrivals(n, name === '$lastN'))
  const sign = name === '$minN' ? 1 : -1
  const ranking: Ranking<Value> = {
    n,
    compare: (a, b) => sign * compareValues(a, b, context.collation),
    sizeOfKey: () => 0,
    shape: (values) => values
  }
  return {
    fields: input.fields,
    input,
    start: () => {
      const accumulator = ranked(ranking)
      const feed = (value: Result): void => {
        if (!isNothing(value)) accumulator.add(value, value)
      }
      return { accumulator, feed }
    }
  }
}

/** $top, $topN, $bottom and $bottomN. */
const parseTop: SpecParser = (name, argument, context) => {
  const isSingle = !name.endsWith('N')
  const options = namedDoc(
    name,
    argument,
    isSingle ? ['sortBy', 'output'] : ['sortBy', 'output', 'n'],
    []
  )
  const n = isSingle ? 1 : countOf(options, name, context)
  const sortBy = options.get('sortBy')
  if (!isDoc(sortBy))
    throw commandError('Location5788604', `expected 'sortBy' of ${name} to be an object`)
  const sort = parseSort(sortBy, { collation: context.collation })
  const output = parseWhole(options.get('output'), context)
  const sign = name.startsWith('$top') ? 1 : -1
  const shape = (values: Value[]): Value => {
    if (isSingle) return values[0] ?? null
    return sign === 1 ? values : values.reverse()
  }
  const ranking: Ranking<Uint8Array> = {
    n,
    compare: (a, b) => sign * Buffer.compare(a, b),
    sizeOfKey: ({ length }) => length,
    shape
  }
  return {
    fields: unionFields(output.fields, new Set(sort.parts.map(({ path }) => topField(path)))),
    input: output,
    start: () => {
      const accumulator = ranked(ranking)
      const feed = (value: Result, doc: Doc): void => accumulator.add(sort.sortKey(doc), value)
      return { accumulator, feed }
    }
  }
}

const PARSERS: ReadonlyMap<string, SpecParser> = new Map<string, SpecParser>([
  ...[...ACCUMULATORS.keys()].map((name) => [name, parsePlain] as const),
  ['$count', parseCount],
  ['$percentile', parsePercentiles],
  ['$median', parsePercentiles],
  ...['$firstN', '$lastN', '$minN', '$maxN'].map((name) => [name, parseSome] as const),
  ...['$top', '$topN', '$bottom', '$bottomN'].map((name) => [name, parseTop] as const)
])

/** The accumulators of `{ field: { $sum: … }, … }`. */
export function parseAccumulators(
  spec: Iterable<readonly [string, Value]>,
  context: ExpressionContext
): (readonly [string, AccumulatorSpec])[] {
  return [...spec].map(([field, value]) => {
    if (field.includes('.'))
      throw commandError('Location40235', `The field name '${field}' cannot contain '.'`)
    if (field.startsWith('$'))
      throw commandError('Location40236', `The field name '${field}' cannot be an operator name`)
    const [name] = isDoc(value) ? value.keys() : []
    if (!isDoc(value) || name === undefined || !name.startsWith('$')) {
      throw commandError('Location40234', `The field '${field}' must be an accumulator object`)
    }
    if (value.size !== 1)
      throw commandError('Location40238', `The field '${field}' must specify one accumulator`)
    return [field, parseAccumulator(name, value.get(name), context)] as const
  })
}
