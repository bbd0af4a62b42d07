// Builds the pages of a plugin, each for the shell and self-contained for other admin UIs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle } from './bundle.ts'
import { writeFolder } from './write-folder.ts'

export interface PageManifest {
  readonly id: string
  readonly pages?: readonly { readonly id: string; readonly embed?: boolean }[]
}

export interface BuildPagesOptions {
  /** The plugin's folder: where `plugin.json` lies. */
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

/** What the shell brings along. */
const SHARED = [/^lit(\/|$)/, /^@keelson\/ui(\/|$)/]

/**
 * Reads `dist/pages/<id>/page.js` of each page and writes `dist/browser/pages/<id>.js` and
 * `dist/browser/embed/<id>.js`.
 *
 * @throws Error naming plugin and page when a page is not compiled or imports what is not there.
 */
export async function buildPages(options: BuildPagesOptions): Promise<readonly BuiltPage[]> {
  const manifest = options.manifest ?? readPageManifest(options.folder)
  const files: Record<string, string> = {}
  const built: BuiltPage[] = []
  for (const { id, embed = true } of manifest.pages ?? []) {
    const subject = `page ${id} of ${manifest.id}`
    const input = { [id]: sourceOf(options.folder, id, subject) }
    const inShell = await bundle({
      input,
      external: SHARED,
      entryNames: 'pages/[name].js',
      chunkNames: 'pages/[name].js',
      subject
    })
    const alone = embed ? await buildEmbed(input, id, subject) : []
    if (inShell.length > 1) {
      throw new Error(`${subject}: a page is one module. Import statically what it needs.`)
    }
    for (const { fileName, code } of [...inShell, ...alone]) files[fileName] = code
    const sizeOf = (path: string) => gzipSync(files[path] ?? '').length
    built.push({
      page: id,
      size: sizeOf(`pages/${id}.js`),
      embedSize: embed ? sizeOf(`embed/${id}.js`) : undefined
    })
  }
  writeFolder(join(options.folder, 'dist', 'browser'), files)
  return built
}

function buildEmbed(input: Readonly<Record<string, string>>, id: string, subject: string) {
  return bundle({
    input,
    entryNames: 'embed/[name].js',
    chunkNames: `embed/${id}-[name]-[hash].js`,
    subject: `${subject}, embedded`
  })
}

function sourceOf(folder: string, id: string, subject: string): string {
  const path = join(folder, 'dist', 'pages', id, 'page.js')
  if (!existsSync(path)) {
    throw new Error(`${subject}: ${path} is missing. Write pages/${id}/page.ts and compile it.`)
  }
  return path
}

/** The part of `plugin.json` that says which pages there are. */
export function readPageManifest(folder: string): PageManifest {
  return JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as PageManifest
}
