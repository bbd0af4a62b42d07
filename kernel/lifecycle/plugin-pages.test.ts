// What the shell receives from the kernel.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import type { ShellOptions } from '../shell/page.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const page = (id: string, more = {}) => ({
  id,
  element: `alpha-${id}`,
  module: `./dist/browser/pages/${id}.js`,
  title: id,
  role: 'viewer',
  ...more
})

test('the shell knows pages in its language, callable routes and public settings', async (t) => {
  const folder = t.testdir({
    dist: { browser: { pages: { 'main.js': '', 'bare.js': '' }, embed: { 'main.js': '' } } }
  })
  let shell: ShellOptions | undefined
  const alpha = samplePlugin(
    'alpha',
    {
      routes: [
        sampleRoute('GET', '/open'),
        sampleRoute('GET', '/mine', { auth: 'viewer' }),
        sampleRoute('POST', '/all', { auth: 'admin' })
      ],
      pages: [
        page('main', {
          nav: { section: 'Checks' },
          path: '/',
          translations: { de: { title: 'Haupt', section: 'Prüfungen' } }
        }),
        page('bare', { embed: false })
      ]
    },
    {
      folder: pathToFileURL(`${folder}/`),
      config: Type.Object({
        look: Type.String({ default: 'plain', public: true }),
        key: Type.Optional(Type.String())
      })
    }
  )
  const failing = samplePlugin(
    'failing',
    { pages: [{ ...page('x'), element: 'failing-x' }] },
    {
      prepare() {
        throw new Error('no luck')
      }
    }
  )
  await fakeHost(t, {
    config: {
      shell: { title: 'Mine', locale: 'de', signInHint: 'Try ann.' },
      auth: {
        publicUrl: 'https://a.example',
        embedOrigins: 'https://b.example, https://c.example'
      },
      plugins: { failing: { onFailure: 'disable' } }
    },
    plugins: [alpha, failing],
    seams: {
      registerShell: async (_app, options) => {
        shell = options
        return { placePages() {}, notFound: (_request, reply) => reply.code(404).send() }
      }
    }
  })
  t.match(shell, {
    title: 'Mine',
    locale: 'de',
    publicUrl: 'https://a.example',
    embedOrigins: ['https://b.example', 'https://c.example']
  })
  t.equal(shell?.signInHint?.(), 'Try ann.')
  const files = join(folder, 'dist/browser')
  t.same(shell?.pages(), [
    {
      plugin: 'alpha',
      id: 'main',
      title: 'Haupt',
      path: '/alpha',
      element: 'alpha-main',
      role: 'viewer',
      embed: true,
      alone: false,
      nav: { section: 'Prüfungen' },
      file: join(files, 'pages/main.js'),
      embedFile: join(files, 'embed/main.js'),
      apiBase: '/alpha'
    },
    {
      plugin: 'alpha',
      id: 'bare',
      title: 'bare',
      path: '/alpha/bare',
      element: 'alpha-bare',
      role: 'viewer',
      embed: false,
      alone: false,
      file: join(files, 'pages/bare.js'),
      embedFile: undefined,
      apiBase: '/alpha'
    }
  ])
  const viewer = { tenantId: 'a', role: 'viewer' }
  t.same(await shell?.routesFor(null), ['alpha:GET /open'])
  t.same(await shell?.routesFor(viewer), ['alpha:GET /open', 'alpha:GET /mine'])
  t.same(await shell?.routesFor({ ...viewer, role: 'admin' }), [
    'alpha:GET /open',
    'alpha:GET /mine',
    'alpha:POST /all'
  ])
  t.same(shell?.publicConfig('alpha'), { look: 'plain' })
  t.equal(shell?.publicConfig('unknown'), undefined)
  t.same(await shell?.viewerOf({ headers: { 'x-viewer': 'a:viewer' } } as never), {
    ...viewer,
    viewerRef: 'user:u-viewer'
  })
})

test('a page without its file is left out, and its plugin says so', async (t) => {
  let shell: ShellOptions | undefined
  const { call } = await fakeHost(t, {
    plugins: [samplePlugin('alpha', { pages: [page('ghost')] })],
    seams: {
      registerShell: async (_app, options) => {
        shell = options
        options.pages()
        return { placePages() {}, notFound: (_request, reply) => reply.code(404).send() }
      }
    }
  })
  t.same(shell?.pages(), [])
  t.match(shell, { title: 'Keelson', locale: 'en', embedOrigins: [] })
  t.match((await call({ url: '/health/plugins', viewer: 'acme:admin' })).json.plugins, [
    { id: 'alpha', state: 'degraded', code: 'KRN_PAGE_MODULE', reason: /ghost\.js/ }
  ])
})

test('a page names the setting that lists its tenants', async (t) => {
  const folder = t.testdir({ dist: { browser: { pages: { 'main.js': '' } } } })
  const tenantsOf = async (config: Record<string, unknown>) => {
    let shell: ShellOptions | undefined
    const alpha = samplePlugin(
      'alpha',
      { pages: [page('main', { tenants: '${owners.tenants}' })] },
      {
        folder: pathToFileURL(`${folder}/`),
        config: Type.Object({
          owners: Type.Optional(Type.Object({ tenants: Type.Array(Type.String()) }))
        })
      }
    )
    await fakeHost(t, {
      config: { plugins: { alpha: { config } } },
      plugins: [alpha],
      seams: {
        registerShell: async (_app, options) => {
          shell = options
          return { placePages() {}, notFound: (_request, reply) => reply.code(404).send() }
        }
      }
    })
    return shell?.pages()[0]?.tenants
  }
  t.same(await tenantsOf({ owners: { tenants: ['acme', 'globex'] } }), ['acme', 'globex'])
  t.same(await tenantsOf({}), [])
})
