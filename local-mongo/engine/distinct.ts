// distinct: the different values at a path, elements of arrays one by one.

import { decodeDoc } from '../bson/decode.ts'
import { encodeKey } from '../bson/key-string.ts'
import type { Value } from '../bson/value.ts'
import type { DistinctRequest, Namespace, OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'
import { textOfKey } from '../storage/tree-keys.ts'
import { MAX_DOCUMENT_BYTES } from './new-document.ts'
import { type EngineParts, readSource } from './parts.ts'
import { openQuery } from './query.ts'
import { runInSlices } from './time-slices.ts'

/** The values at a path; an array at its end gives its elements. */
export function distinctValues(value: Value, pieces: readonly string[]): Value[] {
  const [name, ...rest] = pieces
  if (name === undefined) return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) {
    const place = /^\d+$/.test(name) ? Number(name) : -1
    const own = place >= 0 && place < value.length ? distinctValues(value[place], rest) : []
    return [
      ...own,
      ...value.flatMap((item) => (item instanceof Map ? distinctValues(item, pieces) : []))
    ]
  }
  if (!(value instanceof Map) || !value.has(name)) return []
  return distinctValues(value.get(name), rest)
}

/** Fails with Location17217 when the values would not fit one answer. */
export async function distinct(
  parts: EngineParts,
  ns: Namespace,
  request: DistinctRequest,
  context: OperationContext
): Promise<Value[]> {
  const query = openQuery(readSource(parts, context), ns, request, context)
  if (query.collection === undefined) return []
  const { collation } = query
  const pieces = request.key.split('.')
  const fields = new Set([pieces[0] as string])
  const found = new Map<string, Value>()
  const walk = query.walk()
  let bytes = 0
  await runInSlices(
    context,
    () => {
      if (walk.isEnded) return true
      const document = walk.step()
      if (document === undefined) return false
      for (const value of distinctValues(decodeDoc(document.bytes, fields), pieces)) {
        const key = textOfKey(
          encodeKey([value], [1], { collation, partLimit: Number.POSITIVE_INFINITY })
        )
        if (found.has(key)) continue
        found.set(key, value)
        bytes += key.length
        if (bytes > MAX_DOCUMENT_BYTES)
          throw commandError('Location17217', 'distinct too big, 16mb cap')
      }
      return false
    },
    () => walk.pause(),
    () => query.refresh()
  )
  return [...found.values()]
}
