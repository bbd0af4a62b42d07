// Builds what is stale and nothing else: TypeScript first, then the browser files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { newestChange, writtenAt } from './stale.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isSource = (name) =>
  name.endsWith('.ts') || name === 'tsconfig.json' || name === 'plugin.json'

/** Compiles when a source is newer than the last good compile. Returns whether it had to. */
export function compile() {
  const stamp = join(root, 'node_modules', '.keelson', 'compiled')
  const newest = Math.max(
    newestChange(root, isSource),
    writtenAt(join(root, '.tsconfig.base.json')),
    writtenAt(join(root, 'package-lock.json'))
  )
  if (writtenAt(stamp) >= newest && existsSync(join(root, 'kernel', 'dist', 'index.js')))
    return false
  const startedAt = new Date()
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  // The kernel by itself first: one run remembers that its output was not there, and then nobody
  // finds it.
  for (const project of ['kernel', '.']) {
    const options = { cwd: root, stdio: ['ignore', 2, 2] }
    const { status } = spawnSync(process.execPath, [tsc, '-b', project], options)
    if (status !== 0) throw new Error('The TypeScript build failed: see the messages above.')
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, startedAt.toISOString())
  return true
}

/** The folders of the repository's plugins that have pages. */
export function pageFolders() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return workspaces
    .map((name) => join(root, name))
    .filter((folder) => {
      const manifest = join(folder, 'plugin.json')
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).pages?.length > 0
    })
}

export async function build() {
  compile()
  const { buildStale } = await import(
    pathToFileURL(join(root, 'ui-components/dist/build/index.js'))
  )
  await buildStale(pageFolders())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
