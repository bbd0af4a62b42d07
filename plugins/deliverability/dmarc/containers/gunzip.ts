// Unpacks gzip (RFC 1952) member by member; bytes after the last member are ignored, as mail gateways add them.
import { crc32, createInflateRaw } from 'node:zlib'
import { errors } from '../errors.ts'
import { spendEntries, type UnpackBudget } from './unpack-budget.ts'

const HEADER_BYTES = 10
const TRAILER_BYTES = 8
const CHUNK_BYTES = 65_536
/** Bits of the flags byte. */
const HEADER_CRC = 2
const EXTRA = 4
const FILE_NAME = 8
const COMMENT = 16

/**
 * The unpacked bytes.
 *
 * @throws DMR_DAMAGED, also when they are not what the trailer declares
 * @throws DMR_ENTRIES before the member that is one too many
 */
export async function* gunzip(bytes: Uint8Array, budget: UnpackBudget): AsyncGenerator<Uint8Array> {
  const { name } = budget
  const damaged = (problem: string, cause?: unknown) => errors.DMR_DAMAGED({ name, problem, cause })
  let at = 0
  do {
    spendEntries(budget, 1)
    const start = afterHeader(bytes, at)
    if (start >= bytes.length) throw damaged('it ends within its header')
    const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
    inflate.end(bytes.subarray(start))
    let sum = 0
    let size = 0
    try {
      for await (const chunk of inflate as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      throw damaged('its compressed data is invalid', error)
    }
    at = start + inflate.bytesWritten
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
    if (trailer.byteLength < TRAILER_BYTES) throw damaged('it ends within its trailer')
    const isWhole = trailer.getUint32(0, true) === sum && trailer.getUint32(4, true) === size
    if (!isWhole) throw damaged('its content is not what its trailer declares')
    at += TRAILER_BYTES
  } while (isMember(bytes, at))
}

function isMember(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8
}

/** Where the compressed data starts; the end of the bytes when the header has none. */
function afterHeader(bytes: Uint8Array, start: number): number {
  const flags = bytes[start + 3] ?? 0
  let at = start + HEADER_BYTES
  if (flags & EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  if (flags & FILE_NAME) at = afterZero(bytes, at)
  if (flags & COMMENT) at = afterZero(bytes, at)
  if (flags & HEADER_CRC) at += 2
  return at
}

function afterZero(bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(0, start)
  return found < 0 ? bytes.length : found + 1
}
