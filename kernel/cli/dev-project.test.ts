// What keelson dev runs in a folder.
import { join } from 'node:path'
import { test } from 'tap'
import { CONFIG_ORIGIN } from '../manifest/config-file.ts'
import { readDevProject } from './dev-project.ts'
import { manifestOf, platformFolder, writeFiles } from './testing/platform-folder.ts'

const settings = { config: {}, env: {} }

test('a folder with a plugin.json is run as a platform of that plugin', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, { 'plugin.json': manifestOf('alpha') })
  t.same(await readDevProject({ folder, settings }, {}), {
    config: {
      storage: { dataDir: join(folder, '.keelson') },
      shell: { title: 'The alpha' },
      plugins: { alpha: { package: folder, config: {} } }
    },
    plugin: 'alpha',
    configFile: join(folder, 'keelson.config.json'),
    viewerPlugin: undefined,
    plugins: [folder],
    watched: [folder]
  })
})

test('a config file beside a plugin.json gives settings and other plugins', async (t) => {
  const folder = t.testdir()
  const entries = { alpha: { config: { token: 'abc', keep: 1 } }, beta: {} }
  await writeFiles(folder, {
    'plugin.json': manifestOf('alpha'),
    'keelson.config.json': { storage: { dataDir: 'data' }, plugins: entries }
  })
  const given = { config: { keep: 2 }, env: {} }
  const { config } = await readDevProject({ folder, settings: given }, {})
  t.match(config, {
    storage: { dataDir: 'data' },
    shell: { title: 'The alpha' },
    plugins: { alpha: { package: folder, config: { token: 'abc', keep: 2 } }, beta: {} }
  })
  const file = join(folder, 'keelson.config.json')
  t.same((config as { [CONFIG_ORIGIN]?: object })[CONFIG_ORIGIN], { source: file, baseDir: folder })
})

test('a config file elsewhere is found by KEELSON_CONFIG or by its name, and watched', async (t) => {
  const folder = t.testdir()
  const elsewhere = join(folder, 'elsewhere')
  const file = join(elsewhere, 'dev.json')
  const plugin = join(folder, 'alpha')
  await writeFiles(folder, {
    'elsewhere/dev.json': { plugins: { alpha: { config: { token: 'abc' } } } },
    'alpha/plugin.json': manifestOf('alpha')
  })
  const named = await readDevProject({ folder: plugin, configFile: file, settings }, {})
  t.match(named, { configFile: file, watched: [plugin, elsewhere] })
  t.match(named.config, { plugins: { alpha: { config: { token: 'abc' } } } })
  const env = { KEELSON_CONFIG: file }
  t.match(await readDevProject({ folder: plugin, settings }, env), { configFile: file })
})

test('a folder with a config is run as that platform, and its plugins are watched', async (t) => {
  const folder = await platformFolder(t, { alpha: { provides: ['auth.viewer/v1'] } })
  const file = join(folder, 'keelson.config.json')
  t.same(await readDevProject({ folder, settings }, {}), {
    config: file,
    plugin: undefined,
    configFile: file,
    viewerPlugin: 'alpha',
    plugins: [join(folder, 'plugins/alpha')],
    watched: [folder, join(folder, 'plugins/alpha')]
  })
})
