// Copies of bytes that are overwritten soon.

/**
 * A copy of bytes that lmdb overwrites with its next read, in memory that small copies share: lmdb's own copies
 * are a block of memory each, which took a tenth of a long scan. Its `length` alone says how long they are.
 */
export function copyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (bytes === undefined) return undefined
  const { buffer, byteOffset, length } = bytes
  const copy = Buffer.allocUnsafe(length)
  copy.set(new Uint8Array(buffer, byteOffset, length))
  return copy
}
