// Builds one plugin: its TypeScript into dist, its pages for the shell and for other admin UIs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { transpileFolder } from '@keelson/ui-build/transpile-folder'
import { elementsManifest } from './elements-manifest.ts'
import {
  type BuiltPage,
  buildPage,
  isPageCurrent,
  type PageEntry,
  type PageTask,
  readPageManifest,
  sizesOf
} from './pages.ts'

export interface BuildPluginOptions {
  /** The plugin's folder: the one with `plugin.json`. */
  readonly folder: string
}

/** A page and whether this build wrote it; false: its sources are those of the last build. */
export interface PluginPage extends BuiltPage {
  readonly isWritten: boolean
}

export interface PluginBuild {
  /** Modules in TypeScript, `plugin.json` included; 0 for a plugin in plain JavaScript. */
  readonly modules: number
  /** How many of them were transpiled now. */
  readonly modulesWritten: number
  readonly pages: readonly PluginPage[]
}

/**
 * Transpiles a plugin that has a `tsconfig.json` into `dist/`, without checking types, and bundles each page
 * from `pages/<id>/page.ts` (or `.js`) to `dist/browser/pages/<id>.js` and `dist/browser/embed/<id>.js`.
 * Writes `custom-elements.json` beside `plugin.json`. What is current is not built again.
 *
 * @throws Error naming the file, or plugin and page, and what to do
 */
export async function buildPlugin({ folder }: BuildPluginOptions): Promise<PluginBuild> {
  const manifest = readPageManifest(folder)
  const { id: plugin, pages = [] } = manifest
  const transpiled = existsSync(join(folder, 'tsconfig.json'))
    ? transpileFolder(folder)
    : { sources: 0, written: 0 }
  const built: PluginPage[] = []
  for (const page of pages) {
    checkModule(plugin, page)
    built.push(await currentPage({ folder, plugin, page }))
  }
  writeElementsManifest(folder, elementsManifest(manifest))
  return { modules: transpiled.sources, modulesWritten: transpiled.written, pages: built }
}

function writeElementsManifest(folder: string, text: string | undefined): void {
  const file = join(folder, 'custom-elements.json')
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text
  if (text !== undefined && !isCurrent) writeFileSync(file, text)
}

function checkModule(plugin: string, { id, module }: PageEntry): void {
  const output = `dist/browser/pages/${id}.js`
  if (module === undefined || normalize(module) === normalize(output)) return
  throw new Error(
    `page ${id} of ${plugin}: plugin.json names ${module} as its module, but the build writes ./${output}. Name that file as \`module\`.`
  )
}

async function currentPage(task: PageTask): Promise<PluginPage> {
  const { folder, page } = task
  if (!isPageCurrent(folder, page)) return { ...(await buildPage(task)), isWritten: true }
  return { page: page.id, ...sizesOf(folder, page), isWritten: false }
}
