// Text of an upload, whatever its encoding: UTF-8, or UTF-16 as spreadsheets save "Unicode text".

/** The encoding by the first bytes: a byte order mark, or the zero bytes of Latin letters in UTF-16. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  return first === 0 && second !== undefined && second !== 0 ? 'utf-16be' : 'utf-8'
}

/** The text, piece by piece, without a byte order mark. Invalid bytes become U+FFFD. */
export async function* decodeText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let head: Uint8Array = new Uint8Array()
  for await (const piece of pieces) {
    if (decoder !== undefined) {
      yield decoder.decode(piece, { stream: true })
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < 2) continue
    decoder = new TextDecoder(encodingOf(head))
    yield decoder.decode(head, { stream: true })
  }
  yield decoder === undefined ? new TextDecoder().decode(head) : decoder.decode()
}
