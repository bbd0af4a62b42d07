// The shell over HTTP: documents, navigation, files, and who gets what.
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { acceptCrossOrigin } from '@keelson/sdk'
import Fastify from 'fastify'
import { test } from 'tap'
import { kernelAddresses } from '../platform/kernel-addresses.ts'
import { embedPolicy } from './embeds.ts'
import { registerShell } from './shell.ts'
import {
  ADMIN,
  build,
  folderWith,
  HTML,
  PAGE_FILES,
  PERSON,
  samplePages,
  UI_FILES
} from './testing/sample-shell.ts'

test('a page is a document that is not kept, with a strict policy and its mount as base', async (t) => {
  const { app } = await build(t)
  const answer = await app.inject({ url: '/notes/list?range=7d', headers: HTML })
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' })
  const policy = String(answer.headers['content-security-policy'])
  t.match(policy, /default-src 'self'/)
  t.equal(/unsafe/.test(policy), false)
  t.match(answer.body, /<base href="\/notes\/">/)
  t.match(answer.body, /<title>list · Acme &lt;Ltd&gt;<\/title>/)
  t.match(answer.body, /<html lang="en-GB" data-time-zone="UTC">/)
})

test('an API below a page is not answered with the page', async (t) => {
  const { app } = await build(t)
  const answer = await app.inject({ url: '/notes/list/api/none', headers: HTML })
  t.equal(answer.statusCode, 404)
  t.match(answer.json(), { error: 'not_found' })
})

test('the one inline script is the import map, let in by its hash', async (t) => {
  const { app } = await build(t)
  const { body, headers } = await app.inject({ url: '/notes/list', headers: HTML })
  const map = /<script type="importmap">(.*?)<\/script>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(map).digest('base64')
  t.ok(String(headers['content-security-policy']).includes(`'sha256-${hash}'`))
  t.same(JSON.parse(map), {
    imports: { lit: './_assets/lit.11111111.js', '@keelson/ui': './_assets/ui.22222222.js' }
  })
  const inline = [...body.matchAll(/<script(?![^>]*\ssrc=)[^>]*type="([^"]+)"/g)].map(
    ([, type]) => type
  )
  t.same(inline, ['importmap', 'application/json'])
})

test('every file is named relative to the mount', async (t) => {
  const { app } = await build(t)
  const { body } = await app.inject({ url: '/notes/list', headers: HTML })
  const names = [...body.matchAll(/<(?:script|link)\b[^>]*?\s(?:src|href)="([^"]+)"/g)].map(
    ([, name]) => name
  )
  t.same(names, [
    '_assets/icon.55555555.svg',
    '_assets/document.44444444.css',
    '_assets/lit.11111111.js',
    '_assets/shell.33333333.js'
  ])
})

test('the config blob names the mount and cannot end its element', async (t) => {
  const { app } = await build(t, { title: '</script><script>alert(1)</script>' })
  const { body } = await app.inject({ url: '/notes/list', headers: HTML })
  const blob = /id="keelson-config">([^<]*)<\/script>/.exec(body)?.[1] ?? ''
  t.match(JSON.parse(blob), {
    mountPath: '/notes',
    apiBase: '/notes/api',
    view: 'shell',
    status: 200
  })
  t.equal(body.includes('<script>alert'), false)
})

test('signed-out viewers are sent to the sign-in page and back', async (t) => {
  const built = await build(t)
  built.viewer = null
  const answer = await built.app.inject({ url: '/notes/list?range=7d&x=%26', headers: HTML })
  t.equal(answer.statusCode, 302)
  t.equal(
    answer.headers.location,
    `/login?next=${encodeURIComponent('/notes/list?range=7d&x=%26')}`
  )
  const start = await built.app.inject({ url: '/', headers: HTML })
  t.equal(start.statusCode, 302, 'the start page too')
})

test('a public page needs no sign-in', async (t) => {
  const built = await build(t)
  built.viewer = null
  const answer = await built.app.inject({ url: '/about', headers: HTML })
  t.equal(answer.statusCode, 200)
  t.match(answer.body, /<base href="\/">/)
})

test('the start page shows what is public, and the empty shell when there is no page', async (t) => {
  const built = await build(t)
  built.viewer = null
  built.pages = built.pages.map((page) =>
    page.id === 'start' ? { ...page, role: 'public' } : page
  )
  t.equal((await built.app.inject({ url: '/', headers: HTML })).statusCode, 200)
  built.pages = []
  t.equal((await built.app.inject({ url: '/', headers: HTML })).statusCode, 200)
})

test('a page for admins is refused to a viewer with 403 and a page that says so', async (t) => {
  const built = await build(t)
  built.viewer = PERSON
  const answer = await built.app.inject({ url: '/notes/settings', headers: HTML })
  t.equal(answer.statusCode, 403)
  t.match(answer.headers['content-type'], /^text\/html/)
  t.match(answer.body, /"status":403/)
})

test('pages in the middle of another site’s errand keep its window; all others are cut off', async (t) => {
  const built = await build(t)
  const [list] = samplePages(built.folder)
  built.pages = built.pages.map((page) => (page.id === list?.id ? { ...page, alone: true } : page))
  const open = (url: string) => built.app.inject({ url, headers: HTML })
  const [alone, signIn, other] = await Promise.all(
    ['/notes/list', '/login', '/notes/start'].map(open)
  )
  t.match(alone?.body, /"view":"alone"/)
  t.equal(alone?.headers['cross-origin-opener-policy'], 'unsafe-none')
  t.equal(signIn?.headers['cross-origin-opener-policy'], 'unsafe-none')
  t.match(other?.body, /"view":"shell"/)
  t.equal(other?.headers['cross-origin-opener-policy'], 'same-origin')
  for (const document of [alone, signIn, other]) {
    t.match(document?.headers['content-security-policy'], /frame-ancestors 'none'/)
    t.equal(document?.headers['referrer-policy'], 'no-referrer')
  }
})

test('the sign-in page carries the hint of the installation', async (t) => {
  const { app } = await build(t, { signInHint: () => 'Try "ann".' })
  const { body, statusCode } = await app.inject({ url: '/login?next=/notes/list' })
  t.equal(statusCode, 200)
  t.match(body, /<keelson-sign-in>/)
  t.match(body, /"hint":"Try \\"ann\\"."/)
})

test('the sign-in page carries the application that the address leads back to', async (t) => {
  const asked: string[] = []
  const { app } = await build(t, {
    async signInPurpose(next) {
      asked.push(next)
      return next === '/notes/list' ? undefined : { name: 'Example App', host: 'app.example' }
    }
  })
  const bodyOf = async (query: string) => (await app.inject({ url: `/login${query}` })).body
  t.match(await bodyOf('?next=/grant?a=1'), /"purpose":{"name":"Example App","host":"app.example"}/)
  for (const query of ['', '?next=/notes/list', '?next=/a&next=/b']) {
    t.notMatch(await bodyOf(query), '"purpose"', query)
  }
  t.same(asked, ['/grant?a=1', '/notes/list'])
})

test('an address of a mount is the shell, with or without a slash, however deep', async (t) => {
  const { app } = await build(t)
  for (const url of ['/notes', '/notes/', '/notes/some/deep/path', '/notes/list/42']) {
    const answer = await app.inject({ url })
    t.equal(answer.statusCode, 200, url)
    t.match(answer.headers['content-type'], /^text\/html/, url)
  }
})

test('under an API path there is only JSON, whatever is asked for', async (t) => {
  const { app } = await build(t)
  const answer = await app.inject({ url: '/notes/api/none', headers: HTML })
  t.equal(answer.statusCode, 404)
  t.match(answer.json(), { error: 'not_found' })
  t.equal((await app.inject({ url: '/notes/api/items' })).statusCode, 200)
})

test('a program that asks for JSON at an address without a page gets a JSON 404', async (t) => {
  const { app } = await build(t)
  const answer = await app.inject({ url: '/notes/none', headers: { accept: 'application/json' } })
  t.equal(answer.statusCode, 404)
  t.match(answer.json(), { error: 'not_found' })
})

test('an unknown address is JSON for a program and a page for a person', async (t) => {
  const { app } = await build(t)
  const program = await app.inject({ url: '/none', headers: { accept: 'application/json' } })
  t.match([program.statusCode, program.json()], [404, { error: 'not_found' }])
  const person = await app.inject({ url: '/none', headers: HTML })
  t.equal(person.statusCode, 404)
  t.match(person.headers['content-type'], /^text\/html/)
  const sent = await app.inject({ method: 'POST', url: '/none', headers: HTML, payload: '' })
  t.match(sent.json(), { error: 'not_found' })
  t.match((await app.inject({ url: '/other/api/x', headers: HTML })).json(), { error: 'not_found' })
})

test('addresses that another plugin has registered are left to it', async (t) => {
  const { app } = await build(t, {}, (host) => {
    host.get('/login', () => 'my own sign-in')
  })
  t.equal((await app.inject({ url: '/login' })).body, 'my own sign-in')
})

test('without built browser files a document is a plain 503 that says what to run', async (t) => {
  const { app } = await build(t, { browserFolder: join(tmpdir(), 'keelson-nothing-here') })
  const answer = await app.inject({ url: '/notes/list', headers: HTML })
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['content-type'], /^text\/plain/)
  t.match(answer.body, /npm run build/)
  t.equal((await app.inject({ url: '/_assets/lit.js' })).statusCode, 404)
})

test('a viewer sees the name of their tenant, others that of the installation', async (t) => {
  const built = await build(t)
  const titles = async () => {
    const document = await built.app.inject({ url: '/notes/list', headers: HTML })
    const nav = await built.app.inject({ url: '/shell/nav' })
    const { title, viewer } = nav.json()
    return [/<title>list · (.*)<\/title>/.exec(document.body)?.[1], title, viewer.tenantName]
  }
  built.viewer = { ...ADMIN, tenantName: 'Globex' }
  t.same(await titles(), ['Globex', 'Globex', 'Globex'])
  built.viewer = ADMIN
  t.same(await titles(), ['Acme &lt;Ltd&gt;', 'Acme <Ltd>', undefined])
})

test('a viewer of the platform has a tenant name to show, and the brand of the installation', async (t) => {
  for (const [locale, tenantName, shown] of [
    ['en-GB', undefined, 'Platform'],
    ['de-AT', undefined, 'Plattform'],
    ['en', 'All tenants', 'All tenants']
  ] as const) {
    const built = await build(t, { locale })
    built.viewer = { tenantId: '*', role: 'admin', ...(tenantName && { tenantName }) }
    const nav = (await built.app.inject({ url: '/shell/nav' })).json()
    t.same(nav.viewer, { tenantId: '*', role: 'admin', tenantName: shown })
    t.equal(nav.title, tenantName ?? 'Acme <Ltd>')
  }
})

test('the navigation has sections and pages in order, settings and what may be called', async (t) => {
  const { app } = await build(t)
  const answer = await app.inject({ url: '/shell/nav' })
  t.equal(answer.headers['cache-control'], 'no-store')
  const nav = answer.json()
  t.equal(nav.title, 'Acme <Ltd>')
  t.same(
    nav.sections.map(({ id, pages }: { id: string; pages: { id: string }[] }) => [
      id,
      pages.map((page) => page.id)
    ]),
    [
      ['notes', ['start', 'list']],
      ['admin', ['settings']]
    ]
  )
  t.match(nav.sections[0].pages[1], {
    plugin: 'notes',
    title: 'list',
    path: '/notes/list',
    element: 'notes-list',
    role: 'viewer',
    mount: '/notes',
    icon: 'table',
    module: /^\/shell\/assets\/notes\.list\.[0-9a-f]{12}\.js$/
  })
  t.same(
    nav.hidden.map(({ id }: { id: string }) => id),
    ['about']
  )
  t.same(nav.settings, { notes: { color: 'blue' }, open: {} })
  t.same(nav.routes, ['notes:GET /api/items'])
  t.same(nav.viewer, { tenantId: 'acme', role: 'admin', email: 'admin@acme.test' })
})

test('the navigation is compressed for those who take it', async (t) => {
  const { app } = await build(t)
  const ask = (encodings: string) =>
    app.inject({ url: '/shell/nav', headers: { 'accept-encoding': encodings } })
  const plain = await app.inject({ url: '/shell/nav' })
  for (const encodings of ['gzip', 'br, gzip;q=0.5', 'deflate, GZIP']) {
    const { headers, rawPayload } = await ask(encodings)
    t.match(headers, {
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      vary: /accept-encoding/
    })
    t.same(JSON.parse(String(gunzipSync(rawPayload))), plain.json(), encodings)
  }
  for (const encodings of ['br', 'gzip;q=0', 'x-gzip2', 'identity, gzip;q=0.0']) {
    const { headers, payload } = await ask(encodings)
    t.notOk(headers['content-encoding'], encodings)
    t.equal(payload, plain.payload)
  }
})

test('viewers do not see pages for admins, and without a sign-in only public pages are shown', async (t) => {
  const built = await build(t)
  built.viewer = PERSON
  const forViewer = (await built.app.inject({ url: '/shell/nav' })).json()
  t.same(
    forViewer.sections.map(({ id }: { id: string }) => id),
    ['notes']
  )
  t.same(forViewer.viewer, { tenantId: 'acme', role: 'viewer', name: 'Ann' })
  built.viewer = null
  const forNobody = (await built.app.inject({ url: '/shell/nav' })).json()
  t.same([forNobody.sections, forNobody.viewer], [[], null])
})

test('the pages of a plugin that stopped leave the navigation and their addresses say nothing is there', async (t) => {
  const built = await build(t)
  built.pages = built.pages.filter(({ plugin }) => plugin !== 'notes')
  t.same((await built.app.inject({ url: '/shell/nav' })).json().sections, [])
  t.equal((await built.app.inject({ url: '/notes/list', headers: HTML })).statusCode, 404)
})

test('a page module is immutable, compressed for those who take it, and 304 for those who have it', async (t) => {
  const { app } = await build(t)
  const nav = (await app.inject({ url: '/shell/nav' })).json()
  const url = nav.sections[0].pages[1].module
  const answer = await app.inject({ url })
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': /javascript/,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff'
  })
  t.match(answer.body, /notes-list/)
  const again = await app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } })
  t.equal(again.statusCode, 304)
  t.equal((await app.inject({ url: '/shell/assets/notes.list.000000000000.js' })).statusCode, 404)
})

test('a module that changes during development gets another address', async (t) => {
  const built = await build(t, { isWatching: true })
  const addressNow = async () =>
    (await built.app.inject({ url: '/shell/nav' })).json().sections[0].pages[1].module
  const before = await addressNow()
  writeFileSync(join(built.folder, 'list.js'), 'export const changed = 1')
  const after = await addressNow()
  t.not(after, before)
  t.equal((await built.app.inject({ url: after })).body, 'export const changed = 1')
})

test('a module that is gone has an address that answers 404', async (t) => {
  const built = await build(t, { isWatching: true })
  rmSync(join(built.folder, 'list.js'))
  const nav = (await built.app.inject({ url: '/shell/nav' })).json()
  const { module } = nav.sections[0].pages[1]
  t.equal(module, '/shell/assets/notes.list.missing.js')
  t.equal((await built.app.inject({ url: module })).statusCode, 404)
})

test('shared files lie under every mount, compressed, and nothing leads out of their folder', async (t) => {
  const { app } = await build(t)
  for (const mount of ['', '/notes']) {
    const answer = await app.inject({
      url: `${mount}/_assets/lit.11111111.js`,
      headers: { 'accept-encoding': 'br, gzip' }
    })
    t.equal(answer.statusCode, 200, mount)
    t.match(answer.headers, { 'content-encoding': 'br', 'cache-control': /immutable/ })
  }
  const plain = await app.inject({
    url: '/_assets/lit.11111111.js',
    headers: { 'accept-encoding': 'br;q=0' }
  })
  t.equal(plain.headers['content-encoding'], undefined)
  for (const name of ['none.js', 'manifest.json', '..%2f..%2fetc%2fpasswd']) {
    t.equal((await app.inject({ url: `/notes/_assets/${name}` })).statusCode, 404, name)
  }
})

test('an embed file and the files it loads may be loaded from any origin', async (t) => {
  const { app } = await build(t)
  for (const name of ['list.js', 'list-chart-1.js']) {
    const answer = await app.inject({
      url: `/embed/notes/${name}`,
      headers: { origin: 'https://other.example' }
    })
    t.equal(answer.statusCode, 200, name)
    t.match(answer.headers, {
      'access-control-allow-origin': '*',
      'content-type': /javascript/
    })
  }
  const own = await app.inject({ url: '/embed/notes/start.js' })
  t.equal(own.body, 'export {}', 'without a file for embedding the module itself')
})

test('the list names each page that may be embedded, its script and its attributes', async (t) => {
  const headers = { origin: 'https://other.example' }
  const { app } = await build(t)
  const list = await app.inject({ url: '/embed', headers })
  t.equal(list.headers['access-control-allow-origin'], '*')
  const { pages } = list.json()
  t.same(pages[0], {
    plugin: 'notes',
    page: 'list',
    title: 'list',
    element: 'notes-list',
    module: '/embed/notes/list.js',
    apiBase: '/notes'
  })
  const elements = pages.map((page: { element: string }) => page.element)
  t.same(elements, ['notes-list', 'notes-start', 'open-about'])
  for (const { module } of pages) {
    t.equal((await app.inject({ url: module })).statusCode, 200, module)
  }
  const { app: below } = await build(t, { addresses: kernelAddresses({}, '/p') })
  const [first] = (await below.inject({ url: '/p/embed' })).json().pages
  t.match(first, { module: '/p/embed/notes/list.js', apiPrefix: '/p' })
})

test('the document for frames shows one page with the token of its address, and runs no other script', async (t) => {
  const { app } = await build(t)
  const { statusCode, headers, body } = await app.inject({ url: '/embed/notes/list' })
  t.equal(statusCode, 200)
  const policy = String(headers['content-security-policy'])
  t.match(policy, /^default-src 'none'; script-src 'self' 'sha256-/)
  t.match(policy, 'frame-ancestors *')
  t.match(headers, { 'referrer-policy': 'no-referrer', 'content-type': /html/ })
  t.match(body, 'data-element="notes-list" data-base="/notes"')
  for (const [, text = ''] of body.matchAll(
    /<(?:script|style)(?: type="module")?>([\s\S]*?)<\/s/g
  )) {
    const hash = createHash('sha256').update(text).digest('base64')
    t.ok(policy.includes(hash), text)
  }
  for (const url of ['/embed/notes/settings', '/embed/none/list', '/embed/notes/other']) {
    t.equal((await app.inject({ url })).statusCode, 404, url)
  }
})

test('a page that may not be embedded, and files of others, are not there', async (t) => {
  const { app } = await build(t)
  for (const path of [
    'notes/settings.js',
    'notes/other.js',
    'notes/list-none.js',
    'none/list.js'
  ]) {
    const answer = await app.inject({ url: `/embed/${path}`, headers: HTML })
    t.same(
      [answer.statusCode, answer.json()],
      [404, { error: 'not_found', code: 'not_found', message: 'There is no such file.' }],
      path
    )
  }
})

test('named origins may call with credentials, others may not', async (t) => {
  const { app } = await build(t, {}, (host) => {
    acceptCrossOrigin(host, embedPolicy(['https://admin.example/']))
  })
  const call = (origin: string, method: 'GET' | 'OPTIONS' = 'GET') =>
    app.inject({
      method,
      url: '/notes/api/items',
      headers: { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) }
    })
  t.match((await call('https://admin.example')).headers, {
    'access-control-allow-origin': 'https://admin.example',
    'access-control-allow-credentials': 'true'
  })
  const preflight = await call('https://admin.example', 'OPTIONS')
  t.equal(preflight.statusCode, 204)
  t.match(preflight.headers, { 'access-control-allow-methods': /PATCH/ })
  t.equal((await call('https://evil.example')).headers['access-control-allow-origin'], undefined)
})

test('the host’s own sign-in and sign-out take the place of the form', async (t) => {
  const built = await build(t, { signIn: '/enter?from=keelson', signOut: '/leave' })
  built.viewer = null
  const sent = await built.app.inject({ url: '/notes/list', headers: HTML })
  t.equal(sent.headers.location, '/enter?from=keelson&next=%2Fnotes%2Flist')
  const form = await built.app.inject({ url: '/login?next=%2Fnotes%2Flist', headers: HTML })
  t.equal(form.headers.location, '/enter?from=keelson&next=%2Fnotes%2Flist')
  for (const next of ['/..//evil.test', 'https://evil.test', '']) {
    const url = `/login?${new URLSearchParams({ next })}`
    const { headers } = await built.app.inject({ url, headers: HTML })
    t.equal(headers.location, '/enter?from=keelson&next=%2F', next)
  }
  built.viewer = ADMIN
  const { body } = await built.app.inject({ url: '/notes/list', headers: HTML })
  const blob = JSON.parse(/id="keelson-config">(.*?)<\/script>/.exec(body)?.[1] ?? '{}')
  t.match(blob, { signIn: /^\/enter/, signOut: { address: '/leave', method: 'GET' } })
})

test('where nothing takes a sign-in, a page says that it is not configured', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const folder = folderWith(t, PAGE_FILES)
  await registerShell(app, {
    title: 'Acme',
    locale: 'en',
    embedOrigins: [],
    addresses: kernelAddresses(),
    pages: () => samplePages(folder),
    viewerOf: async () => null,
    routesFor: async () => [],
    publicConfig: () => undefined,
    browserFolder: folderWith(t, UI_FILES)
  })
  for (const url of ['/notes/list', '/login']) {
    const answer = await app.inject({ url, headers: HTML })
    t.equal(answer.statusCode, 401, url)
    t.match(answer.body, /"status":401/)
    t.notMatch(answer.body, /"signIn"|keelson-sign-in/)
  }
})

test('a prefix is before documents, navigation, files and pages for other sites', async (t) => {
  const { app } = await build(t, { addresses: kernelAddresses({}, '/p') })
  const start = await app.inject({ url: '/p', headers: HTML })
  t.equal(start.statusCode, 200)
  t.match(start.body, /<base href="\/p\/">/)
  t.match(start.body, /"start":"\/p","navAddress":"\/p\/shell\/nav"/)
  t.equal((await app.inject({ url: '/p/_assets/lit.11111111.js' })).statusCode, 200)
  t.equal((await app.inject({ url: '/p/embed/notes/list.js' })).statusCode, 200)
  const nav = (await app.inject({ url: '/p/shell/nav' })).json()
  t.match(nav.sections[0].pages[0].module, /^\/p\/shell\/assets\//)
  t.equal(nav.prefix, '/p', 'for addresses that manifests declare with at')
  for (const url of ['/shell/nav', '/embed/notes/list.js', '/_assets/lit.11111111.js']) {
    t.equal((await app.inject({ url })).statusCode, 404, url)
  }
})

test('files may have their own address', async (t) => {
  const { app } = await build(t, { addresses: kernelAddresses({ assets: '/static/k' }) })
  const { body } = await app.inject({ url: '/notes/list', headers: HTML })
  t.match(body, 'src="/static/k/shell.33333333.js"')
  t.match(body, '"lit":"/static/k/lit.11111111.js"')
  t.equal((await app.inject({ url: '/static/k/shell.33333333.js' })).statusCode, 200)
})
