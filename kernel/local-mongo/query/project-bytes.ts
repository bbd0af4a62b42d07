// Projections of whole top-level fields, done by copying bytes.
import { int32At, skipValue } from '../bson/decode.ts'
import type { Mode, RuleTree } from './projection-tree.ts'

/** Copies the elements that stay. The tree holds nothing but includes and excludes. */
export function copyElements(bytes: Uint8Array, tree: RuleTree, mode: Mode): Uint8Array {
  const end = int32At(bytes, 0) - 1
  const target = Buffer.allocUnsafe(bytes.length)
  let size = 4
  let at = 4
  while (at < end) {
    const nameEnd = bytes.indexOf(0, at + 1)
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, nameEnd - at - 1).toString()
    const after = skipValue(bytes, bytes[at] as number, nameEnd + 1, end)
    const rule = tree.get(name)
    if (rule === undefined ? mode === 'exclusion' : rule.kind === 'include') {
      target.set(bytes.subarray(at, after), size)
      size += after - at
    }
    at = after
  }
  target[size++] = 0
  target.writeInt32LE(size, 0)
  return new Uint8Array(target.subarray(0, size))
}
