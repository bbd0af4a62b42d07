// Bundles the built-in engine, so that its process loads a few files where it would load two hundred.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join, relative } from 'node:path'

/** What others load or run: the package, its command, and the thread for long expressions. */
const ENTRIES = {
  index: 'index.js',
  bin: 'bin.js',
  'expression-worker': 'engine/expression-worker.js'
}

/**
 * Writes `local-mongo/dist/bundled` where a module has changed. `asModules` writes entries that load the modules one
 * by one, as coverage counts them.
 */
export async function bundleEngine(root, { asModules }) {
  const dist = join(root, 'local-mongo', 'dist')
  const folder = join(dist, 'bundled')
  const keyFile = `${folder}.key`
  const key = asModules ? 'modules' : keyOf(dist, folder)
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return
  rmSync(keyFile, { force: true })
  mkdirSync(folder, { recursive: true })
  const written = asModules ? writeEntries(folder) : await writeBundle(dist, folder)
  // Old files go last: an engine may be starting.
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name))
  writeFileSync(keyFile, key)
}

/** The time of each module: a transpiled module has the time of its source. */
function keyOf(dist, folder) {
  const modules = readdirSync(dist, { withFileTypes: true, recursive: true })
    .filter(({ name, parentPath }) => name.endsWith('.js') && parentPath !== folder)
    .filter(({ name }) => !/\.(test|fixture)\./.test(name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort()
  const hash = createHash('sha256')
  for (const path of modules) hash.update(`${relative(dist, path)} ${statSync(path).mtimeMs}\n`)
  return hash.digest('hex')
}

async function writeBundle(dist, folder) {
  const { build } = await import('rolldown')
  const input = Object.entries(ENTRIES).map(([name, path]) => [name, join(dist, path)])
  const { output } = await build({
    input: Object.fromEntries(input),
    platform: 'node',
    external: /^[^./]/,
    output: { dir: folder, format: 'esm' }
  })
  return new Set(output.map(({ fileName }) => fileName))
}

function writeEntries(folder) {
  const entries = Object.entries(ENTRIES).map(([name, path]) => [`${name}.js`, path])
  for (const [name, path] of entries)
    writeFileSync(join(folder, name), `export * from '../${path}'\n`)
  return new Set(entries.map(([name]) => name))
}
