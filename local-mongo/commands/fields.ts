// Reads and validates the fields of commands and of the documents inside them, with MongoDB's refusals.
import type { Doc, TypeName, Value } from '../bson/value.ts'
import { isDoc, isNumeric, typeName } from '../bson/value.ts'
import { commandError } from '../errors.ts'

/** Names of the arguments that any command may carry. */
export const GENERIC_ARGUMENTS: ReadonlySet<string> = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  '$client',
  '$audit',
  '$configServerState',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'stmtIds',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors'
])

/** How a field's value is checked and read; throws a `CommandError`. */
export interface FieldType<T> {
  read(value: Value, path: string): T
}

/** The fields that a document may have. */
export type Shape = Readonly<Record<string, FieldType<unknown>>>

/** What `readFields` answers: the fields that were there. */
export type Fields<S extends Shape> = {
  readonly [K in keyof S]?: S[K] extends FieldType<infer T> ? T : never
}

/** Reads every field of a document; one that is neither in the shape nor passed over is refused. */
export function readFields<S extends Shape>(
  owner: string,
  doc: Doc,
  shape: S,
  isPassedOver: (name: string) => boolean = never
): Fields<S> {
  const out: Record<string, unknown> = {}
  for (const [name, value] of doc) {
    if (isPassedOver(name)) continue
    const type = Object.hasOwn(shape, name) ? shape[name] : undefined
    const path = `${owner}.${name}`
    if (!type) {
      throw commandError('IDLUnknownField', `BSON field '${path}' is an unknown field.`)
    }
    if (value === null || value === undefined) continue
    out[name] = type.read(value, path)
  }
  return out as Fields<S>
}

/** Reads the fields of a command beside its name and the generic arguments. */
export function readCommand<S extends Shape>(
  { name, body }: { readonly name: string; readonly body: Doc },
  shape: S
): Fields<S> {
  return readFields(name, body, shape, (field) => field === name || GENERIC_ARGUMENTS.has(field))
}

/** The value of a required field that was read; refused when it was not there. */
export function required<T>(value: T | undefined, path: string): T {
  if (value === undefined) {
    throw commandError('IDLFailedToParse', `BSON field '${path}' is missing but a required field`)
  }
  return value
}

/** The object without the keys whose value is undefined, for requests with optional fields. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const out: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) if (field !== undefined) out[name] = field
  return out as { [K in keyof T]: Exclude<T[K], undefined> }
}

const never = (): boolean => false
const NUMBERS: readonly TypeName[] = ['long', 'int', 'decimal', 'double']

function wrongType(path: string, value: Value, expected: readonly TypeName[]): Error {
  const wanted =
    expected.length === 1 ? `type '${expected[0]}'` : `types '[${expected.join(', ')}]'`
  return commandError(
    'TypeMismatch',
    `BSON field '${path}' is the wrong type '${typeName(value)}', expected ${wanted}`
  )
}

/** Any value at all. */
export const anything: FieldType<Value> = { read: (value) => value }

export const document: FieldType<Doc> = {
  read(value, path) {
    if (isDoc(value)) return value
    throw wrongType(path, value, ['object'])
  }
}

export const string: FieldType<string> = {
  read(value, path) {
    if (typeof value === 'string') return value
    throw wrongType(path, value, ['string'])
  }
}

/** True or false, or a number that stands for it. */
export const boolean: FieldType<boolean> = {
  read(value, path) {
    if (typeof value === 'boolean') return value
    if (isNumeric(value)) return Number(value.toString()) !== 0
    throw wrongType(path, value, ['bool', ...NUMBERS])
  }
}

/** A number without a fraction, of whichever number type. */
export const integer: FieldType<number> = {
  read(value, path) {
    if (!isNumeric(value)) throw wrongType(path, value, NUMBERS)
    const number = Number(value.toString())
    if (!Number.isInteger(number)) {
      throw commandError('BadValue', `BSON field '${path}' must be a whole number, is ${value}`)
    }
    return number
  }
}

/** A whole number that is not negative. */
export const count: FieldType<number> = {
  read(value, path) {
    const number = integer.read(value, path)
    if (number >= 0) return number
    throw commandError(
      'Location51024',
      `BSON field '${path.slice(path.indexOf('.') + 1)}' value must be >= 0, actual value '${number}'`
    )
  }
}

export const documents: FieldType<readonly Doc[]> = {
  read(value, path) {
    if (!Array.isArray(value)) throw wrongType(path, value, ['array'])
    return value.map((element, index) => document.read(element, `${path}.${index}`))
  }
}

/** An array of any values. */
export const array: FieldType<readonly Value[]> = {
  read(value, path) {
    if (Array.isArray(value)) return value
    throw wrongType(path, value, ['array'])
  }
}

/** An index by name or key pattern. */
export const hint: FieldType<string | Doc> = {
  read(value, path) {
    if (typeof value === 'string' || isDoc(value)) return value
    throw wrongType(path, value, ['string', 'object'])
  }
}

/** Update operators, a replacement, or a pipeline. */
export const modification: FieldType<Doc | readonly Doc[]> = {
  read(value, path) {
    if (isDoc(value)) return value
    if (Array.isArray(value)) return documents.read(value, path)
    throw commandError('FailedToParse', 'Update argument must be either an object or an array')
  }
}

/** One of a few texts. */
export function oneOf<const T extends string>(...texts: readonly T[]): FieldType<T> {
  return {
    read(value, path) {
      const text = string.read(value, path)
      const found = texts.find((one) => one === text)
      if (found !== undefined) return found
      throw commandError(
        'BadValue',
        `Enumeration value '${text}' for field '${path}' is not valid.`
      )
    }
  }
}
