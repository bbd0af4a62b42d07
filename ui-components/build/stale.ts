// Builds what is older than its sources, by file times alone.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages, readPageManifest } from './pages.ts'
import { browserFolder, uiFolder } from './place.ts'
import { buildUi } from './ui.ts'

/** When a file was last written, ms; 0 when it is not there. */
export function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Compiled folders that no browser file is made of. */
const SKIPPED = new Set(['browser', 'build', 'test'])

/** The newest compiled module below a folder; browser files and tests do not count. */
export function newestModule(folder: string): number {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return 0
  return readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    if (SKIPPED.has(entry.name) || entry.name.endsWith('.test.js')) return newest
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return Math.max(newest, newestModule(path))
    return entry.name.endsWith('.js') ? Math.max(newest, writtenAt(path)) : newest
  }, 0)
}

/** Whether the browser files of @keelson/ui must be built again. */
export function isUiStale(): boolean {
  return newestModule(join(uiFolder, 'dist')) > writtenAt(join(browserFolder, 'manifest.json'))
}

/** Whether the pages of a plugin must be built again: their own sources, the manifest, this package. */
export function isStale(folder: string): boolean {
  const { pages = [] } = readPageManifest(folder)
  const sources = Math.max(
    newestModule(join(folder, 'dist', 'pages')),
    writtenAt(join(folder, 'plugin.json')),
    newestModule(join(uiFolder, 'dist'))
  )
  return pages.some(({ id }) => {
    const built = writtenAt(join(folder, 'dist', 'browser', 'pages', `${id}.js`))
    return built < sources
  })
}

/** Builds the shared browser files and the pages of the plugins, where they are stale. */
export async function buildStale(folders: readonly string[]): Promise<readonly string[]> {
  const done: string[] = []
  if (isUiStale()) {
    await buildUi()
    done.push(uiFolder)
  }
  for (const folder of folders.filter(isStale)) {
    await buildPages({ folder })
    done.push(folder)
  }
  return done
}
