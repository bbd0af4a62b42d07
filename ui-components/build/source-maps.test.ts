// Measured builds, and what is written about pages that run them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { buildPages } from './pages.ts'
import { pluginFolder } from './plugin-folder.fixture.ts'

tap.teardown(closeBrowser)

const SOURCE = `export function used(): number {
  return 1
}

export function unused(): number {
  return 2
}
`
const FILES = {
  'plugin.json': JSON.stringify({ id: 'notes', pages: [{ id: 'list', embed: false }] }),
  'pages/list/page.ts': SOURCE,
  'dist/pages/list/page.js':
    'export function used() {\n  return 1\n}\nexport function unused() {\n  return 2\n}\n',
  'dist/pages/list/page.js.map': JSON.stringify({
    version: 3,
    sources: ['../../../pages/list/page.ts'],
    names: [],
    mappings: 'AAAA;AACA;AACA;AAEA;AACA;AACA'
  })
}

/** Sets variables of the environment until the test ends. */
function setEnv(
  t: { teardown(fn: () => void): void },
  values: Readonly<Record<string, string>>
): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name]
    process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

test(
  'what a browser runs of a measured build is counted by its sources',
  browserOptions,
  async (t) => {
    const counts = mkdtempSync(join(tmpdir(), 'keelson-counts-'))
    t.teardown(() => rmSync(counts, { recursive: true }))
    setEnv(t, { KEELSON_PAGE_MAPS: '1', NODE_V8_COVERAGE: counts })
    const folder = pluginFolder(t, FILES)
    await buildPages({ folder })
    const script = readFileSync(join(folder, 'dist', 'browser', 'pages', 'list.js'), 'utf8')
    const server = createServer(({ url }, reply) => {
      const isScript = url === '/list.js'
      reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      reply.end(
        isScript ? script : '<script type="module">import { used } from "/list.js"; used()</script>'
      )
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    t.teardown(() => server.close())
    await t.test('in a page', async (inner) => {
      const { page } = await openPage(inner)
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      await page.waitForLoadState('networkidle')
    })
    const [name = ''] = readdirSync(counts).filter((file) => file.includes('-page-'))
    const { result, 'source-map-cache': maps } = JSON.parse(
      readFileSync(join(counts, name), 'utf8')
    )
    const [counted] = result
    t.match(counted.url, /coverage\/list\.js$/)
    t.same(
      counted.functions
        .filter(({ functionName }: { functionName: string }) => functionName !== '')
        .map(({ functionName, ranges }: { functionName: string; ranges: { count: number }[] }) => [
          functionName,
          ranges[0]?.count
        ]),
      [
        ['used', 1],
        ['unused', 0]
      ]
    )
    t.match(maps[counted.url].data, {
      sources: [join(folder, 'pages', 'list', 'page.ts')],
      sourcesContent: [SOURCE]
    })
  }
)
