// Operators on texts.
import { Int32 } from 'bson'
import { characterCount, characterPlace, characterSlice } from '../bson/code-points.ts'
import { compareBytes } from '../bson/compare.ts'
import { isNumeric, TYPE, typeCode } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { bound } from './array-operators.ts'
import { dateText, numberText } from './convert.ts'
import { isNothing, MISSING, type Result, typeOf } from './expression.ts'
import {
  type NamedArguments,
  named,
  needInteger,
  needText,
  positional,
  unary,
  variadic
} from './operator-arguments.ts'
import type { OperatorParser } from './parse-expression.ts'

/** A text, or what numbers and dates read as; null and missing are the empty text. */
function coerce(value: Result, name: string): string {
  if (isNothing(value)) return ''
  if (typeof value === 'string') return value
  if (isNumeric(value)) return numberText(value)
  if (value instanceof Date) return dateText(value)
  const type = typeCode(value)
  if (type === TYPE.symbol || type === TYPE.javascript)
    return String((value as { value?: string }).value ?? (value as { code?: string }).code)
  throw commandError(
    'Location16007',
    `can't convert from BSON type ${typeOf(value)} to String in ${name}`
  )
}

const LONGEST_TEXT = 64 * 1024 * 1024

/** Fails with ExceededMemoryLimit (146) before a text is made that no document could hold. */
function checkLength(length: number, name: string): void {
  if (length > LONGEST_TEXT) {
    throw commandError('ExceededMemoryLimit', `${name} would make a text of ${length} characters`)
  }
}

function concat(values: readonly Result[]): Result {
  if (values.some(isNothing)) return null
  const texts = values.map((value) => {
    if (typeof value === 'string') return value
    throw commandError('Location16702', `$concat only supports strings, not ${typeOf(value)}`)
  })
  checkLength(
    texts.reduce((sum, { length }) => sum + length, 0),
    '$concat'
  )
  return texts.join('')
}

function substringOfBytes([
  value = MISSING,
  first = MISSING,
  count = MISSING
]: readonly Result[]): Result {
  const bytes = Buffer.from(coerce(value, '$substrBytes'))
  const start = substringBound(first, 'starting index')
  const length = substringBound(count, 'length')
  if (start < 0)
    throw commandError(
      'Location50752',
      `$substrBytes: starting index must be non-negative (got: ${start})`
    )
  const end = length < 0 ? bytes.length : Math.min(bytes.length, start + length)
  if (start >= bytes.length) return ''
  if (isContinuation(bytes[start]) || isContinuation(bytes[end])) {
    throw commandError(
      'Location28656',
      '$substrBytes: Invalid range, the range is in the middle of a UTF-8 character.'
    )
  }
  return bytes.toString('utf8', start, end)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function substringBound(value: Result, what: string): number {
  if (value === MISSING || !isNumeric(value)) {
    throw commandError(
      'Location16034',
      `$substrBytes: ${what} must be a numeric type (is BSON type ${typeOf(value)})`
    )
  }
  return Math.trunc(Number(numberText(value)))
}

function substringOfCharacters([
  value = MISSING,
  first = MISSING,
  count = MISSING
]: readonly Result[]): Result {
  const text = coerce(value, '$substrCP')
  const start = needInteger(first, '$substrCP: starting index', 'Location34450')
  const length = needInteger(count, '$substrCP: length', 'Location34452')
  if (start < 0)
    throw commandError(
      'Location34455',
      '$substrCP: the starting index must be nonnegative integer.'
    )
  if (length < 0)
    throw commandError('Location34454', '$substrCP: length must be a nonnegative integer.')
  return characterSlice(text, start, length)
}

function split(value: Result, delimiter: Result): Result {
  if (isNothing(value) || isNothing(delimiter)) return null
  const text = needText(value, '$split: the first argument', 'Location40085')
  const by = needText(delimiter, '$split: the second argument', 'Location40086')
  if (by === '') throw commandError('Location40087', '$split requires a non-empty separator')
  return text.split(by)
}

function indexOfBytes([value = MISSING, part = MISSING, start, end]: readonly Result[]): Result {
  if (isNothing(value)) return null
  const bytes = Buffer.from(needText(value, '$indexOfBytes: the first argument', 'Location40091'))
  const wanted = Buffer.from(needText(part, '$indexOfBytes: the second argument', 'Location40092'))
  return found(bytes, wanted, start, end, '$indexOfBytes')
}

function found(
  bytes: Buffer,
  wanted: Buffer,
  start: Result | undefined,
  end: Result | undefined,
  name: string
): Int32 {
  const from = start === undefined ? 0 : bound(start, name)
  const to = end === undefined ? bytes.length : Math.min(bytes.length, bound(end, name))
  if (from > bytes.length || to < from) return new Int32(-1)
  return new Int32(bytes.subarray(0, to).indexOf(wanted, from))
}

function indexOfCharacters([
  value = MISSING,
  part = MISSING,
  start,
  end
]: readonly Result[]): Result {
  if (isNothing(value)) return null
  const text = needText(value, '$indexOfCP: the first argument', 'Location40093')
  const wanted = needText(part, '$indexOfCP: the second argument', 'Location40094')
  const first = start === undefined ? 0 : bound(start, '$indexOfCP')
  const from = characterPlace(text, first)
  const to = end === undefined ? text.length : characterPlace(text, bound(end, '$indexOfCP'))
  if (first > characterCount(text) || to < from) return new Int32(-1)
  const place = text.slice(0, to).indexOf(wanted, from)
  return new Int32(place < 0 ? -1 : characterCount(text, place))
}

const BLANKS =
  '\0 \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'

function trim(name: string, atStart: boolean, atEnd: boolean): OperatorParser {
  return named(['input'], ['chars'], ({ input = MISSING, chars = MISSING }, _context, given) => {
    if (isNothing(input) || (given.has('chars') && isNothing(chars))) return null
    const characters = [...needText(input, `${name}: input`, 'Location50699')]
    const blanks = new Set(
      given.has('chars') ? needText(chars, `${name}: chars`, 'Location50700') : BLANKS
    )
    let start = 0
    let end = characters.length
    while (atStart && start < end && blanks.has(characters[start] as string)) start++
    while (atEnd && end > start && blanks.has(characters[end - 1] as string)) end--
    return characters.slice(start, end).join('')
  })
}

function replace(name: string, all: boolean): OperatorParser {
  return named(['input', 'find', 'replacement'], [], (values: NamedArguments) => {
    const { input = MISSING, find = MISSING, replacement = MISSING } = values
    const parts: Result[] = [input, find, replacement]
    for (const [index, part] of parts.entries()) {
      if (!isNothing(part))
        needText(
          part,
          `${name} requires that '${['input', 'find', 'replacement'][index]}'`,
          'Location51746'
        )
    }
    if (parts.some(isNothing)) return null
    const [text, wanted, by] = parts as [string, string, string]
    if (!all) return text.replace(wanted, () => by)
    const pieces = text.split(wanted)
    checkLength(text.length + pieces.length * by.length, name)
    return wanted === '' ? aroundEach(text, by) : pieces.join(by)
  })
}

/** The empty text is found before and behind every character. */
function aroundEach(text: string, by: string): string {
  return text === '' ? by : `${by}${[...text].join(by)}${by}`
}

const ascii = (text: string, pattern: RegExp, change: (letter: string) => string) =>
  text.replace(pattern, change)

function lower(value: Result): string {
  return ascii(coerce(value, '$toLower'), /[A-Z]+/g, (letters) => letters.toLowerCase())
}

function upper(value: Result): string {
  return ascii(coerce(value, '$toUpper'), /[a-z]+/g, (letters) => letters.toUpperCase())
}

const substr = positional(3, 3, substringOfBytes)

export const STRINGS: Readonly<Record<string, OperatorParser>> = {
  $concat: variadic(concat),
  $substr: substr,
  $substrBytes: substr,
  $substrCP: positional(3, 3, substringOfCharacters),
  $split: positional(2, 2, ([value = MISSING, by = MISSING]) => split(value, by)),
  $strLenBytes: unary(
    (value) =>
      new Int32(Buffer.byteLength(needText(value, '$strLenBytes: the argument', 'Location34473')))
  ),
  $strLenCP: unary(
    (value) =>
      new Int32(characterCount(needText(value, '$strLenCP: the argument', 'Location34471')))
  ),
  $strcasecmp: positional(
    2,
    2,
    ([a = MISSING, b = MISSING]) => new Int32(Math.sign(compareBytes(upper(a), upper(b))))
  ),
  $toLower: unary(lower),
  $toUpper: unary(upper),
  $trim: trim('$trim', true, true),
  $ltrim: trim('$ltrim', true, false),
  $rtrim: trim('$rtrim', false, true),
  $indexOfBytes: positional(2, 4, indexOfBytes),
  $indexOfCP: positional(2, 4, indexOfCharacters),
  $replaceOne: replace('$replaceOne', false),
  $replaceAll: replace('$replaceAll', true)
}
