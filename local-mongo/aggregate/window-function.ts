// What a function of $setWindowFields is.
import { type Doc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import type { Sort } from '../query/sort.ts'
import { type Evaluation, isNothing, type ReadFields, type Result } from './expression.ts'
import type { ExpressionContext } from './parse-expression.ts'

/** The value for each document of a sorted partition, in its order. */
export type WindowFunction = (documents: readonly Doc[], envs: readonly Evaluation[]) => Value[]

export interface WindowSpec {
  readonly fields: ReadFields
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
