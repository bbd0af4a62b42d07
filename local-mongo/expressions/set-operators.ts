// Operators on lists as sets.

import type { Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import { isNothing, isTrue, MISSING, type Result } from './expression.ts'
import { needList, positional, unary, variadic } from './operator-arguments.ts'
import type { ExpressionContext, OperatorParser } from './parse-expression.ts'
import { spend } from './turn-clock.ts'

/** An element is made a key and looked up. */
const SPENT_PER_ELEMENT = 4

function operands(values: readonly Result[], name: string, code: `Location${number}`): Value[][] {
  return values.map((value) => {
    const list = needList(value, `All operands of ${name}: one of them`, code)
    spend(SPENT_PER_ELEMENT * list.length)
    return list
  })
}

function distinct(list: readonly Value[], { collation }: ExpressionContext): Value[] {
  const seen = new ValueSet([], collation)
  return list.filter((value) => seen.add(value))
}

function union(values: readonly Result[], context: ExpressionContext): Result {
  if (values.some(isNothing)) return null
  return distinct(operands(values, '$setUnion', 'Location17043').flat(), context)
}

function intersection(values: readonly Result[], context: ExpressionContext): Result {
  if (values.some(isNothing)) return null
  const [first = [], ...others] = operands(values, '$setIntersection', 'Location17047')
  const sets = others.map((list) => new ValueSet(list, context.collation))
  return distinct(first, context).filter((value) => sets.every((set) => set.has(value)))
}

function difference(
  [a = MISSING, b = MISSING]: readonly Result[],
  context: ExpressionContext
): Result {
  if (isNothing(a) || isNothing(b)) return null
  const [from = [], without = []] = operands([a, b], '$setDifference', 'Location17048')
  const set = new ValueSet(without, context.collation)
  return distinct(from, context).filter((value) => !set.has(value))
}

function equals(values: readonly Result[], context: ExpressionContext): Result {
  if (values.length < 2)
    throw commandError('Location17045', '$setEquals needs at least two arguments')
  const [first = new ValueSet(), ...others] = operands(values, '$setEquals', 'Location17044')
    .map((list) => distinct(list, context))
    .map((list) => new ValueSet(list, context.collation))
  const lists = operands(values, '$setEquals', 'Location17044')
  return (
    others.every(({ size }) => size === first.size) &&
    lists.every((list) => list.every((value) => first.has(value)))
  )
}

function isSubset(
  [a = MISSING, b = MISSING]: readonly Result[],
  context: ExpressionContext
): Result {
  const part = needList(a, 'both operands of $setIsSubset: the first', 'Location17046')
  const list = needList(b, 'both operands of $setIsSubset: the second', 'Location17042')
  spend(SPENT_PER_ELEMENT * (part.length + list.length))
  const whole = new ValueSet(list, context.collation)
  return part.every((value) => whole.has(value))
}

export const SETS: Readonly<Record<string, OperatorParser>> = {
  $setUnion: variadic(union),
  $setIntersection: variadic(intersection),
  $setDifference: positional(2, 2, difference),
  $setEquals: variadic(equals),
  $setIsSubset: positional(2, 2, isSubset),
  $allElementsTrue: unary((value) =>
    needList(value, "$allElementsTrue's argument", 'Location17040').every(isTrue)
  ),
  $anyElementTrue: unary((value) =>
    needList(value, "$anyElementTrue's argument", 'Location17041').some(isTrue)
  )
}
