// keelson dev in an existing app: the app runs as it is, with the plugin in development added.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { findApp } from './dev-app.ts'
import { startDev } from './testing/dev-process.ts'
import { keelson, manifestOf, testStorage, writeFiles } from './testing/platform-folder.ts'
import { answering, registering, route } from './testing/plugin-source.ts'

/** An app with its own sign-in, its own route and its own way to start. */
const app = (title: string) => `import keelson from '@keelson/kernel'
import Fastify from 'fastify'
const app = Fastify()
app.get('/own', async () => ({ title: '${title}' }))
await app.register(keelson, {
  config: 'platform.json',
  resolveViewer: () => ({ tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' })
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => app.close())
`

const source = (day: string) =>
  registering(
    answering('/days', `return { day: '${day}', keepDays: config.keepDays }`),
    'config: Type.Object({ keepDays: Type.Integer({ default: 30 }) })'
  )

/** The folders of an app and of a plugin, side by side. */
async function folders(t: Test) {
  const place = t.testdir()
  await writeFiles(place, {
    'shop/package.json': {
      type: 'module',
      scripts: { start: 'node --enable-source-maps server.js' }
    },
    'shop/server.js': app('Shop'),
    'shop/platform.json': { storage: await testStorage() },
    'alpha/package.json': { type: 'module' },
    'alpha/plugin.json': manifestOf('alpha', { routes: [route('/days', { auth: 'viewer' })] }),
    'alpha/index.js': source('Monday')
  })
  return { shop: join(place, 'shop'), alpha: join(place, 'alpha') }
}

test('the plugin runs in the app, with its sign-in; changes of either restart it', async (t) => {
  const { shop, alpha } = await folders(t)
  const dev = await startDev(t, alpha, ['--app', '../shop', '--set', 'keepDays=3'])
  await dev.reached('ready')
  t.same(await dev.get('/own'), { title: 'Shop' })
  t.same(await dev.get('/alpha/days'), { day: 'Monday', keepDays: 3 })
  await writeFile(join(alpha, 'index.js'), source('Friday'))
  await dev.reached('ready', 2)
  t.match(await dev.get('/alpha/days'), { day: 'Friday' })
  await writeFile(join(shop, 'server.js'), app('Stall'))
  await dev.reached('ready', 3)
  t.same(await dev.get('/own'), { title: 'Stall' })
  t.equal(await dev.stop(), 0)
})

test('why the app did not start is said, and the next change starts it', async (t) => {
  const { alpha } = await folders(t)
  await writeFile(join(alpha, 'index.js'), 'export const nothing = 1')
  const dev = await startDev(t, alpha, ['--app', '../shop/server.js'])
  t.match(await dev.reached('failed'), { code: 'KRN_PLUGIN_EXPORT', message: /alpha.index\.js/ })
  await writeFile(join(alpha, 'index.js'), source('Monday'))
  await dev.reached('ready')
  t.match(await dev.get('/alpha/days'), { day: 'Monday' })
})

test('an app whose package.json names its entry runs by itself', async (t) => {
  const { shop } = await folders(t)
  await writeFiles(shop, { 'package.json': { type: 'module', keelson: { app: 'server.js' } } })
  const dev = await startDev(t, shop)
  await dev.reached('ready')
  t.same(await dev.get('/own'), { title: 'Shop' })
})

test('an app is found by its file, by keelson.app, by the script start and by main', async (t) => {
  const folder = t.testdir({ 'a.js': '', 'b.js': '', 'c.js': '' })
  const entry = async (packages: object, path = folder) => {
    await writeFiles(folder, { 'package.json': packages })
    return (await findApp(path)).entry
  }
  const scripts = { start: 'node --enable-source-maps b.js' }
  t.equal(await entry({}, join(folder, 'c.js')), join(folder, 'c.js'))
  t.equal(await entry({ keelson: { app: './a.js' }, scripts }), join(folder, 'a.js'))
  t.equal(await entry({ scripts, main: 'c.js' }), join(folder, 'b.js'))
  t.equal(
    await entry({ scripts: { start: 'fastify start b.js' }, main: 'c.js' }),
    join(folder, 'c.js')
  )
  await t.rejects(entry({}), { code: 'KRN_CLI_APP_MISSING', remedy: /--app server\.js/ })
  await t.rejects(findApp(join(folder, 'none')), { code: 'KRN_CLI_APP_MISSING' })
})

test('what the app says itself is not taken beside it', async (t) => {
  const { alpha } = await folders(t)
  for (const option of [
    ['--viewer', 'none'],
    ['--with', 'mailer'],
    ['--config', 'x.json']
  ]) {
    const { code, stderr } = await keelson(alpha, ['dev', '--app', '../shop', ...option])
    t.equal(code, 2)
    t.match(stderr, /is not for an app/)
  }
})
