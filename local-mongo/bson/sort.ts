// Sort specifications and the keys by which documents are sorted.

import { commandError } from '../errors.ts'
import type { Collation } from './collation.ts'
import { encodeDoc } from './encode.ts'
import { compileIndexKeys, type KeyPart } from './index-keys.ts'
import { toDouble } from './numbers.ts'
import { type Doc, isDoc, isNumeric, type Value } from './value.ts'

export interface Sort {
  readonly parts: readonly KeyPart[]
  readonly collation: Collation | undefined
  /** A key whose byte order is the order of the sort. Fails with BadValue (2) on parallel arrays. */
  sortKey(doc: Doc | Uint8Array): Uint8Array
  compare(a: Doc, b: Doc): number
}

export interface SortOptions {
  readonly collation?: Collation | undefined
}

const MOST_PARTS = 32

/** Fails with BadValue (2) or its neighbours for directions other than 1 and -1. */
export function parseSort(spec: Doc, { collation }: SortOptions = {}): Sort {
  const parts = [...spec].map(([path, direction]) => parsePart(path, direction))
  if (parts.length > MOST_PARTS)
    throw commandError('BadValue', `too many sort keys: at most ${MOST_PARTS}`)
  const extract = compileIndexKeys(parts, {
    collation,
    partLimit: Number.POSITIVE_INFINITY,
    onParallelArrays: () =>
      commandError('BadValue', 'cannot sort with keys that are parallel arrays')
  })
  const fields = new Set(parts.map(({ path }) => path.split('.', 1)[0] as string))
  const sortKey = (doc: Doc | Uint8Array): Uint8Array => {
    const { keys } = extract(doc instanceof Uint8Array ? doc : encodeDoc(onlyFields(doc, fields)))
    // Of an array the element that comes first in the order of the sort counts.
    return keys.reduce((least, key) => (Buffer.compare(key, least) < 0 ? key : least))
  }
  return {
    parts,
    collation,
    sortKey,
    compare: (a, b) => Buffer.compare(sortKey(a), sortKey(b))
  }
}

function onlyFields(doc: Doc, fields: ReadonlySet<string>): Doc {
  const part: Doc = new Map()
  for (const name of fields) if (doc.has(name)) part.set(name, doc.get(name))
  return part
}

function parsePart(path: string, direction: Value): KeyPart {
  if (path === '' || path.startsWith('.') || path.endsWith('.') || path.includes('..')) {
    throw commandError('Location15998', `FieldPath field names may not be empty strings: '${path}'`)
  }
  if (path.startsWith('$')) {
    throw commandError(
      'Location16410',
      "FieldPath field names may not start with '$'. Consider using $getField or $setField."
    )
  }
  if (isDoc(direction) && direction.has('$meta')) {
    throw commandError('Location17313', 'query requires metadata that is not available')
  }
  const number = isNumeric(direction) ? toDouble(direction) : Number.NaN
  if (number === 1 || number === -1) return { path, direction: number }
  if (!isNumeric(direction)) {
    throw commandError(
      'Location15974',
      `Illegal key in $sort specification: ${path}: it must be 1 or -1`
    )
  }
  throw commandError(
    'Location15975',
    '$sort key ordering must be 1 (for ascending) or -1 (for descending)'
  )
}
