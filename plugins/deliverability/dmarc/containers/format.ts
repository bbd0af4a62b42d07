// What a file is, by its first bytes: names and content types of report mails are often wrong. Pure.

/** What a file may be. */
export type FileFormat = 'gzip' | 'zip' | 'xml' | 'json' | 'mail' | 'mailbox'

/** Bytes that `formatOf` looks at. */
export const HEAD_BYTES = 512

const HEADER_LINE = /^[!-9;-~]{1,76}:[ \t\r\n]/
/** The first line of a mailbox export, before the mail itself. */
const FROM_LINE = /^From [^\n]*\n/

/** The format; undefined when the bytes are none of them. */
export function formatOf(head: Uint8Array): FileFormat | undefined {
  const [first, second, third, fourth] = head
  if (first === 0x1f && second === 0x8b) return 'gzip'
  // A local file header, or the end record of an archive without entries.
  const isZip = (third === 3 && fourth === 4) || (third === 5 && fourth === 6)
  if (first === 0x50 && second === 0x4b && isZip) return 'zip'
  const text = startOf(head)
  if (text.startsWith('<')) return 'xml'
  if (text.startsWith('{')) return 'json'
  if (HEADER_LINE.test(text)) return 'mail'
  return HEADER_LINE.test(text.replace(FROM_LINE, '')) ? 'mailbox' : undefined
}

/** The encoding that a byte order mark names. */
export function markedEncoding(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 'utf-8' : undefined
}

function startOf(head: Uint8Array): string {
  const marked = markedEncoding(head)
  const bytes = head.subarray(0, HEAD_BYTES)
  const text = new TextDecoder(marked ?? 'latin1').decode(bytes)
  return text.trimStart()
}
