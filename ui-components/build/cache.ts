// Remembers what a build was made of, so that equal content is not built twice.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

/**
 * The inputs of one build: what it was asked for, and each file it read, relative to the record, with the
 * hash of its content.
 */
interface BuildRecord {
  readonly key: string
  readonly inputs: Readonly<Record<string, string>>
  /** The names of the files that it wrote. */
  readonly outputs: readonly string[]
}

/** Path → hash, of files that many records name: each is read once. Undefined: no such file. */
export type FileHashes = Map<string, string | undefined>

/**
 * Whether the output that a record belongs to was made of the same key and the same content. What
 * `hashes` holds is not read again.
 */
export function isCurrent(recordFile: string, key: string, hashes: FileHashes): boolean {
  const record = readRecord(recordFile)
  if (record?.key !== key) return false
  const folder = dirname(recordFile)
  return Object.entries(record.inputs).every(([name, hash]) => {
    const path = resolve(folder, name)
    if (!hashes.has(path)) hashes.set(path, hashOf(path))
    return hashes.get(path) === hash
  })
}

/** The names of the files that the last build of this record wrote. */
export function lastOutputs(recordFile: string): readonly string[] {
  return readRecord(recordFile)?.outputs ?? []
}

/** A build, as it is written down. */
export interface BuildNote {
  readonly key: string
  /** Paths of the files that were read. */
  readonly inputs: readonly string[]
  /** Names of the files that were written. */
  readonly outputs: readonly string[]
}

/** Writes down what a build was made of. */
export function remember(recordFile: string, { key, inputs, outputs }: BuildNote): void {
  const folder = dirname(recordFile)
  const files = [...new Set(inputs)].filter((path) => existsSync(path)).sort()
  const record: BuildRecord = {
    key,
    inputs: Object.fromEntries(files.map((path) => [relative(folder, path), hashOf(path) ?? ''])),
    outputs
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(recordFile, JSON.stringify(record))
}

function readRecord(path: string): BuildRecord | undefined {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BuildRecord
  } catch {
    // A record that was cut off while it was written: build again.
    return undefined
  }
}

function hashOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
