// The standalone shell of the dashboard: what createDashboard makes of it, from a checkout and from its package.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { test } from 'tap'
import type { DashboardOptions } from '../dashboard.ts'
import { ADMIN, dashboardApp, fakeStore } from './fake-store.ts'

const folder = fileURLToPath(new URL('../../', import.meta.url))
const uiFolder = dirname(createRequire(import.meta.url).resolve('@keelson/ui/package.json'))

/** The addresses of everything that a document names, modules of pages included. */
function filesNamedIn(html: string): readonly string[] {
  const assets = [...html.matchAll(/"(_assets\/[^"]+)"/g)].map(([, name]) => `/telemetry/${name}`)
  const modules = [...html.matchAll(/"module":"([^"]+)"/g)].map(([, address]) => address)
  return [...new Set([...assets, ...modules])].filter((address) => address !== undefined)
}

test('every path outside /api is the shell, without a redirect', async (t) => {
  const app = await dashboardApp(fakeStore())
  for (const path of ['', '/', '/events', '/some/deep/path']) {
    const answer = await app.inject(`/telemetry${path}`)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.headers['content-security-policy'], "default-src 'self'")
    t.match(answer.body, '<base href="/telemetry/">')
    t.match(answer.body, '"mountPath":"/telemetry","apiBase":"/telemetry/api","title":"Telemetry"')
  }
  t.equal((await app.inject('/telemetry/_assets/none.js')).statusCode, 404)
})

/** The files of a package as npm would pack them, copied to a folder. */
function pack(from: string, to: string): void {
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: from,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [packed] = JSON.parse(text) as [{ files: { path: string }[] }]
  for (const { path } of packed.files) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(from, path), join(to, path))
  }
}

test('a packed dashboard serves its document and every file that the document names', async (t) => {
  // Below the repository: what the packages depend on is found in its node_modules.
  const root = t.testdir({})
  const packed = join(root, 'dashboard')
  const ui = join(root, 'node_modules', '@keelson', 'ui')
  pack(folder, packed)
  pack(uiFolder, ui)
  const entry = (await import(pathToFileURL(join(packed, 'dist', 'index.js')).href)) as {
    createDashboard(options: DashboardOptions): FastifyPluginAsync
  }
  const { telemetry, queries } = fakeStore()
  const viewerAdapter = { resolveViewer: () => ADMIN }
  const app = Fastify()
  t.teardown(() => app.close())
  const dashboard = entry.createDashboard({ telemetry, queries, viewerAdapter })
  await app.register(dashboard, { prefix: '/telemetry' })
  const { statusCode, body } = await app.inject('/telemetry/events')
  t.equal(statusCode, 200)
  const files = filesNamedIn(body)
  for (const name of ['document', 'icon', 'lit', 'shell', 'telemetry-dashboard.events']) {
    t.ok(
      files.some((address) => address.startsWith(`/telemetry/_assets/${name}.`)),
      name
    )
  }
  for (const address of files) {
    const answer = await app.inject(address)
    t.equal(answer.statusCode, 200, address)
    t.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.match(address, /\.[0-9a-f]{8,}\.(js|css|svg)$/)
  }
})
