// Accumulators where they stand as expressions: over their arguments, or over one list.
import { toDouble } from '../bson/numbers.ts'
import { type Doc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { ACCUMULATORS, type AccumulatorFactory, percentiles } from './accumulators.ts'
import type { Result } from './expression.ts'
import { namedDoc } from './operator-arguments.ts'
import {
  combine,
  type ExpressionContext,
  type OperatorParser,
  parseExpression
} from './parse-expression.ts'
import { spend } from './turn-clock.ts'

function overArguments(factory: AccumulatorFactory): OperatorParser {
  return (argument, context) => {
    const list = Array.isArray(argument) ? argument : [argument]
    const parts = list.map((item) => parseExpression(item, context))
    return combine(parts, (env) => {
      const values = parts.map((part) => part.evaluate(env))
      const [only] = values
      return gather(factory, values.length === 1 && Array.isArray(only) ? only : values, context)
    })
  }
}

function gather(
  factory: AccumulatorFactory,
  values: readonly Result[],
  context: ExpressionContext
): Value {
  spend(values.length)
  const accumulator = factory(context.collation)
  for (const value of values) accumulator.add(value)
  return accumulator.result()
}

/** The factory for a `$percentile` or `$median` and the expression it is fed with. */
export function parsePercentile(
  name: string,
  argument: Value
): { readonly input: Value; readonly factory: AccumulatorFactory } {
  const isMedian = name === '$median'
  const object = namedDoc(
    name,
    argument,
    isMedian ? ['input', 'method'] : ['input', 'p', 'method'],
    []
  )
  if (object.get('method') !== 'approximate') {
    throw commandError('BadValue', `${name} requires 'method' to be 'approximate'`)
  }
  const fractions = isMedian ? [0.5] : fractionsOf(object)
  return { input: object.get('input'), factory: percentiles(fractions, isMedian) }
}

function fractionsOf(object: Doc): number[] {
  const list = object.get('p')
  if (!Array.isArray(list) || list.length === 0) {
    throw commandError(
      'Location7750300',
      "The $percentile 'p' field must be an array of numbers from 0.0 to 1.0, and not empty"
    )
  }
  return list.map((value) => {
    const fraction = isNumeric(value) ? toDouble(value) : Number.NaN
    if (fraction >= 0 && fraction <= 1) return fraction
    throw commandError(
      'Location7750303',
      "The $percentile 'p' field must be an array of numbers from 0.0 to 1.0"
    )
  })
}

const parsePercentileExpression: OperatorParser = (argument, context, name) => {
  const { input, factory } = parsePercentile(name, argument)
  const part = parseExpression(input, context)
  return combine([part], (env) => {
    const value = part.evaluate(env)
    return gather(factory, Array.isArray(value) ? value : [value], context)
  })
}

const IN_EXPRESSIONS = new Set(['$sum', '$avg', '$min', '$max', '$stdDevPop', '$stdDevSamp'])

export const STATISTICS: Readonly<Record<string, OperatorParser>> = {
  ...Object.fromEntries(
    [...ACCUMULATORS]
      .filter(([name]) => IN_EXPRESSIONS.has(name))
      .map(([name, factory]) => [name, overArguments(factory)])
  ),
  $percentile: parsePercentileExpression,
  $median: parsePercentileExpression
}
