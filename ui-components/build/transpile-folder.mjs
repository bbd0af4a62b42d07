// Transpiles the TypeScript of a folder into its dist; checks no types. Plain JavaScript, because it also
// transpiles the package that it belongs to.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { transformSync } from 'rolldown/utils'

const SKIPPED = new Set(['node_modules', 'dist', 'coverage'])

/**
 * Transpiles every source that has no output or a different time than its output, and copies
 * `plugin.json` and the catalogs of texts. Modules whose TypeScript source is gone are removed. Returns how many sources there are
 * and how many of them were written now.
 *
 * @throws Error naming the file and the place of a syntax error
 */
export function transpileFolder(folder, { except = [] } = {}) {
  const dist = join(folder, 'dist')
  const outputs = new Map()
  for (const source of sourcesBelow(folder, except)) {
    outputs.set(join(dist, relative(folder, source).replace(/\.tsx?$/, '.js')), source)
  }
  removeOrphans(dist, outputs)
  const stale = [...outputs].filter(([output, source]) => !isFresh(source, output))
  for (const [output, source] of stale) write(source, output)
  return { sources: outputs.size, written: stale.length }
}

function sourcesBelow(folder, except) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return isSource(entry.name) ? [path] : []
    const isSkipped = SKIPPED.has(entry.name) || entry.name.startsWith('.')
    return isSkipped || except.includes(path) ? [] : sourcesBelow(path, except)
  })
}

function isSource(name) {
  return (/\.tsx?$/.test(name) && !name.endsWith('.d.ts')) || isCopied(name)
}

/** Manifests and catalogs of texts: `texts.de.json`. */
const isCopied = (name) => name === 'plugin.json' || /\.[a-z]{2}\.json$/.test(name)

/** An output carries the time of its source: a checkout of an older source makes it stale, too. */
function isFresh(source, output) {
  const written = statSync(output, { throwIfNoEntry: false })
  if (written === undefined) return false
  return Math.abs(written.mtimeMs - statSync(source).mtimeMs) < 1
}

function write(source, output) {
  mkdirSync(dirname(output), { recursive: true })
  if (isCopied(basename(source))) copyFileSync(source, output)
  else writeFileSync(output, transpiled(source, output))
  const { atime, mtime } = statSync(source)
  utimesSync(output, atime, mtime)
}

function transpiled(source, output) {
  const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), {
    tsconfig: false,
    sourcemap: true,
    target: 'es2023',
    jsx: { runtime: 'automatic' },
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true }
  })
  const [error] = errors
  if (error !== undefined) throw new Error(`${source}: ${error.message}\n${error.codeframe ?? ''}`)
  map.sources = [relative(dirname(output), source)]
  delete map.sourcesContent
  writeFileSync(`${output}.map`, JSON.stringify(map))
  return `${code}//# sourceMappingURL=${basename(output)}.map\n`
}

/** Removes modules whose source is gone, so that a deleted test does not go on running. */
function removeOrphans(dist, outputs) {
  if (!existsSync(dist)) return
  for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !entry.name.endsWith('.js') || outputs.has(path)) continue
    if (!isOrphan(path)) continue
    for (const ending of ['', '.map']) rmSync(`${path}${ending}`, { force: true })
  }
}

/** Whether the source map of a module names one TypeScript source, and that one does not exist. */
function isOrphan(path) {
  if (!existsSync(`${path}.map`)) return false
  const { sources = [] } = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  const [source = '', ...others] = sources
  return (
    others.length === 0 && /\.tsx?$/.test(source) && !existsSync(resolve(dirname(path), source))
  )
}
