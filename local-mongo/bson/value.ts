// The value model: what a decoded BSON document is made of, and the codes of its types.
import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'

/** A decoded document. A Map keeps the order of fields and makes `__proto__` an ordinary name. */
export type Doc = Map<string, Value>

/** BSON's deprecated pointer into a collection; kept so that stored ones survive. */
export class DbPointer {
  readonly _bsontype = 'DbPointer'
  readonly namespace: string
  readonly id: ObjectId

  constructor(namespace: string, id: ObjectId) {
    this.namespace = namespace
    this.id = id
  }
}

/** BSON's deprecated code with variables; kept as data, never run. */
export class CodeWithScope {
  readonly _bsontype = 'CodeWithScope'
  readonly code: string
  readonly scope: Doc

  constructor(code: string, scope: Doc) {
    this.code = code
    this.scope = scope
  }
}

/** A BSON date beyond what a JavaScript date reaches; `getTime()` is NaN. */
export class FarDate extends Date {
  /** Milliseconds since 1970. */
  readonly millis: bigint

  constructor(millis: bigint) {
    super(Number.NaN)
    this.millis = millis
  }
}

/** The number classes. Documents never hold a bare JavaScript number. */
export type Numeric = Int32 | Double | Long | Decimal128

/** Any BSON value. `undefined` is BSON's deprecated undefined; a missing field is simply not there. */
export type Value =
  | undefined
  | null
  | boolean
  | string
  | Date
  | Numeric
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | MinKey
  | MaxKey
  | Code
  | BSONSymbol
  | DbPointer
  | CodeWithScope
  | Doc
  | Value[]

/** BSON's type codes, as on the wire. */
export const TYPE = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: 255,
  maxKey: 127
} as const

/** The name by which `$type` knows a type. */
export type TypeName = keyof typeof TYPE

const NAMES: ReadonlyMap<number, TypeName> = new Map(
  Object.entries(TYPE).map(([name, code]) => [code, name as TypeName])
)

/** Deepest nesting that is decoded at all. */
export const MAX_DEPTH = 200
/** Deepest nesting of a stored document. */
export const MAX_STORED_DEPTH = 180

/** The type code of a value, as on the wire. */
export function typeCode(value: Value): number {
  switch (typeof value) {
    case 'string':
      return TYPE.string
    case 'boolean':
      return TYPE.bool
    case 'undefined':
      return TYPE.undefined
    default:
      return value === null ? TYPE.null : objectTypeCode(value)
  }
}

function objectTypeCode(value: Exclude<Value, string | boolean | undefined | null>): number {
  if (value instanceof Map) return TYPE.object
  if (Array.isArray(value)) return TYPE.array
  if (value instanceof Date) return TYPE.date
  switch (value._bsontype) {
    case 'Int32':
      return TYPE.int
    case 'Double':
      return TYPE.double
    case 'Long':
      return TYPE.long
    case 'Decimal128':
      return TYPE.decimal
    case 'ObjectId':
      return TYPE.objectId
    case 'Binary':
      return TYPE.binData
    case 'BSONRegExp':
      return TYPE.regex
    case 'Timestamp':
      return TYPE.timestamp
    case 'MinKey':
      return TYPE.minKey
    case 'MaxKey':
      return TYPE.maxKey
    case 'Code':
      return TYPE.javascript
    case 'BSONSymbol':
      return TYPE.symbol
    case 'DbPointer':
      return TYPE.dbPointer
    case 'CodeWithScope':
      return TYPE.javascriptWithScope
  }
}

/** The name of a value's type, as `$type` answers it. */
export function typeName(value: Value): TypeName {
  return typeNameOf(typeCode(value))
}

/** The name of a type code. */
export function typeNameOf(code: number): TypeName {
  return NAMES.get(code) ?? 'undefined'
}

/** Whether the value is a document. */
export function isDoc(value: unknown): value is Doc {
  return value instanceof Map
}

/** Whether the value is of one of the number types. */
export function isNumeric(value: Value): value is Numeric {
  const code = typeCode(value)
  return code === TYPE.int || code === TYPE.double || code === TYPE.long || code === TYPE.decimal
}

/** A date's milliseconds since 1970; a bigint beyond the range of JavaScript dates. */
export function dateMillis(date: Date): number | bigint {
  return date instanceof FarDate ? date.millis : date.getTime()
}
