// Builds whatever is not current: the shared browser files and the pages of plugins, several at a time.
import { type FileHashes, isCurrent } from './cache.ts'
import { buildPage, isPageCurrent, readPageManifest } from './pages.ts'
import { buildUi, UI_RECORD, uiKey } from './ui.ts'

/** One writes and compresses its files while the bundler, which has threads, works for another. */
const BUILDS_AT_ONCE = 2

type BuildTask = () => Promise<unknown>

export interface BuildAllOptions {
  /** The folders of the plugins whose pages are built. */
  readonly folders: readonly string[]
  /** Called after each build. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Returns how many builds ran; 0 when everything was current.
 *
 * @throws Error naming plugin and page of the first build that failed.
 */
export async function buildAll({ folders, onProgress }: BuildAllOptions): Promise<number> {
  const tasks = staleTasks(folders)
  const waiting = [...tasks]
  let done = 0
  const work = async (): Promise<void> => {
    try {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        await task()
        done++
        onProgress?.(done, tasks.length)
      }
    } finally {
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: BUILDS_AT_ONCE }, work))
  return tasks.length
}

/** The largest task first, so that the others are built beside it. */
function staleTasks(folders: readonly string[]): readonly BuildTask[] {
  const hashes: FileHashes = new Map()
  const ui: readonly BuildTask[] = isCurrent(UI_RECORD, uiKey(), hashes) ? [] : [buildUi]
  return [...ui, ...folders.flatMap((folder) => stalePages(folder, hashes))]
}

function stalePages(folder: string, hashes: FileHashes): readonly BuildTask[] {
  const { id: plugin, pages = [] } = readPageManifest(folder)
  return pages
    .filter((page) => !isPageCurrent(folder, page, hashes))
    .map((page) => () => buildPage({ folder, plugin, page }))
}
