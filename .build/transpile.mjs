// Transpiles every TypeScript source whose output is missing or older; checks no types.
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
import { basename, dirname, join, relative } from 'node:path'
import { transformSync } from 'oxc-transform'

const SKIPPED = new Set(['node_modules', 'dist', 'template'])
const OUTPUT = /\.(js|js\.map|json)$/

/** Folders that compile into their own `dist/`: the workspaces, and the tests of the whole. */
export function sourceFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return [...workspaces, 'test']
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, 'tsconfig.json')))
}

/** Returns how many sources there are and how many of them were transpiled now. */
export function transpile(root) {
  const folders = sourceFolders(root)
  const counts = { sources: 0, written: 0 }
  for (const folder of folders) {
    const outputs = new Map()
    for (const source of sourcesBelow(folder, folders)) {
      const output = join(folder, 'dist', relative(folder, source).replace(/\.tsx?$/, '.js'))
      outputs.set(output, source)
    }
    removeOrphans(join(folder, 'dist'), outputs)
    for (const [output, source] of outputs) {
      counts.sources++
      if (isFresh(source, output)) continue
      write(source, output)
      counts.written++
    }
  }
  return counts
}

function sourcesBelow(folder, roots) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return isSource(entry.name) ? [path] : []
    return SKIPPED.has(entry.name) || roots.includes(path) ? [] : sourcesBelow(path, roots)
  })
}

function isSource(name) {
  return (/\.tsx?$/.test(name) && !name.endsWith('.d.ts')) || name === 'plugin.json'
}

/** An output carries the time of its source: a checkout of an older source makes it stale, too. */
function isFresh(source, output) {
  const written = statSync(output, { throwIfNoEntry: false })
  if (written === undefined) return false
  return Math.abs(written.mtimeMs - statSync(source).mtimeMs) < 1
}

function write(source, output) {
  mkdirSync(dirname(output), { recursive: true })
  if (basename(source) === 'plugin.json') copyFileSync(source, output)
  else writeFileSync(output, transpiled(source, output))
  const { atime, mtime } = statSync(source)
  utimesSync(output, atime, mtime)
}

function transpiled(source, output) {
  const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), {
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

/** Removes outputs whose source is gone, so that a deleted test or module does not live on. */
function removeOrphans(dist, outputs) {
  if (!existsSync(dist)) return
  for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !OUTPUT.test(entry.name) || path.startsWith(join(dist, 'browser')))
      continue
    if (!outputs.has(path.replace(/\.map$/, ''))) rmSync(path)
  }
}
