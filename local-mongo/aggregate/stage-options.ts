// How stages read their options.

import { toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { type CodeName, commandError } from '../errors.ts'
import { typeOf } from '../expressions/expression.ts'

/** The options of a stage; fails when one is unknown or a required one is not there. */
export function stageOptions(
  name: string,
  spec: Value,
  {
    required,
    optional = [],
    code = 'FailedToParse'
  }: {
    readonly required: readonly string[]
    readonly optional?: readonly string[]
    readonly code?: CodeName
  }
): Doc {
  if (!isDoc(spec)) {
    throw commandError(
      code,
      `the ${name} stage specification must be an object, but found ${typeOf(spec)}`
    )
  }
  for (const key of spec.keys()) {
    if (required.includes(key) || optional.includes(key)) continue
    throw commandError('Location40415', `BSON field '${name}.${key}' is an unknown field.`)
  }
  const absent = required.find((key) => !spec.has(key))
  if (absent === undefined) return spec
  throw commandError(
    'Location40414',
    `BSON field '${name}.${absent}' is missing but a required field`
  )
}

/** A whole number that a stage asks for. */
export function wholeOption(value: Value, what: string, code: CodeName): number {
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (
    whole !== undefined &&
    whole <= BigInt(Number.MAX_SAFE_INTEGER) &&
    whole >= BigInt(Number.MIN_SAFE_INTEGER)
  ) {
    return Number(whole)
  }
  if (whole !== undefined && whole > 0n) return Number.MAX_SAFE_INTEGER
  throw commandError(code, `${what} must be a whole number, but found ${typeOf(value)}`)
}

export function textOption(value: Value, what: string, code: CodeName): string {
  if (typeof value === 'string' && value !== '') return value
  throw commandError(code, `${what} must be a non-empty string, but found ${typeOf(value)}`)
}

/** The path of `'$a.b'` without the sign. */
export function pathOption(value: Value, what: string, code: CodeName): string {
  const text = textOption(value, what, code)
  if (text.startsWith('$') && text.length > 1 && !text.startsWith('$$')) return text.slice(1)
  throw commandError(code, `${what} must be a path that begins with '$': ${text}`)
}

/** The path of a field that a stage writes or reads, without sign. */
export function fieldOption(value: Value, what: string, code: CodeName = 'FailedToParse'): string {
  const text = textOption(value, what, code)
  if (!text.startsWith('$') && text.split('.').every((piece) => piece !== '')) return text
  throw commandError('Location16410', `${what} must be a valid field path: ${text}`)
}
