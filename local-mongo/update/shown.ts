// A value as messages show it: short, one line.
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts'

const MAX_LENGTH = 120

/** The value in the manner of MongoDB's messages, cut when it is long. */
export function shown(value: Value): string {
  const text = textOf(value, 0)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text
}

function textOf(value: Value, depth: number): string {
  if (value === null) return 'null'
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return `"${value.slice(0, MAX_LENGTH)}"`
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (depth > 3) return '...'
  if (Array.isArray(value)) {
    const items = value.slice(0, 10).map((item) => textOf(item, depth + 1))
    return `[ ${items.join(', ')} ]`
  }
  if (isDoc(value)) return docText(value, depth)
  return scalarText(value)
}

function docText(doc: Doc, depth: number): string {
  const fields = [...doc]
    .slice(0, 10)
    .map(([name, value]) => `${name}: ${textOf(value, depth + 1)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function scalarText(
  value: Exclude<Value, null | undefined | string | boolean | Date | Value[] | Doc>
): string {
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return String(value.value)
    case 'Long':
    case 'Decimal128':
      return value.toString()
    case 'ObjectId':
      return `ObjectId('${value.toHexString()}')`
    default:
      return `(${typeName(value)})`
  }
}
