// The standalone shell: its document, its files, and what it says before it is built.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { type AssetFolders, installedFolders, readAssets } from '../shell/assets.ts'
import { renderDocument } from '../shell/document.ts'
import { placeOf } from '../shell/places.ts'
import { builtFolders } from './built-folders.ts'
import { dashboardApp, fakeStore } from './fake-store.ts'

const page = (id: string) => ({
  id,
  title: id,
  element: `x-${id}`,
  module: `_assets/${id}.js`,
  isListed: true
})
const options = {
  mountPath: '/telemetry',
  apiBase: '/telemetry/api',
  title: 'Telemetry',
  pages: [page('events')],
  imports: { lit: '_assets/lit.js' },
  script: '_assets/app.js',
  styles: '_assets/app.css',
  icon: '_assets/icon.svg'
}

test('the document has a base, a config blob and relative references', async (t) => {
  const { html } = renderDocument(options)
  t.match(html, '<base href="/telemetry/">')
  const blob = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  t.match(JSON.parse(blob), {
    mountPath: '/telemetry',
    apiBase: '/telemetry/api',
    title: 'Telemetry'
  })
  for (const [, reference] of html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)) {
    t.match(reference, /^_assets\//)
  }
})

test('at the root the base is the root', async (t) => {
  t.match(renderDocument({ ...options, mountPath: '' }).html, '<base href="/">')
})

test('nothing of the options can end its element or attribute', async (t) => {
  const evil = '</script><script>alert(1)</script>"\'&'
  const { html } = renderDocument({ ...options, title: evil })
  t.notMatch(html, '<script>alert')
  t.match(html, '&lt;/script&gt;')
})

test('the policy allows the import map by its hash and no other inline script', async (t) => {
  const { policy } = renderDocument(options)
  t.match(policy, /^default-src 'self'; script-src 'self' 'sha256-[A-Za-z0-9+/=]{44}';/)
  t.notMatch(policy, 'unsafe')
})

test('an API of another origin may be called, and nothing else of it', async (t) => {
  const { policy } = renderDocument({ ...options, apiBase: 'https://api.example/telemetry/api' })
  t.match(policy, "connect-src 'self' https://api.example;")
  t.equal(policy.match(/api\.example/g)?.length, 1)
})

test('an address below a page is that page, any other the first', async (t) => {
  const pages = [page('overview'), page('events')]
  const at = (path: string, mount = '/telemetry') => {
    const place = placeOf(path, mount, pages)
    return [place?.page.id, place?.path, place?.sub]
  }
  t.same(at('/telemetry'), ['overview', '/telemetry', ''])
  t.same(at('/telemetry/events'), ['events', '/telemetry/events', ''])
  t.same(at('/telemetry/events/a/b'), ['events', '/telemetry/events', '/a/b'])
  t.same(at('/telemetry/none'), ['overview', '/telemetry', ''])
  t.same(at('/events', ''), ['events', '/events', ''])
  t.same(at('/', ''), ['overview', '/', ''])
  t.equal(placeOf('/telemetry', '/telemetry', []), undefined)
})

test('every path outside /api is the shell, and no copy of it is kept', async (t) => {
  const app = await dashboardApp(fakeStore(), { assets: await builtFolders(t) })
  for (const path of ['', '/', '/events', '/some/deep/path']) {
    const answer = await app.inject(`/telemetry${path}`)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.headers['content-type'], /^text\/html/)
    t.equal(answer.headers['cache-control'], 'no-store')
    t.match(answer.headers['content-security-policy'], "default-src 'self'")
    t.match(answer.body, '<base href="/telemetry/">')
  }
})

test('the files that the document names are there, hashed, for a year', async (t) => {
  const app = await dashboardApp(fakeStore(), { assets: await builtFolders(t) })
  const { body } = await app.inject('/telemetry/events')
  const names = [...new Set([...body.matchAll(/_assets\/[^"]+/g)].map(([name]) => name))]
  t.ok(names.length >= 5)
  for (const name of names) {
    const answer = await app.inject(`/telemetry/${name}`)
    t.equal(answer.statusCode, 200, name)
    t.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.match(name, /\.[0-9a-f]{8,}\.(js|css|svg)$/)
  }
})

test('modules name their neighbours with the hash', async (t) => {
  const assets = await readAssets(await builtFolders(t))
  const script = assets?.files.get(assets.script.replace('_assets/', ''))?.content.toString()
  const [, neighbour] = /from "\.\/(places\.[0-9a-f]+\.js)"/.exec(script ?? '') ?? []
  t.ok(assets?.files.has(neighbour ?? ''))
})

test('a missing file is 404 and never the shell', async (t) => {
  const app = await dashboardApp(fakeStore(), { assets: await builtFolders(t) })
  for (const name of ['none.js', '', '../plugin.json', '%2e%2e/plugin.json']) {
    const answer = await app.inject(`/telemetry/_assets/${name}`)
    t.notMatch(answer.body, 'manifestVersion')
    if (answer.statusCode !== 404) t.match(answer.headers['content-type'], /^text\/html/)
  }
  t.equal((await app.inject('/telemetry/_assets/none.js')).statusCode, 404)
})

test('before it is built the shell says how, and finds the build without a new start', async (t) => {
  const empty = await mkdtemp(join(tmpdir(), 'keelson-dashboard-'))
  t.teardown(() => rm(empty, { recursive: true }))
  const folders: { -readonly [K in keyof AssetFolders]: string } = { plugin: empty, ui: empty }
  const app = await dashboardApp(fakeStore(), { assets: folders })
  const before = await app.inject('/telemetry/events')
  t.equal(before.statusCode, 503)
  t.match(before.headers['content-type'], /^text\/plain/)
  t.match(before.body, /npm run build/)
  Object.assign(folders, await builtFolders(t))
  t.equal((await app.inject('/telemetry/events')).statusCode, 200)
})

test('a build that cannot be read is an error, not a missing build', async (t) => {
  const folders = await builtFolders(t)
  await t.rejects(readAssets({ ...folders, ui: join(folders.plugin, 'plugin.json') }), {
    code: 'ENOTDIR'
  })
})

test('the installed packages are found', async (t) => {
  const { plugin, ui } = installedFolders()
  t.match(plugin, /telemetry-dashboard\/$/)
  t.match(ui, /dist\/browser$/)
})
