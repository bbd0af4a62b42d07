// Sets and maps of BSON values, where equal means equal as queries see it.
import { type Decimal128, Double, type Long } from 'bson'
import type { Collation } from './collation.ts'
import { encodeKey } from './key-string.ts'
import { compareNumbers, toDouble } from './numbers.ts'
import type { Numeric, Value } from './value.ts'

/** What stands for a value in a Map or Set: equal values have the same. */
export type ValueKey = string | number

/** Numbers equal by value share a key whatever their type; so do texts equal under the collation. */
export function valueKey(value: Value, collation?: Collation): ValueKey {
  if (typeof value === 'string') return `s${collation ? collation.key(value) : value}`
  if (value === null) return 'n'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value === undefined || value instanceof Map || Array.isArray(value))
    return bytesKey(value, collation)
  if (value instanceof Date) {
    const millis = value.getTime()
    return Number.isNaN(millis) ? bytesKey(value, collation) : `d${millis}`
  }
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return value.value
    case 'Long':
    case 'Decimal128':
      return numberKey(value, collation)
    case 'ObjectId':
      return `o${value.toHexString()}`
    case 'BSONSymbol':
      return valueKey(value.value, collation)
    default:
      return bytesKey(value, collation)
  }
}

function numberKey(value: Long | Decimal128, collation: Collation | undefined): ValueKey {
  const nearest = toDouble(value)
  const isExact = compareNumbers(value as Numeric, new Double(nearest)) === 0
  return isExact ? nearest : bytesKey(value, collation)
}

function bytesKey(value: Value, collation: Collation | undefined): string {
  const key = encodeKey([value], [1], { collation, partLimit: Number.POSITIVE_INFINITY })
  return `k${Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')}`
}

/** A set of values. */
export class ValueSet {
  readonly #keys = new Set<ValueKey>()
  readonly #collation: Collation | undefined

  constructor(values: Iterable<Value> = [], collation?: Collation) {
    this.#collation = collation
    for (const value of values) this.add(value)
  }

  get size(): number {
    return this.#keys.size
  }

  has(value: Value): boolean {
    return this.#keys.has(valueKey(value, this.#collation))
  }

  /** Whether the value was not there before. */
  add(value: Value): boolean {
    const { size } = this.#keys
    return this.#keys.add(valueKey(value, this.#collation)).size > size
  }

  delete(value: Value): boolean {
    return this.#keys.delete(valueKey(value, this.#collation))
  }
}
