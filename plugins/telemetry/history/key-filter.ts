// A Bloom filter of the keys that a segment is looked for by: traces and people. Pure.

const BITS_A_KEY = 10
const HASHES = 7

export const traceKey = (traceId: string): string => `t${traceId}`
export const personKey = (ref: string): string => `p${ref}`

/** Bytes of a filter that has these keys, and about one in a hundred others. */
export function filterOf(keys: ReadonlySet<string>): Uint8Array {
  const bytes = new Uint8Array(Math.max(8, Math.ceil((keys.size * BITS_A_KEY) / 8)))
  for (const key of keys) {
    for (const bit of bitsOf(key, bytes.length * 8)) {
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
  }
  return bytes
}

/** False when the segment certainly does not have the key. */
export const mayHave = (filter: Uint8Array, key: string): boolean =>
  bitsOf(key, filter.length * 8).every((bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)

function bitsOf(key: string, size: number): readonly number[] {
  const first = fnv(key, 0x811c9dc5)
  const second = fnv(key, 0x01000193) | 1
  return Array.from({ length: HASHES }, (_, at) => ((first + Math.imul(at, second)) >>> 0) % size)
}

/** FNV-1a with a last mix, over UTF-16 units. */
function fnv(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
