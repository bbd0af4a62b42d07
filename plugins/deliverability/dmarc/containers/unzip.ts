// The files of a zip archive, one after another, held to the limits.
import { crc32 } from 'node:zlib'
import { KeelsonError } from '@keelson/sdk'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { errors } from '../errors.ts'
import type { Bytes } from './byte-streams.ts'
import { checkDeclared, metered, spendEntries, type UnpackBudget } from './unpack-budget.ts'

/** The archive is a buffer: there is nothing to close. */
const OPEN = { lazyEntries: true, autoClose: false } as const

/** A file of an archive. Read its content before the next one. */
export interface ZippedFile {
  readonly name: string
  readonly content: Bytes
}

/** The files. @throws DMR_DAMAGED, DMR_ENTRIES, DMR_ENTRY_NAME, DMR_TOO_LARGE, DMR_RATIO */
export async function* unzip(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ZippedFile> {
  const { name } = budget
  const archive = await guarded(yauzl.fromBufferPromise(bytes, OPEN), name)
  spendEntries(budget, archive.entryCount)
  for (const entry of await guarded(entriesOf(archive), name)) {
    if (entry.fileName.includes('\0') || entry.fileName === '')
      throw errors.DMR_ENTRY_NAME({ name })
    if (entry.fileName.endsWith('/')) continue
    yield { name: entry.fileName, content: contentOf(archive, entry, budget) }
  }
}

/** Every name is checked before the first file is read. */
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

/** The library checks names and sizes; what it says about them is for people who know zip. */
function faultOf(error: unknown, name: string): Error {
  if (KeelsonError.is(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  if (/invalid (characters in fileName|relative path)|absolute path/.test(said)) {
    return errors.DMR_ENTRY_NAME({ name, cause: error })
  }
  const problem = /too many bytes|not enough bytes/.test(said)
    ? 'an entry is not as long as it declares'
    : 'its structure is invalid'
  return errors.DMR_DAMAGED({ name, problem, cause: error })
}
