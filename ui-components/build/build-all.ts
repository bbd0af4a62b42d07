// Builds whatever is not current: the shared browser files and the pages of plugins, side by side.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { isCurrent } from './cache.ts'
import { isPageCurrent, type PageTask, readPageManifest } from './pages.ts'
import { UI_RECORD, uiKey } from './ui.ts'

/** The shared browser files, or one page. */
export type BuildTask = { readonly kind: 'ui' } | ({ readonly kind: 'page' } & PageTask)

/** Syntax trees are large and soon forgotten: with room for one they are not copied by the collector. */
const YOUNG_GENERATION_MB = 192

/** The answer of a worker. */
export type BuildAnswer = { readonly error?: string }

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
    const worker = new Worker(new URL('./build-worker.js', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB }
    })
    try {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        await runIn(worker, task)
        done++
        onProgress?.(done, tasks.length)
      }
    } finally {
      waiting.length = 0
      await worker.terminate()
    }
  }
  const count = Math.min(tasks.length, availableParallelism())
  await Promise.all(Array.from({ length: count }, work))
  return tasks.length
}

/** The largest task first: it decides when the last worker ends. */
function staleTasks(folders: readonly string[]): readonly BuildTask[] {
  const ui: readonly BuildTask[] = isCurrent(UI_RECORD, uiKey()) ? [] : [{ kind: 'ui' }]
  return [...ui, ...folders.flatMap(stalePages)]
}

function stalePages(folder: string): readonly BuildTask[] {
  const { id: plugin, pages = [] } = readPageManifest(folder)
  return pages
    .filter((page) => !isPageCurrent(folder, page))
    .map((page) => ({ kind: 'page', folder, plugin, page }))
}

function runIn(worker: Worker, task: BuildTask): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', ({ error }: BuildAnswer) => {
      worker.off('error', reject)
      if (error === undefined) resolve()
      else reject(new Error(error))
    })
    worker.postMessage(task)
  })
}
