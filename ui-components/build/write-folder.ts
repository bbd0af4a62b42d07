// Replaces a folder of built files at once, so that nobody reads half a build.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the files beside the folder, then swaps. */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  const fresh = `${folder}.${process.pid}.new`
  rmSync(fresh, { recursive: true, force: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(fresh, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}
