// Builds what is stale and nothing else: transpiles TypeScript, then bundles the browser files.
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEngine } from './bundle-engine.mjs'
import { bundleTypebox } from './bundle-typebox.mjs'
import { packTemplates } from './templates.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SCHEMA = 'plugin-manifest.schema.json'

/** The folders of the plugins of this repository that have pages; those of examples are tested in a browser, too. */
export function pageFolders() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return workspaces
    .map((name) => join(root, name))
    .filter((folder) => {
      const manifest = join(folder, 'plugin.json')
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).pages?.length > 0
    })
}

/** Prints one line for each step that had something to do. */
export async function build({ forCoverage = false } = {}) {
  const { transpile } = await import('./transpile.mjs')
  const transpiled = await timed(() => transpile(root))
  if (transpiled.result.written > 0) {
    const { written, sources } = transpiled.result
    print(`Transpiled ${written} of ${sources} modules in ${transpiled.seconds} s`)
  }
  await bundleTypebox(root)
  await bundleEngine(root, { asModules: forCoverage })
  copySchema()
  packTemplates(root)
  const entry = pathToFileURL(join(root, 'ui-components', 'build', 'dist', 'index.js'))
  const { buildAll } = await import(entry)
  const bundled = await timed(() => buildAll({ folders: pageFolders() }))
  if (bundled.result > 0) print(`Bundled ${bundled.result} pages in ${bundled.seconds} s`)
}

function print(line) {
  process.stderr.write(`${line}\n`)
}

/** The SDK's package carries the schema of manifests, so that `$schema` of plugins has a path. */
function copySchema() {
  const [from, to] = [join(root, SCHEMA), join(root, 'sdk', SCHEMA)]
  const isCopied = existsSync(to) && readFileSync(to, 'utf8') === readFileSync(from, 'utf8')
  if (!isCopied) copyFileSync(from, to)
}

async function timed(work) {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
