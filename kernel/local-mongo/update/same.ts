// Whether two values are the same to the last bit: an update that writes the same value is none.
import { encodeDoc, type Value } from '../bson/value.ts'

/** Same type and same bytes; `1` and `1.0` are equal but not the same. */
export function isSame(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0
}

const bytesOf = (value: Value) => encodeDoc(new Map([['', value]]))
