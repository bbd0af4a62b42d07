// Takes an array of documents out of a command's body without decoding the documents.

const OBJECT = 3
const ARRAY = 4

/** Bytes of the value types whose size is fixed. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [6, 0],
  [7, 12],
  [8, 1],
  [9, 8],
  [10, 0],
  [16, 4],
  [17, 8],
  [18, 8],
  [19, 16],
  [127, 0],
  [255, 0]
])

interface Element {
  readonly type: number
  readonly name: string
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

/** A body without the array, and the array's documents as their bytes. */
export interface SplitBody {
  readonly body: Uint8Array
  readonly documents: readonly Uint8Array[]
}

/**
 * Cuts the top-level array `name` out of a body. `undefined` when there is no such array or the
 * bytes are not well formed; the decoder then says what is wrong with them.
 */
export function splitBody(bytes: Uint8Array, name: string): SplitBody | undefined {
  const body = asBuffer(bytes)
  const found = readElements(body)?.find((element) => element.name === name)
  if (!found || found.type !== ARRAY) return undefined
  const array = body.subarray(found.valueStart, found.end)
  const elements = readElements(array)
  if (!elements?.every(({ type }) => type === OBJECT)) return undefined
  const rest = Buffer.allocUnsafe(body.length - (found.end - found.start))
  body.copy(rest, 0, 0, found.start)
  body.copy(rest, found.start, found.end)
  rest.writeInt32LE(rest.length, 0)
  return {
    body: rest,
    documents: elements.map(({ valueStart, end }) => array.subarray(valueStart, end))
  }
}

/** The top-level elements of a document; `undefined` when its bytes do not add up. */
function readElements(document: Buffer): Element[] | undefined {
  const last = document.length - 1
  if (last < 4 || document.readInt32LE(0) !== document.length || document[last] !== 0) {
    return undefined
  }
  const elements: Element[] = []
  let at = 4
  while (at < last) {
    const start = at
    const type = document[at] ?? 0
    const nameEnd = document.indexOf(0, at + 1)
    if (nameEnd < 0 || nameEnd >= last) return undefined
    const size = valueSize(document, type, nameEnd + 1)
    if (size === undefined || size < 0 || nameEnd + 1 + size > last) return undefined
    at = nameEnd + 1 + size
    const name = document.toString('utf8', start + 1, nameEnd)
    elements.push({ type, name, start, valueStart: nameEnd + 1, end: at })
  }
  return elements
}

function valueSize(document: Buffer, type: number, at: number): number | undefined {
  const fixed = FIXED.get(type)
  if (fixed !== undefined) return fixed
  if (type === 11) {
    const pattern = document.indexOf(0, at)
    const options = pattern < 0 ? -1 : document.indexOf(0, pattern + 1)
    return options < 0 ? undefined : options + 1 - at
  }
  if (document.length - at < 4) return undefined
  const declared = document.readInt32LE(at)
  if (declared < 0) return undefined
  if (type === OBJECT || type === ARRAY || type === 15) return declared < 5 ? undefined : declared
  if (type === 2 || type === 13 || type === 14) return declared + 4
  if (type === 5) return declared + 5
  if (type === 12) return declared + 16
  return undefined
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
