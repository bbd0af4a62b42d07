// The platform's config from files, modules and code.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { CONFIG_ORIGIN, readConfigText } from './config-file.ts'

const sdk = JSON.stringify(import.meta.resolve('@keelson/sdk'))

test('a JSON file is read and its folder is the base of its paths', async (t) => {
  const folder = t.testdir({ 'keelson.config.json': '{ "shell": { "title": "Mine" } }' })
  const text = await readConfigText(join(folder, 'keelson.config.json'))
  t.same(text.content, { shell: { title: 'Mine' } })
  t.equal(text.baseDir, folder)
  t.same(text.plugins, [])
})

test('an object given in code is taken as it is, its plugins apart', async (t) => {
  t.match(await readConfigText({ shell: {} }), { baseDir: process.cwd(), content: { shell: {} } })
  t.match(await readConfigText(undefined), { content: {}, plugins: [] })
  t.same(await readConfigText({ shell: {}, use: [1] }), {
    source: 'given in code',
    baseDir: process.cwd(),
    content: { shell: {} },
    plugins: [1]
  })
})

test('a config made from a file is that of the file in messages and paths', async (t) => {
  const origin = { source: '/my/keelson.config.json', baseDir: '/my' }
  const text = await readConfigText({ shell: {}, use: [1], [CONFIG_ORIGIN]: origin })
  t.match(text, { ...origin, content: { shell: {} }, plugins: [1] })
})

test('a file that is missing or not JSON is refused by name, without its text', async (t) => {
  const folder = t.testdir({ 'torn.json': '{ "password": S3CR3T', dir: {} })
  await t.rejects(readConfigText(join(folder, 'none.json')), {
    code: 'KRN_CONFIG_UNREADABLE',
    message: /none\.json.*no such file/
  })
  const torn = await readConfigText(join(folder, 'torn.json')).catch((error) => error)
  t.match(torn, {
    code: 'KRN_CONFIG_UNREADABLE',
    message: /torn\.json.*not JSON: line \d+, column \d+/
  })
  t.notMatch(`${torn.message} ${torn.cause}`, 'S3CR3T')
  await t.rejects(readConfigText(join(folder, 'dir')), { message: /EISDIR/ })
})

test('a module exports the config, and plugins in code', async (t) => {
  const folder = t.testdir({
    'keelson.config.mjs': `import { defineConfig } from ${sdk}
      export default defineConfig({ shell: { title: 'Mine' }, use: ['a plugin'] })`
  })
  t.match(await readConfigText(join(folder, 'keelson.config.mjs')), {
    baseDir: folder,
    content: { shell: { title: 'Mine' } },
    plugins: ['a plugin']
  })
})

test('a module that is missing, fails or exports no object is refused by name', async (t) => {
  const folder = t.testdir({
    'fails.mjs': "throw new Error('no network')",
    'empty.mjs': 'export const config = {}'
  })
  const refused = (name: string, reason: RegExp) =>
    t.rejects(readConfigText(join(folder, name)), {
      code: 'KRN_CONFIG_UNREADABLE',
      message: reason
    })
  await refused('none.mjs', /none\.mjs.*no such file/)
  await refused('fails.mjs', /fails\.mjs.*no network/)
  await refused('empty.mjs', /empty\.mjs.*default export/)
})

test('TypeScript is read where Node reads it, and refused with the version elsewhere', async (t) => {
  const folder = t.testdir({
    'keelson.config.ts': "export default { shell: { title: 'Mine' as string } }"
  })
  const reading = readConfigText(join(folder, 'keelson.config.ts'))
  const isRead = 'typescript' in process.features && process.features.typescript !== false
  if (isRead) t.match(await reading, { content: { shell: { title: 'Mine' } } })
  else {
    const version = process.versions.node.replaceAll('.', '\\.')
    const message = new RegExp(`keelson\\.config\\.ts is TypeScript.*Node ${version}.*22\\.18`)
    await t.rejects(reading, { code: 'KRN_CONFIG_TYPESCRIPT', message })
  }
})

test('the host reads the plugins of a module', async (t) => {
  const { validatePlatform } = await import('../platform/validate.ts')
  const { pluginsOf } = await import('../platform/platform.ts')
  const folder = t.testdir({
    'keelson.config.mjs': `import { definePlugin } from ${sdk}
      const manifest = { manifestVersion: 1, id: 'mine', name: 'Mine', version: '1.0.0',
        kernel: '*', description: 'For tests.', license: 'MIT' }
      export default { use: [definePlugin({ manifest, register() {} })] }`
  })
  const platform = await validatePlatform({
    config: join(folder, 'keelson.config.mjs'),
    env: {}
  })
  t.same(
    pluginsOf(platform).map(({ id }) => id),
    ['mine']
  )
  t.equal(platform.source, fileURLToPath(`file://${join(folder, 'keelson.config.mjs')}`))
})
