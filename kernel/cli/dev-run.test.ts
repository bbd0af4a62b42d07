// keelson dev as a process: a plugin with settings and a viewer runs, and runs again after a change.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { startDev } from './testing/dev-process.ts'
import { keelson, manifestOf, sourceOf, writeFiles } from './testing/platform-folder.ts'

const routes = [{ method: 'GET', path: '/word', auth: 'viewer', summary: 'A word.' }]
/** Answers with a word, a setting and the viewer. */
const source = (word: string) => `import { readFileSync } from 'node:fs'
import { definePlugin, Type } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))
const config = Type.Object({ token: Type.String(), keep: Type.Integer({ default: 1 }) })
export default definePlugin({ manifest, config, register(host, { token, keep }) {
  host.route({ method: 'GET', path: '/word', handler: async (request, reply, { viewer }) =>
    ({ word: '${word}', token, keep, who: viewer.role + '@' + viewer.tenantId }) })
} })
`
const files = (word: string) => ({
  'package.json': { type: 'module' },
  'plugin.json': manifestOf('alpha', { routes }),
  'index.js': source(word)
})

test('a plugin runs with its settings and viewer, and again after a change', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, {
    ...files('first'),
    'keelson.config.json': { plugins: { alpha: { config: { token: 'abc', keep: 2 } } } }
  })
  const dev = await startDev(t, folder, ['--set', 'keep=3', '--viewer', 'editor@acme'])
  await dev.reached('ready')
  t.same(await dev.get('/alpha/word'), {
    word: 'first',
    token: 'abc',
    keep: 3,
    who: 'editor@acme'
  })
  t.equal(await dev.statusFor('localhost', '/alpha/word'), 200)
  t.equal(await dev.statusFor('evil.test', '/alpha/word'), 421, 'a page of another site')
  await writeFile(join(folder, 'index.js'), source('second'))
  await dev.reached('ready', 2)
  t.match(await dev.get('/alpha/word'), { word: 'second' })
  t.equal(await dev.stop(), 0)
  t.equal(dev.events.seen.at(-1)?.event, 'ended')
})

test('a missing setting is named with its file and flag, and writing the file starts the host', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, files('first'))
  const dev = await startDev(t, folder)
  const file = join(folder, 'keelson.config.json')
  const failed = await dev.reached('failed')
  t.equal(failed.code, 'KRN_PLUGIN_CONFIG_INVALID')
  t.match(
    failed.message,
    `Set plugins.alpha.config.token in ${file}, or start with --set token=VALUE.`
  )
  t.notMatch(dev.stderr(), /node_modules|\n\s+at /, 'no stack is printed')
  await writeFile(file, JSON.stringify({ plugins: { alpha: { config: { token: 'abc' } } } }))
  await dev.reached('ready')
  t.match(await dev.get('/alpha/word'), { token: 'abc', who: 'admin@*' })
})

test('a viewer is refused where a plugin says who is signed in', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, {
    'plugin.json': manifestOf('alpha', { provides: ['auth.viewer/v1'] }),
    'index.js': sourceOf()
  })
  t.match(await keelson(folder, ['dev', '--viewer', 'editor@acme']), {
    code: 1,
    stderr: /alpha says who is signed in/
  })
})

for (const args of [
  ['--set', 'token'],
  ['--viewer', 'editor']
]) {
  test(`keelson dev ${args.join(' ')} is a wrong use`, async (t) => {
    t.match(await keelson(t.testdir(), ['dev', ...args]), { code: 2, stderr: /must have the form/ })
  })
}

test('--set is refused for a platform, which has a config file', async (t) => {
  const folder = t.testdir({ 'keelson.config.json': '{}' })
  t.match(await keelson(folder, ['dev', '--set', 'token=abc']), {
    code: 2,
    stderr: /--set is for a plugin's folder/
  })
})
