// Rewrites the data file of a folder that no server has open, without leaked or free pages.
import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copyEntries } from '../storage/copy-entries.ts'
import { openEnvironment } from '../storage/environment.ts'
import { compactingFolder, flush, removeCompacting } from './backup.ts'
import { openEngine } from './open.ts'
import { DATA_FILE } from './parts.ts'
import { garbage } from './purge.ts'

/** Bytes of the data file. */
export interface Compacted {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** The trees of dropped collections and indexes, which are not copied. */
async function discarded(file: string): Promise<ReadonlySet<number>> {
  const environment = openEnvironment(file)
  try {
    return new Set(garbage(environment.live, Number.POSITIVE_INFINITY))
  } finally {
    await environment.close()
  }
}

/** The first problem that `check` finds in a folder. */
async function problemOf(dataDir: string): Promise<string | undefined> {
  const engine = await openEngine(dataDir)
  try {
    return (await engine.check()).problems[0]
  } finally {
    await engine.close()
  }
}

/**
 * The new file is written beside the old one, checked, flushed, and takes its place at once: whenever the process
 * ends, one of them is there whole. No other process may use the folder.
 */
export async function compactData(
  dataDir: string
): Promise<Compacted | { readonly problem: string }> {
  const file = join(dataDir, DATA_FILE)
  const before = await stat(file).catch(() => undefined)
  // A database that was never written to has none.
  if (before === undefined) return { bytesBefore: 0, bytesAfter: 0 }
  const folder = compactingFolder(dataDir)
  const copy = join(folder, DATA_FILE)
  await removeCompacting(dataDir)
  await mkdir(folder, { mode: 0o700 })
  try {
    await copyEntries(file, copy, await discarded(file))
    const problem = await problemOf(folder)
    if (problem !== undefined) return { problem }
    await flush(copy)
    const { size } = await stat(copy)
    await rename(copy, file)
    await flush(dataDir)
    return { bytesBefore: before.size, bytesAfter: size }
  } finally {
    await removeCompacting(dataDir)
  }
}
