// Streams of bytes: their first bytes ahead of the rest, and all of them.

/** Chunks of bytes, read once. */
export type Bytes = AsyncIterable<Uint8Array>

/** The whole of some bytes as a stream of parts, so that a reader can pause between them. */
export async function* inParts(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Reads the first bytes, fewer when there are no more, and gives the stream back whole. */
export async function peek(
  chunks: Bytes,
  bytes: number
): Promise<{ readonly head: Uint8Array; readonly all: Bytes }> {
  const source = chunks[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let length = 0
  while (length < bytes) {
    const { value, done } = await source.next()
    if (done === true) break
    read.push(value)
    length += value.length
  }
  return { head: Buffer.concat(read), all: resume(read, source) }
}

async function* resume(
  read: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>
): AsyncGenerator<Uint8Array> {
  try {
    yield* read
    for (;;) {
      const { value, done } = await source.next()
      if (done === true) return
      yield value
    }
  } finally {
    await source.return?.()
  }
}

/** All bytes of a stream. The stream must be limited. */
export async function collect(chunks: Bytes): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read)
}
