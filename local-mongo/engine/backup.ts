// Copies the data file such that it is there whole or not at all, whatever happens meanwhile.
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_FILE } from './parts.ts'

/** Has the disk take all that was written to a file, or the names in a folder. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Where a data folder is compacted. */
export function compactingFolder(dataDir: string): string {
  return join(dataDir, '.compacting')
}

/** Removes what is left of compacting when the process ended meanwhile. */
export async function removeCompacting(dataDir: string): Promise<void> {
  await rm(compactingFolder(dataDir), { recursive: true, force: true })
}

/** Has `copy` write the data file beside its place in the folder, then puts it there. */
export async function copyDataFile(
  folder: string,
  copy: (path: string) => Promise<void>
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${DATA_FILE}-draft`)
  try {
    await copy(draft)
    await chmod(draft, 0o600)
    await flush(draft)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await rename(draft, join(folder, DATA_FILE))
  await flush(folder)
}
