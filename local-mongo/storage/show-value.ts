// Writes a value as MongoDB shows it in messages.
import type { Value } from '../bson/value.ts'

const LONGEST = 200

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text
}

function showObject(value: Exclude<Value, string | boolean | null | undefined>): string {
  if (value instanceof Map) {
    const fields = [...value].map(([name, inner]) => `${name}: ${showValue(inner)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[ ${value.map(showValue).join(', ')} ]`
  if (value instanceof Date) return `new Date(${value.getTime()})`
  switch (value._bsontype) {
    case 'ObjectId':
      return `ObjectId('${value.toHexString()}')`
    case 'Double':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value)
    case 'Binary':
      return `BinData(${value.sub_type}, ${short(Buffer.from(value.buffer).toString('hex').toUpperCase())})`
    case 'BSONRegExp':
      return `/${value.pattern}/${value.options}`
    case 'MinKey':
    case 'MaxKey':
      return value._bsontype
    case 'Timestamp':
      return `Timestamp(${value.t}, ${value.i})`
    case 'DbPointer':
    case 'CodeWithScope':
      return value._bsontype
    case 'Code':
      return value.code
    default:
      return value.toString()
  }
}

/** The value in one line; long texts are cut. */
export function showValue(value: Value): string {
  if (typeof value === 'string') return `"${short(value)}"`
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  return showObject(value)
}
