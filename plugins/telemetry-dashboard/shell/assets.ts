// Reads the built files of the standalone shell and its pages, under names that hold their hash.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ShellPage } from './document.ts'

export interface Asset {
  readonly type: string
  readonly content: Buffer
}

export interface ShellAssets {
  /** File name → content. */
  readonly files: ReadonlyMap<string, Asset>
  readonly pages: readonly ShellPage[]
  readonly imports: Readonly<Record<string, string>>
  readonly script: string
  readonly styles: string
  readonly icon: string
}

/** Where the built files lie. */
export interface AssetFolders {
  /** The folder of `plugin.json`. */
  readonly plugin: string
  /** `dist/browser` of @keelson/ui. */
  readonly ui: string
}

interface UiManifest {
  readonly imports: Readonly<Record<string, string>>
  readonly icon: string
}

interface PageManifest {
  readonly pages: readonly (Pick<ShellPage, 'id' | 'title' | 'element'> & {
    readonly nav?: object
  })[]
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml'
}

/** The folder in the address that is kept for a year. */
export const ASSETS = '_assets'

/** The folders of the installed packages. */
export function installedFolders(): AssetFolders {
  const ui = createRequire(import.meta.url).resolve('@keelson/ui/package.json')
  return {
    plugin: fileURLToPath(new URL('../../', import.meta.url)),
    ui: join(dirname(ui), 'dist', 'browser')
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** The built files, or undefined when the browser app has not been built. */
export async function readAssets(folders: AssetFolders): Promise<ShellAssets | undefined> {
  try {
    return await readAll(folders)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** A compiled module names its neighbours without their hash: `./places.js`. */
function hashImports(module: Buffer, names: Iterable<string>): Buffer {
  let text = module.toString('utf8')
  for (const name of names) {
    const [stem] = name.split('.')
    text = text.replaceAll(`./${stem}.js`, `./${name}`)
  }
  return Buffer.from(text)
}

async function readAll({ plugin, ui }: AssetFolders): Promise<ShellAssets> {
  const files = new Map<string, Asset>()
  const add = (name: string, content: Buffer): string => {
    files.set(name, { type: TYPES[extname(name)] ?? 'application/octet-stream', content })
    return `${ASSETS}/${name}`
  }
  const addHashed = async (name: string, path: string): Promise<string> => {
    const content = hashImports(await readFile(path), files.keys())
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const extension = extname(path)
    return add(`${name}.${hash}${extension}`, content)
  }
  const compiled = (name: string) => join(plugin, 'dist', 'shell', `${name}.js`)
  await addHashed('places', compiled('places'))
  const script = await addHashed('app', compiled('app'))
  const styles = await addHashed('app', join(plugin, 'shell', 'app.css'))
  const shared = JSON.parse(await readFile(join(ui, 'manifest.json'), 'utf8')) as UiManifest
  const names = (await readdir(ui)).filter((name) => extname(name) in TYPES)
  // These names hold their hash already, and they import each other by them.
  for (const name of names) add(name, await readFile(join(ui, name)))
  const declared = JSON.parse(await readFile(join(plugin, 'plugin.json'), 'utf8')) as PageManifest
  const pages: ShellPage[] = []
  for (const { id, title, element, nav } of declared.pages) {
    const path = join(plugin, 'dist', 'browser', 'pages', `${id}.js`)
    const module = await addHashed(id, path)
    pages.push({ id, title, element, module, isListed: nav !== undefined })
  }
  const imports = Object.entries(shared.imports).map(([name, file]) => [name, `${ASSETS}/${file}`])
  return {
    files,
    pages,
    imports: Object.fromEntries(imports),
    script,
    styles,
    icon: `${ASSETS}/${shared.icon}`
  }
}
