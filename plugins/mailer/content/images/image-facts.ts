// What a file is by its bytes: a picture of a type that mail programs show, and its size. Pure.
import type { ImageRow } from '../../ledger/image-row.ts'

/** Type and size in pixels. */
export type ImageFacts = Pick<ImageRow, 'type' | 'width' | 'height'>

type Read = (bytes: Buffer) => Pick<ImageFacts, 'width' | 'height'> | undefined

/** Larger ones are refused: a small file may unpack to them. */
const MOST_PIXELS = 10_000

const png: Read = (bytes) =>
  bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n' &&
  bytes.subarray(12, 16).toString('latin1') === 'IHDR' &&
  bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

const gif: Read = (bytes) =>
  /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')) && bytes.length >= 10
    ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : undefined

/** Frame headers, but for the markers of tables (C4, C8, CC) among them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const jpeg: Read = (bytes) => {
  if (bytes.subarray(0, 3).toString('latin1') !== '\xff\xd8\xff') return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

const webp: Read = (bytes) => {
  const isWebp =
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP' &&
    bytes.length >= 30
  if (!isWebp) return undefined
  switch (bytes.subarray(12, 16).toString('latin1')) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

const READERS = { png, gif, jpeg, webp }

/** Undefined: it is not a picture, is of another type (SVG can run scripts), or is larger than 10,000 pixels. */
export function imageFacts(bytes: Buffer): ImageFacts | undefined {
  for (const [type, read] of Object.entries(READERS) as [ImageFacts['type'], Read][]) {
    const size = read(bytes)
    if (size === undefined) continue
    const isFine = [size.width, size.height].every((one) => one > 0 && one <= MOST_PIXELS)
    return isFine ? { type, ...size } : undefined
  }
  return undefined
}
