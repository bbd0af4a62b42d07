// The sizes of what browsers load, against the committed limits.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { browserFolder, uiFolder } from './place.ts'
import { sizeAtOnce } from './size-at-once.ts'

const limits = JSON.parse(readFileSync(join(uiFolder, 'size-limits.json'), 'utf8')) as Record<
  'shell' | 'chart' | 'page' | 'embed',
  number
> & {
  /** Chunks that a page loads later, by their name without the hash. */
  readonly chunks: Readonly<Record<string, number>>
}
const sizeOf = (path: string) => gzipSync(readFileSync(path)).length

const manifest = JSON.parse(readFileSync(join(browserFolder, 'manifest.json'), 'utf8'))

test('the shell with Lit and all it needs at once keeps to its limit', async (t) => {
  const files: string[] = [manifest.shell, manifest.styles, ...manifest.preload]
  const size = files.reduce((sum, file) => sum + sizeOf(join(browserFolder, file)), 0)
  t.ok(size <= limits.shell, `${size} of ${limits.shell} bytes`)
})

test('the shell needs one more file at once, and the elements another', async (t) => {
  const elements = readFileSync(join(browserFolder, manifest.imports['@keelson/ui']), 'utf8')
  const imported = [...elements.matchAll(/from\s*"\.\/([^"]+)"/g)].map(([, name]) => name)
  t.equal(manifest.preload.length, 1)
  t.equal(new Set([...manifest.preload, ...imported]).size, 2)
})

test('the chart keeps to its limit', async (t) => {
  const size = sizeOf(join(browserFolder, manifest.imports['@keelson/ui/chart']))
  t.ok(size <= limits.chart, `${size} of ${limits.chart} bytes`)
})

/** Folders of built plugins beside this package, as far as there are any. */
function builtPlugins(): readonly string[] {
  const plugins = join(dirname(uiFolder), 'plugins')
  if (!existsSync(plugins)) return []
  return readdirSync(plugins, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && entry.name === 'plugin.json' && !entry.parentPath.includes('node_modules')
    )
    .map((entry) => join(entry.parentPath, 'dist', 'browser'))
    .filter((folder) => existsSync(folder))
}

test('each page and each embed file without its chart keeps to its limit', async (t) => {
  for (const folder of builtPlugins()) {
    for (const kind of ['page', 'embed'] as const) {
      const files = join(folder, kind === 'page' ? 'pages' : 'embed')
      for (const name of existsSync(files) ? readdirSync(files) : []) {
        // Neither the compressed copies nor chunks that are loaded later.
        if (!name.endsWith('.js') || /-[0-9a-f]{8}\.js$/.test(name)) continue
        const size = sizeAtOnce(join(files, name))
        t.ok(size <= limits[kind], `${kind} ${name}: ${size} of ${limits[kind]} bytes`)
      }
    }
  }
  t.ok(limits.page < limits.embed)
})

test('each chunk with its own limit keeps to it', async (t) => {
  const built = builtPlugins().flatMap((folder) => {
    const pages = join(folder, 'pages')
    return existsSync(pages) ? readdirSync(pages).map((name) => join(pages, name)) : []
  })
  for (const [chunk, limit] of Object.entries(limits.chunks)) {
    const files = built.filter(
      (path) => /-[0-9a-f]{8}\.js$/.test(path) && path.includes(`/${chunk}-`)
    )
    if (built.length > 0) t.equal(files.length, 1, `${chunk} is built once`)
    for (const path of files)
      t.ok(sizeOf(path) <= limit, `${chunk}: ${sizeOf(path)} of ${limit} bytes`)
  }
})
