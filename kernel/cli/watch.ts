// Watching folders for changes that matter.
import { type FSWatcher, watch } from 'node:fs'
import { sep } from 'node:path'

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
  const note = (name: string | null, isBuilt: boolean) => {
    if (name === null || !isWatched(name, isBuilt)) return
    changed = name
    clearTimeout(timer)
    timer = setTimeout(settle, SETTLE_MS)
  }
  const watchers = folders.map(
    ({ path, isBuilt }): FSWatcher =>
      watch(path, { recursive: true }, (_event, name) => note(name, isBuilt))
  )
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
      for (const watcher of watchers) watcher.close()
    }
  }
}
