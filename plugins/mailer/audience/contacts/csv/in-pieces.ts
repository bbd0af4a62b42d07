// A file as an upload brings it, for tests.

/** The bytes in pieces of `size`. */
export async function* inPieces(whole: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(whole as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
