// Watching folders for changes that matter: of sources, and of nothing that a running host writes.
import { existsSync, type FSWatcher, lstatSync, readdirSync, readFileSync, watch } from 'node:fs'
import { basename, extname, join, sep } from 'node:path'
import { ignoredBy } from './ignored-files.ts'

export interface FolderWatcher {
  /** Resolves with the name of a file that has changed, once the changes have settled. */
  nextChange(signal: AbortSignal): Promise<string>
  close(): void
}

/** Editors write a file in several steps. */
const SETTLE_MS = 100

export interface WatchedFolder {
  readonly path: string
  /** Its `dist` and custom-elements.json are written by us: changes there are results. */
  readonly isBuilt: boolean
}

/** What code is made of, and what code imports or reads as a page. A log or a dump restarts nothing. */
const SOURCES = /^\.(?:[cm]?[jt]sx?|json|html?|css|svg|hbs|mjml|ya?ml)$/

/** Files that a .gitignore leaves out; none without one. */
type Ignores = (path: string) => boolean

const nothing: Ignores = () => false

/**
 * Whether changes at a path count, be it a folder or a file: not below `node_modules`, below names that begin with
 * a dot, and what the .gitignore leaves out. A `dist` that others build is what runs, whatever the .gitignore says.
 */
export function isWatched(path: string, isBuilt = false, ignores: Ignores = nothing): boolean {
  const parts = path.split(sep)
  const isOutput = parts[0] === 'dist'
  if (isBuilt && (isOutput || path === 'custom-elements.json')) return false
  if (parts.some((part) => part === 'node_modules' || part.startsWith('.'))) return false
  return isOutput || !ignores(parts.join('/'))
}

/** A folder that came or went counts with what is in it. */
const isSource = (path: string): boolean =>
  SOURCES.test(extname(path)) || (extname(path) === '' && !isFile(path))

function ignoresOf(folder: string): Ignores {
  const file = join(folder, '.gitignore')
  return existsSync(file) ? ignoredBy(readFileSync(file, 'utf8')) : nothing
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

/**
 * Watches a folder and each below it, without those that do not count. Node's recursive watch would go through
 * `node_modules`, and it fails when a folder is removed while it is read.
 */
function watchFolder({ path, isBuilt }: WatchedFolder, note: (name: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  const ignores = ignoresOf(path)
  const unwatch = (folder: string) => {
    for (const [name, watcher] of watchers) {
      if (name !== folder && !name.startsWith(`${folder}${sep}`)) continue
      watcher.close()
      watchers.delete(name)
    }
  }
  const watchTree = (folder: string) => {
    unwatch(folder)
    const counts = isWatched(folder, isBuilt, ignores)
    if (folder !== '' && !(counts && isFolder(join(path, folder)))) return
    const watcher = watch(join(path, folder), (event, inner) => {
      if (inner === null || isOwnEvent(join(path, folder), inner)) return
      const name = join(folder, inner)
      // A folder came, went, or was replaced by another one of that name.
      if (event === 'rename') unlessGone(() => watchTree(name))
      if (isWatched(name, isBuilt, ignores) && isSource(join(path, name))) note(name)
    })
    watchers.set(folder, watcher)
    for (const name of readdirSync(join(path, folder))) {
      unlessGone(() => watchTree(join(folder, name)))
    }
  }
  watchTree('')
  return () => {
    for (const watcher of watchers.values()) watcher.close()
  }
}

const isFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Linux reports a change of the folder itself under the folder's name; the watcher of its parent reports it too. */
const isOwnEvent = (folder: string, inner: string): boolean =>
  inner === basename(folder) && !existsSync(join(folder, inner))

/** Ignores ENOENT: the watcher of the parent reports that a folder was removed. */
function unlessGone(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
