// Watching folders for changes that matter.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join, sep } from 'node:path'

export interface FolderWatcher {
  /** Resolves with the name of a file that has changed, once the changes have settled. */
  nextChange(signal: AbortSignal): Promise<string>
  close(): void
}

/** Editors write a file in several steps. */
const SETTLE_MS = 100

export interface WatchedFolder {
  readonly path: string
  /** Its `dist` is written by us: changes there are results. */
  readonly isBuilt: boolean
}

/** Changes below `node_modules` and below names that begin with a dot do not count. */
export function isWatched(path: string, isBuilt = false): boolean {
  const parts = path.split(sep)
  if (isBuilt && parts[0] === 'dist') return false
  return !parts.some((part) => part === 'node_modules' || part.startsWith('.'))
}

export function watchFolders(folders: readonly WatchedFolder[]): FolderWatcher {
  let changed: string | undefined
  let timer: NodeJS.Timeout | undefined
  let tell: ((name: string) => void) | undefined
  const settle = () => {
    timer = undefined
    if (changed === undefined || tell === undefined) return
    tell(changed)
    changed = undefined
  }
  const note = (name: string) => {
    changed = name
    clearTimeout(timer)
    timer = setTimeout(settle, SETTLE_MS)
  }
  const closes = folders.map((folder) => watchFolder(folder, note))
  return {
    nextChange: (signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        if (signal.aborted) reject(signal.reason)
        tell = resolve
        if (timer === undefined) settle()
      }),
    close() {
      clearTimeout(timer)
      for (const close of closes) close()
    }
  }
}

/** Watches a folder without those that do not count: a recursive watch would go through node_modules. */
function watchFolder({ path, isBuilt }: WatchedFolder, note: (name: string) => void): () => void {
  const below = new Map<string, FSWatcher>()
  const counts = (name: string) => isWatched(name, isBuilt)
  const watchBelow = (name: string) => {
    below.get(name)?.close()
    below.delete(name)
    if (!counts(name) || !isFolder(join(path, name))) return
    const watcher = watch(join(path, name), { recursive: true }, (_event, inner) => {
      if (inner !== null && counts(join(name, inner))) note(join(name, inner))
    })
    below.set(name, watcher)
  }
  for (const name of readdirSync(path)) watchBelow(name)
  const top = watch(path, (event, name) => {
    if (name === null || !counts(name)) return
    // A folder came, went, or was replaced by another one of that name.
    if (event === 'rename') watchBelow(name)
    note(name)
  })
  return () => {
    top.close()
    for (const watcher of below.values()) watcher.close()
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
