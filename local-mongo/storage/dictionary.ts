// What the documents of a collection have in common, as the beginning that LZ4 compresses them against.
import { int32At, skipValue } from '../bson/decode.ts'
import { TYPE } from '../bson/value.ts'

/** Each put and get goes over the dictionary once: more would cost more than it spares. */
export const MOST_DICTIONARY_BYTES = 2_048
/** For one collection. */
const MOST_BYTES = 768
/** A value is kept when so many of the documents share it: then it is nobody's own. */
const SHARED_BY = 0.9
const LONGEST_VALUE = 48

/** A piece of a document: what always stands before it, what may vary, and what stands for it then. */
interface Piece {
  readonly path: string
  readonly header: Uint8Array
  readonly value: Uint8Array
  readonly blank: Uint8Array
}

const NO_HEADER = new Uint8Array(0)
const END = Uint8Array.of(0)

/**
 * A value as pieces that may be shared one without the other: the length of a text and what is in it,
 * the milliseconds and the days of a date.
 */
function cutValue(path: string, header: Uint8Array, type: number, value: Uint8Array): Piece[] {
  const isText = type === TYPE.string
  const cut = isText || type === TYPE.date ? 4 : value.length
  const [begin, rest] = [value.subarray(0, cut), value.subarray(cut)]
  const first = { path, header, value: begin, blank: new Uint8Array(Math.min(begin.length, 8)) }
  if (rest.length === 0) return [first]
  const blank = isText ? END : new Uint8Array(rest.length)
  return [first, { path: `${path}>`, header: NO_HEADER, value: rest, blank }]
}

/** The pieces in their order; embedded documents and arrays are gone into. */
function piecesOf(bytes: Uint8Array, start: number, path: string, into: Piece[]): Piece[] {
  const end = start + int32At(bytes, start) - 1
  let at = start + 4
  while (at < end) {
    const type = bytes[at] as number
    const nameEnd = bytes.indexOf(0, at + 1)
    const valueStart = nameEnd + 1
    const header = bytes.subarray(at, valueStart)
    const own = `${path}.${Buffer.from(header).toString('latin1')}`
    const isNested = type === TYPE.object || type === TYPE.array
    const next = skipValue(bytes, type, valueStart, bytes.length)
    const valueEnd = isNested ? valueStart + 4 : next
    into.push(...cutValue(own, header, type, bytes.subarray(valueStart, valueEnd)))
    if (isNested) piecesOf(bytes, valueStart, own, into)
    at = next
  }
  return into
}

/** What the documents have at one place. */
interface Seen {
  readonly counts: Map<string, number>
  /** What all values begin with. */
  begin: string
  documents: number
}

function commonBegin(a: string, b: string): string {
  let size = 0
  while (size < a.length && a[size] === b[size]) size++
  return a.slice(0, size)
}

function look(documents: readonly Uint8Array[]): Map<string, Seen> {
  const places = new Map<string, Seen>()
  for (const bytes of documents) {
    for (const { path, value } of piecesOf(bytes, 0, '', [])) {
      const text = Buffer.from(value.subarray(0, LONGEST_VALUE)).toString('latin1')
      const seen = places.get(path) ?? { counts: new Map(), begin: text, documents: 0 }
      seen.counts.set(text, (seen.counts.get(text) ?? 0) + 1)
      seen.begin = commonBegin(seen.begin, text)
      seen.documents++
      places.set(path, seen)
    }
  }
  return places
}

/** The value when it is shared, else what all values begin with and its blank. */
function keptOf({ value, blank }: Piece, seen: Seen | undefined, documents: number): Uint8Array {
  const text = Buffer.from(value).toString('latin1')
  const least = documents * SHARED_BY
  if (seen === undefined || seen.documents < least) return blank
  if ((seen.counts.get(text) ?? 0) >= least) return value
  return Buffer.concat([Buffer.from(seen.begin, 'latin1'), blank])
}

/**
 * The dictionary for documents like these: names and types of their fields, the values that nine of ten
 * share, and what all values of a field begin with. Empty for no documents.
 */
export function dictionaryOf(documents: readonly Uint8Array[]): Uint8Array {
  const template = documents[documents.length >> 1]
  if (template === undefined) return new Uint8Array(0)
  const places = look(documents)
  const pieces = piecesOf(template, 0, '', []).flatMap((piece) => [
    piece.header,
    keptOf(piece, places.get(piece.path), documents.length)
  ])
  return new Uint8Array(Buffer.concat(pieces).subarray(0, MOST_BYTES))
}

/**
 * A dictionary with more in front: what was compressed against the old one is read with it too, since
 * LZ4 counts backwards from the end. Its length is a multiple of eight, as lmdb-js wants it.
 */
export function growDictionary(old: Uint8Array, more: Uint8Array): Uint8Array {
  const room = MOST_DICTIONARY_BYTES - old.length
  const added = more.subarray(0, room)
  const size = Math.ceil((old.length + added.length) / 8) * 8
  const grown = new Uint8Array(size)
  grown.set(added, size - old.length - added.length)
  grown.set(old, size - old.length)
  return grown
}
