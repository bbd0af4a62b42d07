// Builds what the shell and its pages share: Lit, the elements, the chart, the shell itself.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { OutputChunk } from 'rollup'
import { BRAND_FILE } from '../shell/brand-file.ts'
import { DOCUMENT_STYLES } from '../shell/document-styles.ts'
import { bundle } from './bundle.ts'
import { browserFolder, uiFolder } from './place.ts'
import { writeFolder } from './write-folder.ts'

/** `dist/browser/manifest.json`: what the kernel needs to serve these files. */
export interface UiManifest {
  /** Bare name → file: the import map. */
  readonly imports: Readonly<Record<string, string>>
  /** The module that starts the shell, and those it needs at once. */
  readonly shell: string
  readonly preload: readonly string[]
  readonly styles: string
  readonly icon: string
}

/** Bare names that a page may import without bringing them along. */
export function sharedNames(): readonly string[] {
  const own = createRequire(join(uiFolder, 'package.json'))
  const lit = dirname(own.resolve('lit'))
  const { exports } = JSON.parse(readFileSync(join(lit, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const directives = Object.keys(exports).filter((name) => name.startsWith('./directives/'))
  return [
    'lit',
    ...directives.map((name) => `lit${name.slice(1)}`),
    '@keelson/ui',
    '@keelson/ui/chart',
    '@keelson/ui/views'
  ]
}

/** Builds into `dist/browser`. The names of the files hold the hash of their content. */
export async function buildUi(): Promise<void> {
  const names = sharedNames()
  const input = Object.fromEntries(names.map((name) => [entryName(name), moduleOf(name)]))
  const chunks = await bundle({
    input: { ...input, shell: join(uiFolder, 'dist', 'shell', 'main.js') },
    entryNames: '[name].[hash].js',
    chunkNames: 'shared.[hash].js',
    subject: '@keelson/ui'
  })
  const files: Record<string, string> = {}
  for (const { fileName, code } of chunks) files[fileName] = code
  const styles = hashedName('document', DOCUMENT_STYLES, 'css')
  const icon = hashedName('icon', BRAND_FILE, 'svg')
  files[styles] = DOCUMENT_STYLES
  files[icon] = BRAND_FILE
  const shell = chunkNamed(chunks, 'shell')
  const manifest: UiManifest = {
    imports: Object.fromEntries(
      names.map((name) => [name, chunkNamed(chunks, entryName(name)).fileName])
    ),
    shell: shell.fileName,
    preload: neededBy(shell, chunks),
    styles,
    icon
  }
  files['manifest.json'] = `${JSON.stringify(manifest, null, 2)}\n`
  writeFolder(browserFolder, files)
}

const entryName = (name: string): string =>
  name.replace('@keelson/', '').replace(/\.js$/, '').replaceAll('/', '-')

function moduleOf(name: string): string {
  if (name === '@keelson/ui') return join(uiFolder, 'dist', 'index.js')
  const part = /^@keelson\/ui\/(chart|views)$/.exec(name)?.[1]
  return part === undefined ? name : join(uiFolder, 'dist', part, 'index.js')
}

function hashedName(name: string, content: string, extension: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return `${name}.${hash}.${extension}`
}

function chunkNamed(chunks: readonly OutputChunk[], name: string): OutputChunk {
  const found = chunks.find((chunk) => chunk.isEntry && chunk.name === name)
  if (found === undefined) throw new Error(`@keelson/ui: the build has no entry ${name}.`)
  return found
}

/** The chunks that a chunk imports, and those that they import. */
export function neededBy(chunk: OutputChunk, chunks: readonly OutputChunk[]): readonly string[] {
  const found = new Set<string>()
  const visit = ({ imports }: OutputChunk): void => {
    for (const name of imports) {
      const next = chunks.find(({ fileName }) => fileName === name)
      if (next === undefined || found.has(name)) continue
      found.add(name)
      visit(next)
    }
  }
  visit(chunk)
  return [...found]
}
