// The files of a shell by the names they are served under: those of @keelson/ui, page modules, embeds.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { UiManifest } from '../ui-manifest.ts'

/** The files of a page. */
export interface PageFiles {
  readonly plugin: string
  readonly id: string
  /** Absolute path of the module. */
  readonly file: string
  /** Whether other admin UIs may load the page. */
  readonly embed: boolean
  /** The self-contained file for them; without it they get `file`. */
  readonly embedFile?: string | undefined
}

/** Where the files of a shell and of its pages are. */
export interface ShellFilesOptions {
  /** Where the browser files of @keelson/ui are. Default: in the installed package. */
  readonly folder?: string | undefined
  readonly pages: () => readonly PageFiles[]
  /** Looks again at each call, for development. Default false: what was found is kept until `renew`. */
  readonly isWatching?: boolean | undefined
}

/** The built files of a shell and of its pages, by the names under which they are served. */
export interface ShellFiles {
  /** What the build of @keelson/ui says; undefined until it is built. */
  ui(): UiManifest | undefined
  /** The path of a file of @keelson/ui. */
  asset(name: string): string | undefined
  /** The name that a page's module is served under: it holds the hash of its content. */
  moduleName(plugin: string, page: string): string
  /** The path of a module by that name, or of a chunk that it loads. */
  module(name: string): string | undefined
  /** The path of a page's embed file, or of a file that belongs to it (its chart). */
  embed(plugin: string, name: string): string | undefined
  /** Takes note of pages that came since. */
  renew(): void
}

const SERVED = new Set(['.js', '.css', '.svg'])

/** Reads what there is at once, so that no request has to. */
export function openShellFiles(options: ShellFilesOptions): ShellFiles {
  const { folder = installedFolder(), pages, isWatching = false } = options
  let browser: BrowserFiles | undefined
  let table: PageTable | undefined
  const browserNow = (): BrowserFiles | undefined => {
    if (browser === undefined || isWatching) browser = readBrowserFiles(folder, browser)
    return browser
  }
  const tableNow = (): PageTable => {
    if (table === undefined || isWatching) table = readPages(pages())
    return table
  }
  browserNow()
  tableNow()
  return {
    ui: () => browserNow()?.ui,
    asset: (name) => (browserNow()?.names.has(name) === true ? join(folder, name) : undefined),
    moduleName: (plugin, page) =>
      tableNow().names.get(`${plugin}/${page}`) ?? `${plugin}.${page}.missing.js`,
    module: (name) => tableNow().modules.get(name),
    embed: (plugin, name) => tableNow().embeds.get(`${plugin}/${name}`),
    renew() {
      table = undefined
      tableNow()
    }
  }
}

function installedFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('@keelson/ui/package.json')
  return join(dirname(manifest), 'dist', 'browser')
}

interface BrowserFiles {
  readonly text: string
  readonly ui: UiManifest
  readonly names: ReadonlySet<string>
}

/** The same object while the build is the same. */
function readBrowserFiles(folder: string, known: BrowserFiles | undefined) {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8')
  if (known?.text === text) return known
  const names = readdirSync(folder).filter((name) => SERVED.has(extname(name)))
  return { text, ui: JSON.parse(text) as UiManifest, names: new Set(names) }
}

interface PageTable {
  /** `<plugin>/<page>` → name of the module. */
  readonly names: ReadonlyMap<string, string>
  readonly modules: ReadonlyMap<string, string>
  /** `<plugin>/<name>` → path. */
  readonly embeds: ReadonlyMap<string, string>
}

function readPages(pages: readonly PageFiles[]): PageTable {
  const names = new Map<string, string>()
  const modules = new Map<string, string>()
  const embeds = new Map<string, string>()
  const besideOf = besidesOf()
  for (const page of pages) {
    const { plugin, id, file } = page
    if (existsSync(file)) {
      const content = readFileSync(file)
      const name = `${plugin}.${id}.${hashOf(content)}.js`
      modules.set(name, file)
      const chunks = besideOf(file, `${plugin}.${id}-`)
      for (const chunk of chunks) modules.set(chunk, join(dirname(file), chunk))
      names.set(`${plugin}/${id}`, chunks.find((chunk) => isAllOf(content, chunk)) ?? name)
    }
    if (!page.embed) continue
    for (const [own, path] of embedsOf(page, besideOf)) embeds.set(`${plugin}/${own}`, path)
  }
  return { names, modules, embeds }
}

/** Whether a module does nothing but import a chunk: the chunk is loaded in its place, one request sooner. */
const isAllOf = (content: Buffer, chunk: string): boolean =>
  content
    .toString()
    .trim()
    .replace(/;$/, '')
    .replaceAll(/["'\s]/g, '') === `import./${chunk}`

const hashOf = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 12)

/** The file itself, and those beside it whose names begin with the page's id. */
function embedsOf(
  { id, file, embedFile }: PageFiles,
  besideOf: BesideOf
): readonly (readonly [string, string])[] {
  const own = embedFile ?? file
  const folder = dirname(own)
  if (!existsSync(own)) return []
  const beside = besideOf(own, `${id}-`)
  return [[`${id}.js`, own], ...beside.map((name) => [name, join(folder, name)] as const)]
}

/** Names of the files in the folder of a file that begin with a text: the chunks of a page. */
type BesideOf = (file: string, start: string) => readonly string[]

/** Lists each folder once: the pages of a plugin share it, and it holds their compressed forms too. */
function besidesOf(): BesideOf {
  const listed = new Map<string, readonly string[]>()
  return (file, start) => {
    const folder = dirname(file)
    const names =
      listed.get(folder) ?? readdirSync(folder).filter((name) => SERVED.has(extname(name)))
    listed.set(folder, names)
    return names.filter((name) => name.startsWith(start))
  }
}
