// What a function of $setWindowFields is.

import type { Sort } from '../bson/sort.ts'
import { type Doc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import {
  type Expression,
  isNothing,
  type ReadFields,
  type Result
} from '../expressions/expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'

/** Comes in place of a value, where others may have their turn. */
export const PAUSE: unique symbol = Symbol('pause')

/**
 * The value for each document of a sorted partition, in its order. `columns` hold the values of each
 * input for each document.
 */
export type WindowFunction = (
  documents: readonly Doc[],
  columns: readonly (readonly Result[])[]
) => Iterable<Value | typeof PAUSE>

export interface WindowSpec {
  readonly fields: ReadFields
  /** What is evaluated for each document before the function is computed. */
  readonly inputs: readonly Expression[]
  readonly compute: WindowFunction
}

export interface WindowContext {
  readonly expressions: ExpressionContext
  readonly sort: Sort | undefined
}

export type WindowParser = (
  name: string,
  argument: Value,
  window: Value,
  context: WindowContext
) => WindowSpec

/** Whether a value is a number. */
export function isNumber(value: Result): value is Numeric {
  return !isNothing(value) && isNumeric(value)
}
