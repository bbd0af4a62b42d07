// An aggregation expression, compiled.
import type { Doc, Value } from '../bson/value.ts'

/** What a path leads to when there is nothing: neither null nor undefined. */
export const MISSING: unique symbol = Symbol('missing')
export type Missing = typeof MISSING

/** A variable and those that were there before it. */
export interface Scope {
  readonly name: string
  value: Value | Missing
  readonly outer: Scope | undefined
}

/** What an expression is evaluated against. */
export interface Evaluation {
  readonly root: Value | Missing
  readonly scope: Scope | undefined
  readonly now: Date
}

export interface Expression {
  evaluate(env: Evaluation): Value | Missing
  /** Top-level fields of the document that it reads; `all` when it reads the whole. */
  readonly fields: ReadonlySet<string> | 'all'
  /** The value when it depends on nothing. */
  readonly constant?: { readonly value: Value | Missing }
}

export type { Doc }
