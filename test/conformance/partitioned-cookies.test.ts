// The cookie that the page on embedding documents for two sites: in Chromium it signs in across them.
import { fastifyCookie } from '@fastify/cookie'
import keelson from '@keelson/kernel'
import { startLocalMongo } from '@keelson/local-mongo'
import { definePlugin } from '@keelson/sdk'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import Fastify from 'fastify'
import tap, { type Test, test } from 'tap'
import { startForeignAdmin } from '../e2e/demo-in-browser.ts'

const things = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'things',
    name: 'Things',
    version: '1.0.0',
    kernel: '*',
    description: 'A sample.',
    license: 'MIT',
    routes: [{ method: 'POST', path: '/add', auth: 'viewer', summary: 'Adds a thing.' }]
  },
  register: (host) =>
    host.route({ method: 'POST', path: '/add', handler: async () => ({ ok: true }) })
})

/** A platform whose sign-in sets the cookie, with or without `Partitioned`. */
async function startPlatform(t: Test, embedOrigin: string): Promise<string> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(fastifyCookie)
  for (const path of ['/partitioned', '/plain']) {
    app.post(path, async (_request, reply) => {
      const partitioned = path === '/partitioned'
      const options = { path: '/', httpOnly: true, secure: true, sameSite: 'none' } as const
      return reply.setCookie('session', 'ann', { ...options, partitioned }).send('welcome')
    })
  }
  const engine = await startLocalMongo({ dataDir: t.testdir() })
  t.teardown(() => engine.close())
  await app.register(keelson, {
    config: {
      storage: { uri: engine.uri, database: 'cookies' },
      auth: { embedOrigins: [embedOrigin] }
    },
    plugins: [things],
    role: 'web',
    resolveViewer: ({ cookies }) =>
      cookies['session'] === 'ann'
        ? { tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' }
        : null
  })
  // Another site than 127.0.0.1, and as trusted by browsers.
  return (await app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost')
}

tap.teardown(closeBrowser)

test(
  'a partitioned cookie signs embedded pages of another site in, and is of that site alone',
  browserOptions,
  async (t) => {
    const site = await startForeignAdmin(t, () => '<!doctype html><title>Shop admin</title>')
    const platform = await startPlatform(t, site)
    const statuses = async (signIn: string) => {
      const { page } = await openPage(t)
      const add = `fetch('${platform}/things/add', { method: 'POST', credentials: 'include' })
      .then(({ status }) => status)`
      await page.goto(site)
      const before = await page.evaluate(add)
      await page.evaluate(
        `fetch('${platform}${signIn}', { method: 'POST', mode: 'no-cors', credentials: 'include' })`
      )
      const embedded = await page.evaluate(add)
      await page.goto(`${platform}/health/live`)
      return [before, embedded, await page.evaluate(add)]
    }
    t.same(await statuses('/partitioned'), [401, 200, 401])
    t.same(await statuses('/plain'), [401, 200, 200], 'a cookie that follows the person everywhere')
  }
)
