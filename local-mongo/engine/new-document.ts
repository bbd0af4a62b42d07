// Prepares a document for being stored: an `_id`, in the first place, and within the limits.
import { ObjectId } from 'bson'
import { skipValue } from '../bson/decode.ts'
import { fieldOf, findElement, type RawValue } from '../bson/raw.ts'
import { validateBson } from '../bson/validate.ts'
import { type Doc, TYPE, typeCode, typeNameOf, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'

/** Largest document in bytes. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

const ID = Buffer.from('_id')
/** Where the value of a first `_id` begins: size, type, name. */
const FIRST_VALUE = 9
const ID_ELEMENT_BYTES = 5

/** Fails with BSONObjectTooLarge (10334). */
export function checkSize(bytes: number, what: string): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return
  throw commandError(
    'BSONObjectTooLarge',
    `${what} is too large. size in bytes: ${bytes}, max size: ${MAX_DOCUMENT_BYTES}`
  )
}

/** Fails with InvalidIdField (53) for a type that no `_id` can have. */
export function checkIdType(type: number): void {
  if (type !== TYPE.array && type !== TYPE.regex && type !== TYPE.undefined) return
  throw commandError('InvalidIdField', `The '_id' value cannot be of type ${typeNameOf(type)}`)
}

function checkIdFields(bytes: Uint8Array, id: RawValue): void {
  if (id.type !== TYPE.object) return
  let at = id.start + 4
  while (at < id.end - 1) {
    if (bytes[at + 1] === 0x24) {
      throw commandError(
        'DollarPrefixedFieldName',
        "_id fields may not contain '$'-prefixed fields"
      )
    }
    const nameEnd = bytes.indexOf(0, at + 1)
    at = skipValue(bytes, bytes[at] as number, nameEnd + 1, id.end)
  }
}

/** The document with this `_id` element in front, and without the bytes `from..to`. */
function withIdFirst(bytes: Uint8Array, element: Uint8Array, from: number, to: number): Uint8Array {
  const whole = Buffer.allocUnsafe(bytes.length + element.length - (to - from))
  whole.writeInt32LE(whole.length, 0)
  whole.set(element, 4)
  whole.set(bytes.subarray(4, from), 4 + element.length)
  whole.set(bytes.subarray(to), 4 + element.length + from - 4)
  return whole
}

function newIdElement(): Uint8Array {
  const element = Buffer.allocUnsafe(ID_ELEMENT_BYTES + 12)
  element[0] = TYPE.objectId
  element.write('_id\0', 1, 'latin1')
  element.set(new ObjectId().id, ID_ELEMENT_BYTES)
  return element
}

/** The common case: the first field is an `_id` of a type that needs no further look. */
function beginsWithPlainId(bytes: Uint8Array): boolean {
  const type = bytes[4]
  const isPlain = type === TYPE.objectId || type === TYPE.string || type === TYPE.int
  return isPlain && bytes[5] === 0x5f && bytes[6] === 0x69 && bytes[7] === 0x64 && bytes[8] === 0
}

/** A client's document, checked, with its `_id` in front. Fails with MongoDB's codes. */
export function prepareNewDocument(bytes: Uint8Array): Uint8Array {
  checkSize(bytes.length, 'object to insert')
  validateBson(bytes)
  if (beginsWithPlainId(bytes)) return bytes
  const at = findElement(bytes, 0, ID)
  if (at < 0) return withIdFirst(bytes, newIdElement(), 4, 4)
  const id = fieldOf(bytes, 0, ID) as RawValue
  checkIdType(id.type)
  checkIdFields(bytes, id)
  if (id.start === FIRST_VALUE) return bytes
  return withIdFirst(bytes, bytes.slice(at, id.end), at, id.end)
}

/** The same for a decoded document, as an upsert makes it. */
export function withId(doc: Doc): Doc {
  const id: Value = doc.has('_id') ? doc.get('_id') : new ObjectId()
  checkIdType(typeCode(id))
  const whole: Doc = new Map([['_id', id]])
  for (const [name, value] of doc) if (name !== '_id') whole.set(name, value)
  return whole
}
