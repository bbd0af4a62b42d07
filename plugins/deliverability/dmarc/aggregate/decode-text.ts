// Bytes of a report as text: in the encoding that its first bytes name, and never failing on invalid ones.
import { type Bytes, peek } from '../containers/byte-streams.ts'
import { HEAD_BYTES, markedEncoding } from '../containers/format.ts'

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([a-z0-9._-]{1,40})["']/i

/** Text in parts. Invalid bytes become U+FFFD. */
export async function* decodeText(bytes: Bytes): AsyncGenerator<string> {
  const { head, all } = await peek(bytes, HEAD_BYTES)
  const decoder = decoderFor(head)
  for await (const part of all) yield decoder.decode(part, { stream: true })
  yield decoder.decode()
}

function decoderFor(head: Uint8Array): TextDecoder {
  const declared = DECLARED.exec(Buffer.from(head).toString('latin1'))?.[1] ?? 'utf-8'
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  const readable = /^utf-?16/i.test(declared) ? 'utf-8' : declared
  try {
    return new TextDecoder(markedEncoding(head) ?? readable)
  } catch {
    return new TextDecoder()
  }
}
