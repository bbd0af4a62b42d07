// BSON's comparison order over decoded values.
import { commandError } from '../errors.ts'
import type { Collation } from './collation.ts'
import type { Value } from './value.ts'

/** Negative, zero or positive as `a` sorts before, with or after `b`. */
export function compareValues(_a: Value, _b: Value, _collation?: Collation): number {
  throw commandError('NotImplemented', 'compare')
}

/** Whether two values are equal as queries see it: 1, 1.0 and the 64-bit 1 are. */
export function equalValues(a: Value, b: Value, collation?: Collation): boolean {
  return compareValues(a, b, collation) === 0
}
