// The files of a zip archive, one after another, held to the limits.
import { crc32 } from 'node:zlib'
import { atFirstUse, KeelsonError } from '@keelson/sdk'
import type { Entry, ZipFile } from 'yauzl'
import { errors } from '../errors.ts'
import type { Bytes } from './byte-streams.ts'
import { checkDeclared, metered, spendEntries, type UnpackBudget } from './unpack-budget.ts'

const loadZip = atFirstUse(async () => (await import('yauzl')).default)

/** The archive is a buffer: there is nothing to close. Names stay bytes: the library refuses whole archives for one. */
const OPEN = { lazyEntries: true, autoClose: false, decodeStrings: false } as const
/** The record at the end: its signature, its length, and where it has the length of the comment that follows. */
const END_SIGNATURE = Buffer.from('PK\x05\x06')
const END_BYTES = 22
const COMMENT_LENGTH_AT = 20

/** A file of an archive. Read its content before the next one. */
export interface ZippedFile {
  readonly name: string
  readonly content: Bytes
}

/**
 * The files. Names are shown and never used as paths: a file without one is numbered, and one with an unsafe
 * name is refused when it is read, alone.
 *
 * @throws DMR_DAMAGED, DMR_ENTRIES, DMR_ENTRY_NAME, DMR_TOO_LARGE, DMR_RATIO
 */
export async function* unzip(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ZippedFile> {
  const { name } = budget
  const yauzl = await loadZip()
  const archive = await guarded(yauzl.fromBufferPromise(withoutTail(bytes), OPEN), name)
  spendEntries(budget, archive.entryCount)
  for (const [index, entry] of (await guarded(entriesOf(archive), name)).entries()) {
    const fileName = entry.fileName.toString('utf8')
    if (fileName.endsWith('/')) continue
    const content = isUnsafe(fileName) ? refused(name) : contentOf(archive, entry, budget)
    yield { name: fileName === '' ? `entry ${index + 1}` : fileName, content }
  }
}

/** Mail gateways add line ends after an archive, which the library takes for damage. */
function withoutTail(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(END_SIGNATURE)
  if (at < 0 || at + END_BYTES > bytes.length) return bytes
  return bytes.subarray(0, at + END_BYTES + bytes.readUInt16LE(at + COMMENT_LENGTH_AT))
}

const isUnsafe = (name: string): boolean =>
  /^(?:[A-Za-z]:|[\\/])/.test(name) || name.includes('\0') || name.split(/[\\/]/).includes('..')

// biome-ignore lint/correctness/useYield: a stream that fails at once.
async function* refused(name: string): AsyncGenerator<Uint8Array> {
  throw errors.DMR_ENTRY_NAME({ name })
}

async function entriesOf(archive: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of archive.eachEntry()) entries.push(entry)
  return entries
}

async function* contentOf(
  archive: ZipFile,
  entry: Entry,
  budget: UnpackBudget
): AsyncGenerator<Uint8Array> {
  const { name } = budget
  if (entry.isEncrypted()) throw errors.DMR_DAMAGED({ name, problem: 'it is encrypted' })
  checkDeclared(budget, entry.uncompressedSize)
  const stream = await guarded(archive.openReadStreamPromise(entry), name)
  let sum = 0
  try {
    for await (const chunk of metered(stream, entry.compressedSize, budget)) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw faultOf(error, name)
  }
  if (sum !== entry.crc32) throw errors.DMR_DAMAGED({ name, problem: 'a checksum is wrong' })
}

async function guarded<T>(work: Promise<T>, name: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw faultOf(error, name)
  }
}

/** The library checks sizes; what it says about them is for people who know zip. */
function faultOf(error: unknown, name: string): Error {
  if (KeelsonError.is(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  const problem = /too many bytes|not enough bytes/.test(said)
    ? 'an entry is not as long as it declares'
    : 'its structure is invalid'
  return errors.DMR_DAMAGED({ name, problem, cause: error })
}
