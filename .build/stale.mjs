// Decides from file times what has to be built again; reads only, builds nothing.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.tap', '.keelson'])

/** The newest change below a folder among the files that `takes(name)` accepts; 0 when there is none. */
export function newestChange(folder, takes) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) newest = Math.max(newest, newestChange(path, takes))
    else if (takes(entry.name)) newest = Math.max(newest, statSync(path).mtimeMs)
  }
  return newest
}

/** When a file was last written; 0 when it is not there. */
export function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
