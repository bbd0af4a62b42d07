// Operators on types: asking for them and converting.
import { toWhole } from '../bson/numbers.ts'
import { isDoc, isNumeric, typeNameOf, type Value } from '../bson/value.ts'
import { CommandError, commandError } from '../errors.ts'
import { convert, type TargetType } from './convert.ts'
import { isNothing, MISSING, type Result, typeOf, unionFields } from './expression.ts'
import { namedDoc, unary, unaryOrNull } from './operator-arguments.ts'
import { type OperatorParser, parseExpression } from './parse-expression.ts'

const TARGETS: ReadonlySet<string> = new Set<TargetType>([
  'double',
  'string',
  'objectId',
  'bool',
  'date',
  'int',
  'long',
  'decimal'
])

function targetOf(value: Value): TargetType {
  const type = isDoc(value) ? (value.get('type') ?? null) : value
  const name =
    typeof type === 'string'
      ? type
      : isNumeric(type)
        ? typeNameOf(Number(toWhole(type) ?? -2))
        : undefined
  if (name === undefined) {
    throw commandError(
      'FailedToParse',
      `$convert's 'to' argument must be a string or number, but is ${typeOf(value)}`
    )
  }
  if (!TARGETS.has(name))
    throw commandError('BadValue', `Unknown or unsupported type name in $convert: ${name}`)
  return name as TargetType
}

const parseConvert: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['input', 'to'], ['onError', 'onNull'])
  const parse = (key: string) =>
    object.has(key) ? parseExpression(object.get(key), context) : undefined
  const input = parseExpression(object.get('input'), context)
  const to = parseExpression(object.get('to'), context)
  const [onError, onNull] = [parse('onError'), parse('onNull')]
  return {
    fields: unionFields(
      input.fields,
      to.fields,
      onError?.fields ?? new Set(),
      onNull?.fields ?? new Set()
    ),
    evaluate: (env) => {
      const value = input.evaluate(env)
      const type = to.evaluate(env)
      if (isNothing(type)) return null
      const target = targetOf(type)
      if (isNothing(value)) return onNull ? onNull.evaluate(env) : null
      try {
        return convert(value, target)
      } catch (error) {
        if (onError && error instanceof CommandError) return onError.evaluate(env)
        throw error
      }
    }
  }
}

const to = (target: TargetType): OperatorParser => unaryOrNull((value) => convert(value, target))

function isNumber(value: Result): boolean {
  return value !== MISSING && isNumeric(value)
}

export const TYPES: Readonly<Record<string, OperatorParser>> = {
  $type: unary(typeOf),
  $isNumber: unary(isNumber),
  $convert: parseConvert,
  $toBool: to('bool'),
  $toDate: to('date'),
  $toDecimal: to('decimal'),
  $toDouble: to('double'),
  $toInt: to('int'),
  $toLong: to('long'),
  $toObjectId: to('objectId'),
  $toString: to('string')
}
