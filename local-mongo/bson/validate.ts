// Checks the bytes of a document that a client sent, without making anything of them.
import { isUtf8 } from 'node:buffer'
import { BSONRegExp } from 'bson'
import { commandError } from '../errors.ts'
import { int32At, invalid, skipValue } from './decode.ts'
import { MAX_STORED_DEPTH, TYPE } from './value.ts'

/**
 * Fails with InvalidBSON (22) unless `bytes` are exactly one well-formed document, and with Overflow
 * (15) when it is nested deeper than a stored document may be. What passes is safe to read raw.
 */
export function validateBson(bytes: Uint8Array, maxDepth: number = MAX_STORED_DEPTH): void {
  if (bytes.length < 5) throw invalid('it ends too early')
  if (validateDoc(bytes, 0, bytes.length, maxDepth) !== bytes.length) {
    throw invalid('bytes follow the document')
  }
}

/** Returns the offset after the document that begins at `start`. */
function validateDoc(
  bytes: Uint8Array,
  start: number,
  limit: number,
  depth: number,
  isArray = false
): number {
  if (depth === 0) {
    throw commandError('Overflow', 'cannot insert document: it exceeds the maximum nesting depth')
  }
  if (start + 5 > limit) throw invalid('it ends too early')
  const size = int32At(bytes, start)
  const end = start + size - 1
  if (size < 5 || end >= limit) throw invalid('a document has an impossible size')
  if (bytes[end] !== 0) throw invalid('a document does not end with 0')
  let at = start + 4
  while (at < end) {
    const type = bytes[at] as number
    // The names in an array are never read.
    const nameEnd = endOfText(bytes, at + 1, end, !isArray)
    at = validateValue(bytes, type, nameEnd + 1, end, depth)
  }
  if (at !== end) throw invalid('a value passes the end of its document')
  return end + 1
}

function endOfText(bytes: Uint8Array, start: number, end: number, mustBeUtf8 = true): number {
  let at = start
  let seen = 0
  for (; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === 0) break
    seen |= byte
  }
  if (at >= end) throw invalid('a name does not end')
  if (mustBeUtf8 && seen > 127) checkUtf8(bytes, start, at)
  return at
}

function checkUtf8(bytes: Uint8Array, start: number, end: number): void {
  if (!isUtf8(bytes.subarray(start, end))) throw invalid('a string is not UTF-8')
}

function validateValue(
  bytes: Uint8Array,
  type: number,
  start: number,
  end: number,
  depth: number
): number {
  const after = skipValue(bytes, type, start, end)
  switch (type) {
    case TYPE.string:
    case TYPE.javascript:
    case TYPE.symbol:
      validateString(bytes, start, after)
      break
    case TYPE.object:
    case TYPE.array:
      if (validateDoc(bytes, start, after, depth - 1, type === TYPE.array) !== after) {
        throw invalid('a size is wrong')
      }
      break
    case TYPE.bool:
      if ((bytes[start] as number) > 1) throw invalid('a boolean is neither 0 nor 1')
      break
    case TYPE.dbPointer:
      validateString(bytes, start, after - 12)
      break
    case TYPE.regex:
      validateRegex(bytes, start, after)
      break
    case TYPE.javascriptWithScope:
      validateCodeWithScope(bytes, start, after, depth)
      break
    default:
      break
  }
  return after
}

function validateString(bytes: Uint8Array, start: number, after: number): void {
  if (after - start < 5) throw invalid('a string has an impossible size')
  if (bytes[after - 1] !== 0) throw invalid('a string does not end with 0')
  checkUtf8(bytes, start + 4, after - 1)
}

function validateRegex(bytes: Uint8Array, start: number, after: number): void {
  const pattern = endOfText(bytes, start, after)
  const end = endOfText(bytes, pattern + 1, after)
  const options = Buffer.from(bytes.subarray(pattern + 1, end)).toString()
  try {
    new BSONRegExp('', options)
  } catch (cause) {
    throw commandError('InvalidBSON', `Not valid BSON: regular expression options ${options}`, {
      cause
    })
  }
}

function validateCodeWithScope(
  bytes: Uint8Array,
  start: number,
  after: number,
  depth: number
): void {
  const codeEnd = start + 8 < after ? start + 8 + int32At(bytes, start + 4) : after
  if (codeEnd >= after || codeEnd < start + 9) throw invalid('code with scope has impossible sizes')
  validateString(bytes, start + 4, codeEnd)
  if (validateDoc(bytes, codeEnd, after, depth - 1) !== after) throw invalid('a size is wrong')
}
