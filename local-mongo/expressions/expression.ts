// An aggregation expression once it is parsed, and what it is evaluated against.
import { isZero } from '../bson/numbers.ts'
import { isNumeric, typeName, type Value } from '../bson/value.ts'

/** What a path leads to when there is nothing: neither null nor undefined. */
export const MISSING: unique symbol = Symbol('missing')
export type Missing = typeof MISSING

/** The value of an expression. */
export type Result = Value | Missing

/** A variable and those that were there before it. Its value changes while a list is gone through. */
export interface Scope {
  readonly name: string
  value: Result
  readonly outer: Scope | undefined
}

/** What an expression is evaluated against. */
export interface Evaluation {
  readonly root: Result
  readonly scope: Scope | undefined
  readonly now: Date
}

/** The top-level fields of the document that something reads; `all` when it reads the whole. */
export type ReadFields = ReadonlySet<string> | 'all'

export interface Expression {
  evaluate(env: Evaluation): Result
  readonly fields: ReadFields
  /** The value, when it is the same for every document. */
  readonly constant?: { readonly value: Result }
}

export function evaluate(
  expression: Expression,
  root: Result,
  scope: Scope | undefined,
  now: Date
): Result {
  return expression.evaluate({ root, scope, now })
}

/** Whether a value counts as true: not false, 0, null, undefined or missing. */
export function isTrue(value: Result): boolean {
  if (value === true) return true
  if (value === false || isNothing(value)) return false
  return !(isNumeric(value) && isZero(value))
}

/** Whether a value is null, undefined or missing. */
export function isNothing(value: Result): value is null | undefined | Missing {
  return value === null || value === undefined || value === MISSING
}

/** Both sets of fields. */
export function unionFields(...parts: readonly ReadFields[]): ReadFields {
  const fields = new Set<string>()
  for (const part of parts) {
    if (part === 'all') return 'all'
    for (const field of part) fields.add(field)
  }
  return fields
}

/** The name of a value's type as messages have it. */
export function typeOf(value: Result): string {
  return value === MISSING ? 'missing' : typeName(value)
}

/** The value that lists and documents hold in place of a missing one. */
export function orNull(value: Result): Value {
  return value === MISSING ? null : value
}
