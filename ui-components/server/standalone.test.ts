// The standalone shell over HTTP: its document, its files, and its answer before it is built.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { BROWSER_FILES, folderWith, PLUGIN_FILES } from './built-files.fixture.ts'
import { type StandaloneShellOptions, standaloneShell } from './standalone.ts'

async function start(t: Test, options: Partial<StandaloneShellOptions> = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  const { mountPath = '/notes' } = options
  await app.register(
    async (router) => {
      router.get('/api/items', () => ({ items: [] }))
      await router.register(
        standaloneShell({
          mountPath,
          title: 'Notes',
          folder: folderWith(t, PLUGIN_FILES),
          browserFolder: folderWith(t, BROWSER_FILES),
          ...options
        })
      )
    },
    { prefix: mountPath }
  )
  return app
}

const configOf = (html: string) =>
  JSON.parse(/id="keelson-config">([^<]*)<\/script>/.exec(html)?.[1] ?? '')

test('every path outside /api is the shell, and no copy of it is kept', async (t) => {
  const app = await start(t)
  for (const path of ['', '/', '/list', '/some/deep/path']) {
    const answer = await app.inject(`/notes${path}`)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' })
    t.match(answer.headers['content-security-policy'], "default-src 'self'")
    t.match(answer.body, '<base href="/notes/">')
  }
  t.same((await app.inject('/notes/api/items')).json(), { items: [] })
})

test('the config blob holds the mount, the API and the pages with their modules', async (t) => {
  const app = await start(t)
  const config = configOf((await app.inject('/notes')).body)
  t.match(config, { mountPath: '/notes', apiBase: '/notes/api', title: 'Notes' })
  t.match(config.nav.sections, [
    { title: 'Notes', pages: [{ id: 'list', path: '/notes/list', mount: '/notes' }] }
  ])
  t.match(config.nav.hidden, [{ id: 'note' }])
  t.notOk('viewer' in config.nav || 'routes' in config.nav)
  const { module } = config.nav.sections[0].pages[0]
  t.match(module, /^\/notes\/_assets\/notes\.list\.[0-9a-f]{12}\.js$/)
  const answer = await app.inject(module)
  t.match(answer.body, 'notes-list')
  t.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
})

test('pages of a plugin beside it are in the navigation, at addresses of their own', async (t) => {
  const beside = folderWith(t, {
    'plugin.json': JSON.stringify({
      id: 'tasks',
      pages: [
        {
          id: 'board',
          title: 'Board',
          element: 'tasks-board',
          module: './board.js',
          role: 'viewer',
          at: '/notes/board',
          nav: { section: 'Notes', order: 5000 }
        }
      ]
    }),
    'board.js': 'tasks-board'
  })
  const app = await start(t, { mountPath: '/shop/notes', prefix: '/shop', moreFolders: [beside] })
  const { nav } = configOf((await app.inject('/shop/notes/board')).body)
  t.equal(nav.prefix, '/shop')
  const page = nav.sections[0].pages.at(-1)
  t.match(page, { id: 'board', plugin: 'tasks', path: '/shop/notes/board' })
  t.equal((await app.inject(page.module)).body, 'tasks-board')
})

test('an API elsewhere is where the pages call, and the policy allows its origin', async (t) => {
  const app = await start(t, { apiBase: 'https://api.example/notes' })
  const answer = await app.inject('/notes')
  const { apiBase, nav } = configOf(answer.body)
  t.equal(apiBase, 'https://api.example/notes/api')
  t.equal(nav.sections[0].pages[0].api, 'https://api.example/notes')
  t.equal(nav.hidden[0].api, 'https://api.example/notes')
  t.match(answer.headers['content-security-policy'], "connect-src 'self' https://api.example;")
})

test('at the root it has the whole host', async (t) => {
  const app = await start(t, { mountPath: '' })
  const answer = await app.inject('/list')
  t.match(configOf(answer.body).nav.sections[0].pages[0], { path: '/list', mount: '/' })
  t.match(answer.body, '<base href="/">')
})

test('files are immutable and compressed for clients that take it', async (t) => {
  const app = await start(t)
  const { body } = await app.inject('/notes')
  const names = [...new Set([...body.matchAll(/"(_assets\/[^"]+)"/g)].map(([, name]) => `${name}`))]
  t.ok(names.length >= 4)
  for (const name of names) {
    const answer = await app.inject(`/notes/${name}`)
    t.equal(answer.statusCode, 200, name)
    t.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
  const ask = (encodings: string) =>
    app.inject({
      url: '/notes/_assets/lit.11111111.js',
      headers: { 'accept-encoding': encodings }
    })
  for (const [encodings, used] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined]
  ] as const) {
    const answer = await ask(encodings)
    t.equal(answer.headers['content-encoding'], used, encodings)
    t.match(answer.headers, { vary: /accept-encoding/i, 'content-type': /javascript/ })
  }
})

test('a missing file is 404 and never the shell', async (t) => {
  const app = await start(t)
  for (const name of ['none.js', '', 'manifest.json', '../plugin.json', '%2e%2e%2fplugin.json']) {
    const answer = await app.inject(`/notes/_assets/${name}`)
    t.notMatch(answer.body, 'notes-note"}')
    if (answer.statusCode !== 404) t.match(answer.headers['content-type'], /^text\/html/, name)
  }
  const missing = await app.inject('/notes/_assets/none.js')
  t.same(
    [missing.statusCode, missing.json()],
    [404, { error: 'not_found', code: 'not_found', message: 'There is no such file.' }]
  )
})

test('before it is built the shell says how, and finds the build without a new start', async (t) => {
  const browserFolder = join(tmpdir(), `keelson-not-built-${process.pid}`)
  t.teardown(() => rmSync(browserFolder, { recursive: true, force: true }))
  const app = await start(t, { browserFolder })
  const before = await app.inject('/notes/list')
  t.equal(before.statusCode, 503)
  t.match(before.headers['content-type'], /^text\/plain/)
  t.match(before.body, /npm run build/)
  mkdirSync(browserFolder)
  for (const [name, text] of Object.entries(BROWSER_FILES)) {
    writeFileSync(join(browserFolder, name), text)
  }
  t.equal((await app.inject('/notes/list')).statusCode, 200)
})

test('a folder without plugin.json is an error at registration', async (t) => {
  await t.rejects(start(t, { folder: folderWith(t, {}) }), { code: 'ENOENT' })
})

test('a host that serves its own files with @fastify/static keeps them', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(fastifyStatic, { root: folderWith(t, { 'own.txt': 'own' }), prefix: '/own/' })
  await app.register(
    standaloneShell({
      mountPath: '/notes',
      title: 'Notes',
      folder: folderWith(t, PLUGIN_FILES),
      browserFolder: folderWith(t, BROWSER_FILES)
    }),
    { prefix: '/notes' }
  )
  t.equal((await app.inject('/own/own.txt')).body, 'own')
  t.equal((await app.inject('/notes/_assets/lit.11111111.js')).statusCode, 200)
})
