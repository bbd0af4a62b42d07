// The layout of keys in the store: a tree number of four bytes, then what the tree orders by.

/** Trees of the engine itself. Collections and indexes have numbers from `FIRST_FREE_TREE` on. */
export const TREE = {
  /** Format version and the next free tree number, by name. */
  settings: 0,
  /** Collection documents of the catalog, by collection number. */
  catalog: 1,
  /** Number of documents and their bytes, by collection number. */
  counts: 2,
  /** What a session's last retryable write answered, by session. */
  retries: 3,
  /** Change events, by time. */
  changes: 4,
  /** Trees whose entries are still to be removed, by number. */
  garbage: 5
} as const

/**
 * Added to an index's number when its entries are split: they lie apart, each as a key that entries
 * share, and a value.
 */
const SPLIT_TREES = 0x8000_0000

/** The tree of an index whose entries are split. */
export function splitTree(index: number): number {
  return index + SPLIT_TREES
}

/** Added, with the slot, to the number of a collection whose documents lie in a slot. */
const SLOT_TREES = 0x4000_0000
const SLOT_SHIFT = 2 ** 22
/** Collections with greater numbers have no slot. */
export const LAST_SLOT_TREE = SLOT_SHIFT - 2

/** The tree of the documents of a collection in a slot. */
export function slotTree(collection: number, slot: number): number {
  return SLOT_TREES + slot * SLOT_SHIFT + collection
}

/** The slot of a key, or of an end of a range; undefined for trees that have none. */
export function slotOf(key: Uint8Array): number | undefined {
  const first = key[0] as number
  return first >> 6 === 1 ? ((first & 0x3f) << 2) | ((key[1] as number) >> 6) : undefined
}

/** Whether a key, or an end of a range, is that of split entries. */
export function isSplit(key: Uint8Array): boolean {
  return (key[0] as number) >= 0x80
}

/** The first number given to a collection or index. */
export const FIRST_FREE_TREE = 64

/** LMDB's limit for the length of a key in bytes, and of a value that has others beside it. */
export const MAX_KEY_BYTES = 1_978
/** Longest document key; longer `_id`s end in a hash. */
export const MAX_ID_BYTES = 480
/** Longest index key without tree, document key and length. */
export const MAX_INDEX_KEY_BYTES = 1_480

const PREFIX_BYTES = 4
/** Where the index key begins in an entry. */
export const indexKeyStart = PREFIX_BYTES
const LENGTH_BYTES = 2

/** The lowest key of a tree; the highest is the lowest of the next. */
export function treeStart(tree: number): Uint8Array {
  const key = new Uint8Array(PREFIX_BYTES)
  writeTree(key, tree)
  return key
}

function writeTree(key: Uint8Array, tree: number): void {
  key[0] = tree >>> 24
  key[1] = tree >>> 16
  key[2] = tree >>> 8
  key[3] = tree
}

/** The tree of a key. */
export function treeOf(key: Uint8Array): number {
  const byte = (at: number) => key[at] as number
  return ((byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)) >>> 0
}

/** `rest` in the tree: the key of a document, of a unique index entry, or of a system entry. */
export function treeKey(tree: number, rest: Uint8Array): Uint8Array {
  const key = Buffer.allocUnsafe(PREFIX_BYTES + rest.length)
  writeTree(key, tree)
  key.set(rest, PREFIX_BYTES)
  return key
}

/** An entry of an index that allows equal keys: the document's key and its length end it. */
export function sharedIndexKey(tree: number, key: Uint8Array, id: Uint8Array): Uint8Array {
  const whole = Buffer.allocUnsafe(PREFIX_BYTES + key.length + id.length + LENGTH_BYTES)
  writeTree(whole, tree)
  whole.set(key, PREFIX_BYTES)
  whole.set(id, PREFIX_BYTES + key.length)
  writeLength(whole, whole.length - LENGTH_BYTES, id.length)
  return whole
}

/**
 * An entry of an index whose entries are split: as `sharedIndexKey`, and at the end the length of what
 * it shares with others. `shared` is how much of the index's key that is.
 */
export function splitIndexKey(
  tree: number,
  key: Uint8Array,
  id: Uint8Array,
  shared: number
): Uint8Array {
  const size = PREFIX_BYTES + key.length + id.length + 2 * LENGTH_BYTES
  const whole = Buffer.allocUnsafe(size)
  writeTree(whole, tree)
  whole.set(key, PREFIX_BYTES)
  whole.set(id, PREFIX_BYTES + key.length)
  writeLength(whole, size - 2 * LENGTH_BYTES, id.length)
  writeLength(whole, size - LENGTH_BYTES, PREFIX_BYTES + shared)
  return whole
}

/** The whole of a split entry from its key and its value. */
export function joinedKey(key: Uint8Array, value: Uint8Array): Uint8Array {
  const size = key.length + value.length + LENGTH_BYTES
  const whole = Buffer.allocUnsafe(size)
  whole.set(key)
  whole.set(value, key.length)
  writeLength(whole, size - LENGTH_BYTES, key.length)
  return whole
}

/** The key of a split entry, which it shares. */
export function sharedPart(whole: Uint8Array): Uint8Array {
  return viewOf(whole, 0, lengthAt(whole, whole.length - LENGTH_BYTES))
}

/** The value of a split entry, which is its own. */
export function ownPart(whole: Uint8Array): Uint8Array {
  const end = whole.length - LENGTH_BYTES
  return viewOf(whole, lengthAt(whole, end), end)
}

/** As `subarray`, but never a Buffer: those are slow to make. */
function viewOf(whole: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(whole.buffer, whole.byteOffset + from, to - from)
}

/** The document's key in an entry of an index that allows equal keys. */
export function idOfSharedKey(whole: Uint8Array): Uint8Array {
  const end = whole.length - (isSplit(whole) ? 2 : 1) * LENGTH_BYTES
  return whole.subarray(end - lengthAt(whole, end), end)
}

function lengthAt(whole: Uint8Array, at: number): number {
  return ((whole[at] as number) << 8) | (whole[at + 1] as number)
}

function writeLength(whole: Uint8Array, at: number, length: number): void {
  whole[at] = length >>> 8
  whole[at + 1] = length
}

/** What follows the tree number. */
export function restOfKey(key: Uint8Array): Uint8Array {
  return key.subarray(PREFIX_BYTES)
}

/** The least key greater than this one and all that begin with it; undefined when there is none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] ?? 0
    if (byte === 0xff) continue
    const next = Uint8Array.prototype.slice.call(prefix, 0, i + 1)
    next[i] = byte + 1
    return next
  }
  return undefined
}

/** The least key greater than this one. */
export function afterKey(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1)
  next.set(key)
  return next
}

/** Where the version of the format stands. */
export const FORMAT_KEY = treeKey(TREE.settings, Buffer.from('format'))

/** A system key made of a whole number of four bytes. */
export function numberKey(tree: number, number: number): Uint8Array {
  const rest = new Uint8Array(4)
  writeTree(rest, number)
  return treeKey(tree, rest)
}

/** The number in a key that `numberKey` made. */
export function numberOfKey(key: Uint8Array): number {
  return Buffer.from(key.buffer, key.byteOffset, key.length).readUInt32BE(PREFIX_BYTES)
}

/** The key as a text, for maps: its order is the byte order. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
}
