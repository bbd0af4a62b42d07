// The error of a second document under a unique key, in MongoDB's words.

import { Int32 } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeKey } from '../bson/key-string.ts'
import type { Doc, Value } from '../bson/value.ts'
import { type CommandError, duplicateKeyError } from '../errors.ts'
import type { Collection } from './catalog.ts'
import type { Index } from './index-definition.ts'
import { showValue } from './show-value.ts'
import { restOfKey } from './tree-keys.ts'

const ID_PATTERN: Doc = new Map<string, Value>([['_id', new Int32(1)]])

/** The first value at a path; where arrays stand, the element that `isWanted` takes. */
function valuesAt(value: Value, pieces: readonly string[]): Value[] {
  const [name, ...rest] = pieces
  if (name === undefined) return Array.isArray(value) && value.length > 0 ? value : [value]
  if (Array.isArray(value)) {
    const own = /^\d+$/.test(name) ? valuesAt(value[Number(name)], rest) : []
    return [...own, ...value.flatMap((item) => (item instanceof Map ? valuesAt(item, pieces) : []))]
  }
  if (!(value instanceof Map) || !value.has(name)) return [null]
  return valuesAt(value.get(name), rest)
}

/** All ways to take one value per part, up to a bound: which of them has the key is then looked up. */
function combinations(lists: readonly (readonly Value[])[]): Value[][] {
  let all: Value[][] = [[]]
  for (const list of lists) {
    all = all.flatMap((begun) => list.map((value) => [...begun, value])).slice(0, 10_000)
  }
  return all
}

function keyValues(index: Index, doc: Doc, key: Uint8Array): Doc {
  const lists = index.parts.map(({ path }) => valuesAt(doc, path.split('.')))
  const all = combinations(lists)
  const directions = index.parts.map(({ direction }) => direction)
  const options = { collation: index.collation, partLimit: index.partLimit }
  const wanted = restOfKey(key)
  const found =
    all.length === 1
      ? all[0]
      : all.find((values) => Buffer.compare(encodeKey(values, directions, options), wanted) === 0)
  return new Map(index.parts.map(({ path }, part) => [path, (found ?? all[0] ?? [])[part] ?? null]))
}

/** `index` undefined stands for the one on `_id`; `key` is the entry that was there. */
export function duplicateKey(
  { db, name }: Pick<Collection, 'db' | 'name'>,
  index: Index | undefined,
  bytes: Uint8Array,
  key: Uint8Array = new Uint8Array(0)
): CommandError {
  const doc = decodeDoc(bytes)
  const keyPattern = index === undefined ? ID_PATTERN : index.key
  const keyValue: Doc =
    index === undefined ? new Map([['_id', doc.get('_id')]]) : keyValues(index, doc, key)
  const shown = [...keyValue].map(([path, value]) => `${path}: ${showValue(value)}`).join(', ')
  return duplicateKeyError(
    `E11000 duplicate key error collection: ${db}.${name} index: ${index?.name ?? '_id_'} dup key: { ${shown} }`,
    { keyPattern, keyValue }
  )
}
