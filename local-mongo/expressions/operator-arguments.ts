// How operators take their arguments: by place, as a list, or by name.
import { toDouble, toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { type CodeName, type CommandError, commandError } from '../errors.ts'
import {
  type Evaluation,
  type Expression,
  isNothing,
  MISSING,
  type Result,
  typeOf
} from './expression.ts'
import {
  combine,
  type ExpressionContext,
  type OperatorParser,
  parseExpression
} from './parse-expression.ts'

/** What an operator does with the values of its arguments. */
export type Apply = (
  values: readonly Result[],
  context: ExpressionContext,
  env: Evaluation
) => Result

/** An operator of between `least` and `most` arguments, which are all evaluated. */
export function positional(least: number, most: number, apply: Apply): OperatorParser {
  return (argument, context, name) => {
    const list = Array.isArray(argument) ? argument : [argument]
    if (list.length < least || list.length > most) throw wrongCount(name, least, most, list.length)
    const parts = list.map((item) => parseExpression(item, context))
    return combine(parts, (env) =>
      apply(
        parts.map((part) => part.evaluate(env)),
        context,
        env
      )
    )
  }
}

function wrongCount(name: string, least: number, most: number, given: number): CommandError {
  if (least === most) {
    return commandError(
      'Location16020',
      `Expression ${name} takes exactly ${least} arguments. ${given} were passed in.`
    )
  }
  return commandError(
    'Location28667',
    `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${given} were passed in.`
  )
}

/** An operator of one argument. */
export function unary(
  apply: (value: Result, context: ExpressionContext) => Result
): OperatorParser {
  return positional(1, 1, ([value = MISSING], context) => apply(value, context))
}

/** An operator of one argument that is null for null and missing. */
export function unaryOrNull(
  apply: (value: Value, context: ExpressionContext) => Result
): OperatorParser {
  return unary((value, context) => (isNothing(value) ? null : apply(value, context)))
}

/** An operator of any number of arguments. */
export function variadic(apply: Apply): OperatorParser {
  return positional(0, Number.POSITIVE_INFINITY, apply)
}

/** The arguments of an operator that takes them by name. */
export type NamedArguments = Readonly<Record<string, Result>>

/** An operator whose arguments have names, all evaluated. Those that are absent are missing. */
export function named(
  required: readonly string[],
  optional: readonly string[],
  apply: (values: NamedArguments, context: ExpressionContext, given: ReadonlySet<string>) => Result
): OperatorParser {
  return (argument, context, name) => {
    const object = namedDoc(name, argument, required, optional)
    const given = new Set(object.keys())
    const parts = [...object].map(([key, value]) => [key, parseExpression(value, context)] as const)
    const absent = Object.fromEntries<Result>(
      [...required, ...optional].map((key) => [key, MISSING])
    )
    return combine(
      parts.map(([, part]) => part),
      (env) => apply(evaluateNamed(parts, absent, env), context, given)
    )
  }
}

function evaluateNamed(
  parts: readonly (readonly [string, Expression])[],
  absent: NamedArguments,
  env: Evaluation
): NamedArguments {
  const values: Record<string, Result> = { ...absent }
  for (const [key, part] of parts) values[key] = part.evaluate(env)
  return values
}

/** The document of named arguments; fails when one is unknown or a required one is not there. */
export function namedDoc(
  name: string,
  argument: Value,
  required: readonly string[],
  optional: readonly string[]
): Doc {
  if (!isDoc(argument)) {
    throw commandError('FailedToParse', `${name} only supports an object as its argument`)
  }
  for (const key of argument.keys()) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw commandError('FailedToParse', `Unrecognized argument to ${name}: ${key}`)
    }
  }
  const absent = required.find((key) => !argument.has(key))
  if (absent !== undefined) {
    throw commandError('FailedToParse', `Missing '${absent}' parameter to ${name}`)
  }
  return argument
}

/** Fails with the code unless the value is a number. */
export function needNumber(value: Result, name: string, code: CodeName = 'Location28765'): Numeric {
  if (value !== MISSING && isNumeric(value)) return value
  throw commandError(code, `${name} only supports numeric types, not ${typeOf(value)}`)
}

/** Fails with the code unless the value is a whole number of 32 bits. */
export function needInteger(value: Result, what: string, code: CodeName): number {
  const whole = value !== MISSING && isNumeric(value) ? toWhole(value) : undefined
  if (whole === undefined || BigInt.asIntN(32, whole) !== whole) {
    const shown = value !== MISSING && isNumeric(value) ? String(toDouble(value)) : typeOf(value)
    throw commandError(code, `${what} must be representable as a 32-bit integer: ${shown}`)
  }
  return Number(whole)
}

/** Fails with the code unless the value is a list. */
export function needList(value: Result, what: string, code: CodeName): Value[] {
  if (Array.isArray(value)) return value
  throw commandError(code, `${what} must be an array, but is of type ${typeOf(value)}`)
}

/** Fails with the code unless the value is a text. */
export function needText(value: Result, what: string, code: CodeName): string {
  if (typeof value === 'string') return value
  throw commandError(code, `${what} must be a string, but is of type ${typeOf(value)}`)
}
