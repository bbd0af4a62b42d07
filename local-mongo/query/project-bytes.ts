// Projections of whole top-level fields, done by copying bytes.
import { int32At, skipValue } from '../bson/decode.ts'
import type { Mode, RuleTree } from './projection-tree.ts'

/** Prepares copying the elements that stay. The tree holds nothing but includes and excludes. */
export function compileCopy(tree: RuleTree, mode: Mode): (bytes: Uint8Array) => Uint8Array {
  const kept = namesOf(tree, 'include')
  const dropped = namesOf(tree, 'exclude')
  const stays = (bytes: Uint8Array, start: number, end: number): boolean =>
    mode === 'inclusion' ? isAnyOf(kept, bytes, start, end) : !isAnyOf(dropped, bytes, start, end)
  return (bytes) => copyElements(bytes, stays)
}

function namesOf(tree: RuleTree, kind: 'include' | 'exclude'): Uint8Array[] {
  return [...tree].filter(([, rule]) => rule.kind === kind).map(([name]) => Buffer.from(name))
}

function isAnyOf(
  names: readonly Uint8Array[],
  bytes: Uint8Array,
  start: number,
  end: number
): boolean {
  return names.some((name) => {
    if (name.length !== end - start) return false
    for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false
    return true
  })
}

function copyElements(
  bytes: Uint8Array,
  stays: (bytes: Uint8Array, start: number, end: number) => boolean
): Uint8Array {
  const end = int32At(bytes, 0) - 1
  const target = Buffer.allocUnsafe(bytes.length)
  let size = 4
  let at = 4
  while (at < end) {
    let nameEnd = at + 1
    while (bytes[nameEnd] !== 0) nameEnd++
    const after = skipValue(bytes, bytes[at] as number, nameEnd + 1, end)
    if (stays(bytes, at + 1, nameEnd)) {
      target.set(bytes.subarray(at, after), size)
      size += after - at
    }
    at = after
  }
  target[size++] = 0
  target.writeInt32LE(size, 0)
  return new Uint8Array(target.subarray(0, size))
}
