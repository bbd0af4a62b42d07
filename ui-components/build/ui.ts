// Builds what the shell and its pages share: Lit, the elements, the chart, the shell itself.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { UiManifest } from '@keelson/ui'
import { BRAND_FILE } from '@keelson/ui/shell/brand-file'
import { DOCUMENT_STYLES } from '@keelson/ui/shell/document-styles'
import type { CodeSplittingGroup, OutputChunk } from 'rolldown'
import { bundle } from './bundle.ts'
import { remember } from './cache.ts'
import { buildMode } from './mode.ts'
import { browserFolder, uiFolder } from './place.ts'
import { writeFiles } from './write-files.ts'

/** The record of this build. */
export const UI_RECORD = join(browserFolder, 'inputs.json')

/** The key that the record is written under. */
export const uiKey = (): string => `ui, ${buildMode()}, ${OWN_NAMES.join(' ')}`

/** What @keelson/ui shares under names of its own. */
const OWN_NAMES: readonly string[] = ['', '/chart', '/german', '/settings', '/views'].map(
  (part) => `@keelson/ui${part}`
)

/** Files of @keelson/ui that are read but not bundled. */
const BRAND_MODULE = join(uiFolder, 'dist', 'shell', 'brand-file.js')
const STYLES_MODULE = join(uiFolder, 'dist', 'shell', 'document-styles.js')

/** Starts the shell. */
const SHELL_MODULE = join(uiFolder, 'dist', 'shell', 'main.js')

/** Bare names that a page may import without bringing them along. */
export function sharedNames(): readonly string[] {
  const own = createRequire(join(uiFolder, 'package.json'))
  const lit = dirname(own.resolve('lit'))
  const { exports } = JSON.parse(readFileSync(join(lit, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const directives = Object.keys(exports).filter((name) => name.startsWith('./directives/'))
  return ['lit', ...directives.map((name) => `lit${name.slice(1)}`), ...OWN_NAMES]
}

/** Builds into `dist/browser`. The names of the files hold the hash of their content. */
export async function buildUi(): Promise<void> {
  const names = sharedNames()
  const input = Object.fromEntries(names.map((name) => [entryName(name), moduleOf(name)]))
  const { chunks, inputs } = await bundle({
    input: { ...input, shell: SHELL_MODULE },
    entryNames: '[name].[hash].js',
    chunkNames: 'shared.[hash].js',
    entries: 'shared',
    groups: sharedGroups(),
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
  removeOldFiles(files)
  writeFiles(browserFolder, files)
  remember(UI_RECORD, {
    key: uiKey(),
    inputs: [...inputs, BRAND_MODULE, STYLES_MODULE],
    outputs: Object.keys(files)
  })
}

/** Names hold the hash of the content: files of an earlier build would stay for ever. */
function removeOldFiles(files: Readonly<Record<string, string>>): void {
  if (!existsSync(browserFolder)) return
  for (const name of readdirSync(browserFolder)) {
    if (!Object.hasOwn(files, name.replace(/\.(br|gz)$/, ''))) rmSync(join(browserFolder, name))
  }
}

/**
 * What several entries use is in two chunks, because a request takes longer than most modules: what the shell needs
 * is in the first, what only pages do in the second. A catalog of texts is in neither: few readers load it.
 */
function sharedGroups(): CodeSplittingGroup[] {
  const group = { minShareCount: 2, test: (id: string) => !/\.de\.json$/.test(id) }
  let ofShell: ReadonlySet<string> | undefined
  return [
    {
      ...group,
      priority: 1,
      debugName: 'shell',
      name(id, graph) {
        const importsOf = (each: string) => graph.getModuleInfo(each)?.importedIds ?? []
        ofShell ??= importedBy(realpathSync(SHELL_MODULE), importsOf)
        return ofShell.has(id) ? 'shell' : null
      }
    },
    { ...group, name: 'pages' }
  ]
}

/** The id, and those that it imports at once. */
function importedBy(id: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([id])
  for (const each of found) for (const next of importsOf(each)) found.add(next)
  return found
}

const entryName = (name: string): string =>
  name.replace('@keelson/', '').replace(/\.js$/, '').replaceAll('/', '-')

function moduleOf(name: string): string {
  if (name === '@keelson/ui') return join(uiFolder, 'dist', 'index.js')
  const part = /^@keelson\/ui\/(chart|german|settings|views)$/.exec(name)?.[1]
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
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const found = importedBy(chunk.fileName, (name) => importsOf.get(name) ?? [])
  return [...found].filter((name) => name !== chunk.fileName && importsOf.has(name))
}
