// Builds the pages of a plugin, each for the shell and self-contained for other admin UIs.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, bundle } from './bundle.ts'
import { type FileHashes, isCurrent, lastOutputs, remember } from './cache.ts'
import { buildMode } from './mode.ts'
import { sizeAtOnce } from './size-at-once.ts'
import { writeFiles } from './write-files.ts'

export interface PageManifest {
  readonly id: string
  readonly pages?: readonly PageEntry[]
}

/** The part of a manifest's page that the build reads. */
export interface PageEntry {
  readonly id: string
  /** Whether a self-contained file is built, too. Default true. */
  readonly embed?: boolean
  /** Where the manifest expects the module of the page. */
  readonly module?: string
  readonly element?: string
  readonly title?: string
}

export interface BuildPagesOptions {
  /** The plugin's folder: the one with `plugin.json`. */
  readonly folder: string
  /** The content of `plugin.json`; read from the folder when it is left out. */
  readonly manifest?: PageManifest
}

export interface BuiltPage {
  readonly page: string
  /** Bytes after gzip. */
  readonly size: number
  readonly embedSize: number | undefined
}

/** Packages that the shell brings along. */
const SHARED = [/^lit(\/|$)/, /^@keelson\/ui(\/|$)/]

/**
 * Reads `dist/pages/<id>/page.js` of each page, or `pages/<id>/page.js` where nothing is transpiled, and
 * writes `dist/browser/pages/<id>.js` and `dist/browser/embed/<id>.js`, with their `.br` and `.gz` forms.
 *
 * @throws Error naming plugin and page when a page is not compiled or imports a missing package.
 */
export async function buildPages(options: BuildPagesOptions): Promise<readonly BuiltPage[]> {
  const manifest = options.manifest ?? readPageManifest(options.folder)
  const built: BuiltPage[] = []
  for (const page of manifest.pages ?? []) {
    built.push(await buildPage({ folder: options.folder, plugin: manifest.id, page }))
  }
  return built
}

/** One page of one plugin. */
export interface PageTask {
  readonly folder: string
  readonly plugin: string
  readonly page: PageEntry
}

/** Builds one page and remembers what it was made of. */
export async function buildPage({ folder, plugin, page }: PageTask): Promise<BuiltPage> {
  const { id, embed = true } = page
  const subject = `page ${id} of ${plugin}`
  const input = { [id]: sourceOf(folder, id, subject) }
  const inShell = await bundle({
    input,
    external: SHARED,
    entryNames: 'pages/[name].js',
    chunkNames: `pages/${plugin}.${id}-[name]-[hash].js`,
    entries: 'renamed',
    subject
  })
  const alone = embed ? await buildEmbed(input, id, subject) : { chunks: [], inputs: [] }
  const files = filesOf(inShell, alone)
  const record = recordOf(folder, id)
  removeOldFiles(join(folder, 'dist', 'browser'), lastOutputs(record), files)
  writeFiles(join(folder, 'dist', 'browser'), files)
  remember(record, {
    key: keyOf(page),
    inputs: [...inShell.inputs, ...alone.inputs],
    outputs: Object.keys(files)
  })
  return { page: id, ...sizesOf(folder, page) }
}

/** The sizes of a page that is built. */
export function sizesOf(folder: string, { id, embed = true }: PageEntry) {
  const sizeOf = (kind: string) => sizeAtOnce(join(folder, 'dist', 'browser', kind, `${id}.js`))
  return { size: sizeOf('pages'), embedSize: embed ? sizeOf('embed') : undefined }
}

/** Whether the files of a page are there and made of its present sources. */
export function isPageCurrent(
  folder: string,
  page: PageEntry,
  hashes: FileHashes = new Map()
): boolean {
  const record = recordOf(folder, page.id)
  if (!isCurrent(record, keyOf(page), hashes)) return false
  return lastOutputs(record).every((name) => existsSync(join(folder, 'dist', 'browser', name)))
}

/** Where the record of a page's build is kept. */
function recordOf(folder: string, page: string): string {
  return join(folder, 'dist', 'browser', 'pages', `${page}.inputs.json`)
}

/** What a page's build depends on beside the files it reads. */
function keyOf({ id, embed = true }: PageEntry): string {
  return `page ${id}, embed ${embed}, ${buildMode()}`
}

function filesOf(...bundles: readonly Bundle[]): Record<string, string> {
  return Object.fromEntries(
    bundles.flatMap(({ chunks }) => chunks.map(({ fileName, code }) => [fileName, code]))
  )
}

/** The names of a page's chunks hold hashes: those of an earlier build would stay for ever. */
function removeOldFiles(
  folder: string,
  old: readonly string[],
  files: Readonly<Record<string, string>>
): void {
  for (const name of old.filter((name) => !Object.hasOwn(files, name))) {
    for (const form of ['', '.br', '.gz']) rmSync(join(folder, `${name}${form}`), { force: true })
  }
}

function buildEmbed(input: Readonly<Record<string, string>>, id: string, subject: string) {
  return bundle({
    input,
    entryNames: 'embed/[name].js',
    chunkNames: `embed/${id}-[name]-[hash].js`,
    entries: 'together',
    subject: `${subject}, embedded`
  })
}

function sourceOf(folder: string, id: string, subject: string): string {
  const [path, ...others] = [join(folder, 'dist'), folder].map((root) =>
    join(root, 'pages', id, 'page.js')
  )
  const found = [path, ...others].find((file) => file !== undefined && existsSync(file))
  if (found !== undefined) return found
  throw new Error(`${subject}: ${path} is missing. Write pages/${id}/page.ts and compile it.`)
}

/** The part of `plugin.json` that says which pages there are. */
export function readPageManifest(folder: string): PageManifest {
  return JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as PageManifest
}
