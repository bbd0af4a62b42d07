// Operators that compare and decide.

import { Int32 } from 'bson'
import { compareValues } from '../bson/compare.ts'
import { isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Expression, isNothing, isTrue, MISSING, type Result } from './expression.ts'
import { namedDoc, positional, unary } from './operator-arguments.ts'
import {
  combine,
  type ExpressionContext,
  type OperatorParser,
  parseExpression
} from './parse-expression.ts'

/** Compares the values of expressions; what is missing comes before everything. */
export function compareResults(a: Result, b: Result, context: ExpressionContext): number {
  if (a === MISSING) return b === MISSING ? 0 : -1
  if (b === MISSING) return 1
  return compareValues(a, b, context.collation)
}

function comparison(test: (order: number) => boolean): OperatorParser {
  return positional(2, 2, ([a = MISSING, b = MISSING], context) =>
    test(compareResults(a, b, context))
  )
}

/** All arguments as expressions. */
function parseAll(argument: Value, context: ExpressionContext): Expression[] {
  const list = Array.isArray(argument) ? argument : [argument]
  return list.map((item) => parseExpression(item, context))
}

const parseAnd: OperatorParser = (argument, context) => {
  const parts = parseAll(argument, context)
  return combine(parts, (env) => parts.every((part) => isTrue(part.evaluate(env))))
}

const parseOr: OperatorParser = (argument, context) => {
  const parts = parseAll(argument, context)
  return combine(parts, (env) => parts.some((part) => isTrue(part.evaluate(env))))
}

const parseCond: OperatorParser = (argument, context, name) => {
  const list = isDoc(argument) ? condArguments(argument, name) : argument
  if (!Array.isArray(list) || list.length !== 3) {
    throw commandError('Location16020', 'Expression $cond takes exactly 3 arguments.')
  }
  const [test, yes, no] = parseAll(list, context) as [Expression, Expression, Expression]
  return combine([test, yes, no], (env) => (isTrue(test.evaluate(env)) ? yes : no).evaluate(env))
}

function condArguments(argument: Value, name: string): Value[] {
  const object = namedDoc(name, argument, ['if', 'then', 'else'], [])
  return [object.get('if'), object.get('then'), object.get('else')]
}

const parseIfNull: OperatorParser = (argument, context) => {
  const parts = parseAll(argument, context)
  if (parts.length < 2) {
    throw commandError(
      'Location1257300',
      `$ifNull needs at least two arguments, had: ${parts.length}`
    )
  }
  return combine(parts, (env) => {
    let value: Result = MISSING
    for (const part of parts) {
      value = part.evaluate(env)
      if (!isNothing(value)) break
    }
    return value
  })
}

const parseSwitch: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['branches'], ['default'])
  const list = object.get('branches')
  if (!Array.isArray(list))
    throw commandError('Location40061', "$switch expected an array for 'branches'")
  const branches = list.map((branch) => {
    const parts = namedDoc(name, branch, ['case', 'then'], [])
    return parseAll([parts.get('case'), parts.get('then')], context) as [Expression, Expression]
  })
  const otherwise = object.has('default')
    ? parseExpression(object.get('default'), context)
    : undefined
  if (branches.length === 0)
    throw commandError('Location40068', '$switch requires at least one branch.')
  return combine([...branches.flat(), ...(otherwise ? [otherwise] : [])], (env) => {
    const branch = branches.find(([test]) => isTrue(test.evaluate(env)))
    if (branch) return branch[1].evaluate(env)
    if (otherwise) return otherwise.evaluate(env)
    throw commandError(
      'Location40066',
      '$switch could not find a matching branch for an input, and no default was specified.'
    )
  })
}

export const LOGIC: Readonly<Record<string, OperatorParser>> = {
  $and: parseAnd,
  $or: parseOr,
  $not: unary((value) => !isTrue(value)),
  $cmp: positional(
    2,
    2,
    ([a = MISSING, b = MISSING], context) => new Int32(Math.sign(compareResults(a, b, context)))
  ),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cond: parseCond,
  $ifNull: parseIfNull,
  $switch: parseSwitch
}
