// What a modifier of an update is: one change to the value at one path.

import type { Double, Int32 } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { encodeDoc } from '../bson/encode.ts'
import { type Doc, dateMillis, TYPE, typeCode, type Value } from '../bson/value.ts'
import type { Result } from '../expressions/expression.ts'

/** Answered by a modifier that leaves the value as it is. */
export const KEEP: unique symbol = Symbol('keep')

export interface ModifierContext {
  readonly now: Date
  readonly collation: Collation | undefined
  /** The concrete path, for messages. */
  readonly path: readonly string[]
  /** The document's `_id` as text, for messages. */
  idOf(): string
}

export interface Modifier {
  /** The new value; MISSING removes the field; KEEP leaves it. */
  change(current: Result, context: ModifierContext): Result | typeof KEEP
  /** Whether the path is made when it is not there. */
  readonly creates: boolean
  /** Only when an upsert inserts. */
  readonly onInsertOnly?: true
}

export interface ModifierOptions {
  readonly collation: Collation | undefined
  readonly now: Date
}

/** Makes the modifier of an operator from its argument. */
export type ModifierParser = (argument: Value, path: string, options: ModifierOptions) => Modifier

/** Whether two values are the same to the last bit, types and order of fields included. */
export function isIdentical(a: Value, b: Value): boolean {
  if (a === b) return true
  const type = typeCode(a)
  if (type !== typeCode(b)) return false
  switch (type) {
    case TYPE.string:
    case TYPE.bool:
      return false
    case TYPE.int:
      return (a as Int32).value === (b as Int32).value
    case TYPE.double:
      return Object.is((a as Double).value, (b as Double).value)
    case TYPE.date:
      return dateMillis(a as Date) === dateMillis(b as Date)
    case TYPE.object:
      return isSameDoc(a as Doc, b as Doc)
    case TYPE.array:
      return isSameList(a as Value[], b as Value[])
    default:
      return Buffer.compare(bytesOf(a), bytesOf(b)) === 0
  }
}

function isSameDoc(a: Doc, b: Doc): boolean {
  if (a.size !== b.size) return false
  const others = b.entries()
  for (const [name, value] of a) {
    const [otherName, other] = others.next().value as [string, Value]
    if (name !== otherName || !isIdentical(value, other)) return false
  }
  return true
}

function isSameList(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => isIdentical(value, b[index]))
}

function bytesOf(value: Value): Uint8Array {
  return encodeDoc(new Map([['', value]]))
}
