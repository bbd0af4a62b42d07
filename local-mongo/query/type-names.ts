// The names and numbers by which $type knows types.
import { toWhole } from '../bson/numbers.ts'
import { isNumeric, TYPE, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'

const NUMBERS: readonly number[] = [TYPE.int, TYPE.double, TYPE.long, TYPE.decimal]
const CODES: ReadonlySet<number> = new Set(Object.values(TYPE))

/** The type codes that `$type` was given: a name, a number, or a list of them. */
export function parseTypes(value: Value): ReadonlySet<number> {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw commandError('FailedToParse', ' must match at least one type')
  return new Set(list.flatMap(codesOf))
}

function codesOf(value: Value): readonly number[] {
  if (typeof value === 'string') return codesOfName(value)
  if (!isNumeric(value)) {
    throw commandError('TypeMismatch', 'type must be represented as a number or a string')
  }
  const code = Number(toWhole(value) ?? 0)
  const known = code === -1 ? TYPE.minKey : code
  if (!CODES.has(known)) throw commandError('BadValue', `Invalid numerical type code: ${code}`)
  return [known]
}

/** The type codes of a name; `number` stands for four. */
export function codesOfName(name: string): readonly number[] {
  if (name === 'number') return NUMBERS
  if (!Object.hasOwn(TYPE, name)) {
    throw commandError('BadValue', `Unknown type name alias: ${name}`)
  }
  return [TYPE[name as keyof typeof TYPE]]
}
