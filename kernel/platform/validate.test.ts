// The validate phase: plugins from code and from folders, alone and together.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePlugin, type PluginOptions } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { sampleManifest } from '../testing/sample-manifest.ts'
import { kernelAddresses } from './kernel-addresses.ts'
import { pluginsOf } from './platform.ts'
import { type ValidateOptions, validateOne, validatePlatform } from './validate.ts'

const plugin = (
  id: string,
  more: Readonly<Record<string, unknown>> = {},
  rest: Partial<PluginOptions> = {}
) => definePlugin({ manifest: sampleManifest(id, more), register() {}, ...rest })

const refusal = (options: Partial<ValidateOptions>) =>
  validatePlatform({ config: {}, env: {}, ...options }).then(
    () => undefined,
    (error) => error
  )

const source = (id: string) => `
const plugin = async () => {}
plugin[Symbol.for('keelson.plugin')] = Object.freeze({
  manifest: { id: '${id}' }, config: { type: 'object', properties: {} }, migrations: {}, register () {}
})
export default plugin
`

/** A folder with plugin.json and its module. */
const folderOf = (id: string, more = {}, code = source(id)) => ({
  'plugin.json': JSON.stringify(sampleManifest(id, { main: './index.mjs', ...more })),
  'index.mjs': code
})

test('plugins start in layers, with their settings', async (t) => {
  const limited = { config: Type.Object({ limit: Type.Integer({ default: 3 }) }) }
  const platform = await validatePlatform({
    config: { plugins: { base: { config: { limit: '${N:7}' }, mount: '/b/' } } },
    plugins: [plugin('alpha', { requires: { base: '*' } }), plugin('base', {}, limited)],
    env: {}
  })
  t.same(
    platform.layers.map((layer) => layer.map(({ id }) => id)),
    [['base'], ['alpha']]
  )
  t.match(pluginsOf(platform), [
    { id: 'base', mount: '/b', onFailure: 'abort', settings: { all: { limit: 7 } } },
    { id: 'alpha', mount: '/alpha', needs: ['base'] }
  ])
})

test('packages are found by path and by name, from the folder of the config', async (t) => {
  const folder = t.testdir({
    'keelson.config.json': JSON.stringify({
      plugins: {
        near: { package: './near' },
        named: { package: '@scope/named', onFailure: 'disable' }
      }
    }),
    near: folderOf('near'),
    node_modules: { '@scope': { named: folderOf('named') } }
  })
  const platform = await validatePlatform({ config: join(folder, 'keelson.config.json'), env: {} })
  t.match(pluginsOf(platform), [
    { id: 'near', folder: join(folder, 'near'), onFailure: 'abort' },
    { id: 'named', folder: join(folder, 'node_modules/@scope/named'), onFailure: 'disable' }
  ])
})

test('a value that is not a plugin is refused by its place in the config', async (t) => {
  t.match(await refusal({ plugins: [plugin('alpha'), async () => {}] }), {
    code: 'KRN_PLUGIN_VALUE',
    message: /plugins\[1\]/
  })
})

test('packages that cannot be used say why', async (t) => {
  const folder = t.testdir({
    torn: { 'plugin.json': '{' },
    other: folderOf('another'),
    broken: folderOf('broken', {}, 'throw new Error("out of order")'),
    empty: folderOf('empty', {}, 'export const x = 1'),
    foreign: folderOf('foreign', {}, source('someone-else'))
  })
  const using = (id: string) =>
    refusal({ config: { plugins: { [id]: { package: join(folder, id) } } } })
  t.match(await using('ghost'), { code: 'KRN_PACKAGE_MISSING', plugin: 'ghost' })
  t.match(await using('torn'), { code: 'KRN_MANIFEST_UNREADABLE', message: /torn.plugin\.json/ })
  t.match(await using('other'), { code: 'KRN_PLUGIN_ID_DIFFERS', message: /"another"/ })
  t.match(await using('broken'), { code: 'KRN_PLUGIN_UNLOADABLE', message: /out of order/ })
  t.match(await using('empty'), { code: 'KRN_PLUGIN_EXPORT' })
  t.match(await using('foreign'), { code: 'KRN_PLUGIN_ID_DIFFERS', message: /"someone-else"/ })
})

test('a folder without plugin.json beside the one that was found is an error of reading', async (t) => {
  const folder = t.testdir({ gone: { 'plugin.json': {} } })
  t.match(await refusal({ config: { plugins: { gone: { package: join(folder, 'gone') } } } }), {
    code: 'KRN_MANIFEST_UNREADABLE',
    message: /EISDIR/
  })
})

test('an entry without a package means @keelson/<id>, else <id>, from the folder of the config', async (t) => {
  const folder = t.testdir({
    node_modules: {
      '@keelson': { alpha: folderOf('alpha', { version: '1.0.0' }) },
      alpha: folderOf('alpha', { version: '2.0.0' }),
      beta: folderOf('beta')
    },
    'keelson.config.json': JSON.stringify({ plugins: { alpha: { enabled: true }, beta: {} } })
  })
  const platform = await validatePlatform({ config: join(folder, 'keelson.config.json'), env: {} })
  t.same(
    pluginsOf(platform).map(({ id, manifest }) => [id, manifest.version]),
    [
      ['alpha', '1.0.0'],
      ['beta', pluginsOf(platform)[1]?.manifest.version]
    ]
  )
})

test('config for a plugin that is nowhere is refused with a hint', async (t) => {
  t.match(await refusal({ config: { plugins: { ghost: {} } } }), {
    code: 'KRN_CONFIG_PLUGIN_UNKNOWN',
    remedy: /@keelson\/ghost and ghost are not installed.*plugins\.ghost\.package/
  })
  t.match(await refusal({ config: { plugins: { aplha: {} } }, plugins: [plugin('alpha')] }), {
    remedy: /Did you mean alpha/
  })
})

test('several problems are reported at once', async (t) => {
  const error = await refusal({
    plugins: [plugin('alpha', { version: 'one', kernel: 'newest' }), plugin('beta', { rotues: [] })]
  })
  t.match(error, { code: 'KRN_SEVERAL_PROBLEMS', message: /3 problems/ })
  for (const code of ['KRN_VERSION_INVALID', 'KRN_RANGE_INVALID', 'KRN_MANIFEST_UNKNOWN_KEY']) {
    t.match(error.message, code)
  }
  const own = await refusal({ plugins: [plugin('alpha', { version: 'one', kernel: 'newest' })] })
  t.equal(own.plugin, 'alpha', 'of one plugin, they are its problems')
})

test('two plugins with one id, and a config that does not fit, are refused', async (t) => {
  t.match(await refusal({ plugins: [plugin('alpha'), plugin('alpha')] }), {
    code: 'KRN_PLUGIN_TWICE'
  })
  const options = { config: Type.Object({ limit: Type.Integer() }) }
  t.match(await refusal({ plugins: [plugin('alpha', {}, options)] }), {
    code: 'KRN_PLUGIN_CONFIG_INVALID',
    message: /plugins\.alpha\.config\.limit/
  })
  t.match(await refusal({ config: { pluginz: {} } }), { code: 'KRN_CONFIG_UNKNOWN_KEY' })
})

test('declared migrations and their code go together', async (t) => {
  const declared = { migrations: [{ id: '001-a', summary: 'A' }] }
  t.match(await refusal({ plugins: [plugin('alpha', declared)] }), {
    code: 'KRN_MIGRATION_CODE',
    message: /migrations\[0\].*001-a/
  })
  const code = { migrations: { '002-b': async () => {} } }
  t.match(await refusal({ plugins: [plugin('alpha', {}, code)] }), {
    code: 'KRN_MIGRATION_UNDECLARED',
    message: /002-b/
  })
  const both = plugin('alpha', declared, { migrations: { '001-a': async () => {} } })
  t.equal(await refusal({ plugins: [both] }), undefined)
})

test('a switched-off plugin also disables the plugins that need it', async (t) => {
  const platform = await validatePlatform({
    config: { plugins: { base: { enabled: false } } },
    plugins: [
      plugin('base', { provides: ['base.store/v1'] }),
      plugin('alpha', { requires: { base: '*' } }),
      plugin('beta', { requires: { alpha: '*' } }),
      plugin('gamma', { uses: ['base.store/v1'] }),
      plugin('delta', { uses: [{ capability: 'base.store/v1', optional: true }] })
    ],
    env: {}
  })
  t.same(
    pluginsOf(platform).map(({ id }) => id),
    ['delta']
  )
  t.match(
    platform.disabled.map(({ id, reason }) => [id, reason.code]),
    [
      ['base', 'KRN_SWITCHED_OFF'],
      ['alpha', 'KRN_DEPENDENCY_DOWN'],
      ['gamma', 'KRN_DEPENDENCY_DOWN'],
      ['beta', 'KRN_DEPENDENCY_DOWN']
    ]
  )
})

test('a switched-off plugin may be missing or broken', async (t) => {
  const folder = t.testdir({ torn: { 'plugin.json': '{' } })
  const platform = await validatePlatform({
    config: {
      plugins: {
        gone: { enabled: false },
        nowhere: { enabled: false, package: './nowhere' },
        torn: { enabled: false, package: join(folder, 'torn') },
        wrong: { enabled: false }
      }
    },
    plugins: [plugin('wrong', { rotues: [] })],
    env: {}
  })
  t.same(pluginsOf(platform), [])
  t.match(platform.disabled, [
    { id: 'wrong', version: '1.0.0', known: undefined },
    { id: 'gone', version: '', known: undefined },
    { id: 'nowhere' },
    { id: 'torn' }
  ])
})

test('a plugin that joins later is held to the same rules', async (t) => {
  const running = pluginsOf(
    await validatePlatform({ config: {}, plugins: [plugin('base')], env: {} })
  )
  const join = (id: string, more = {}, config = {}) => {
    const manifest = sampleManifest(id, more)
    const [joining] = [definePlugin({ manifest, register() {} })]
    const definition = joining[Symbol.for('keelson.plugin') as never]
    return validateOne(
      { source: 'by hand', folder: undefined, manifest, definition, entry: { config } },
      { running, disabled: [], addresses: kernelAddresses() }
    )
  }
  t.match(join('alpha', { requires: { base: '*' } }), { id: 'alpha', needs: ['base'] })
  t.throws(() => join('base'), { code: 'KRN_PLUGIN_TWICE' })
  t.throws(() => join('alpha', { version: 'x' }), { code: 'KRN_VERSION_INVALID' })
  t.throws(() => join('alpha', { requires: { ghost: '*' } }), { code: 'KRN_REQUIRES_MISSING' })
  t.throws(() => join('alpha', {}, { x: 1 }), { code: 'KRN_PLUGIN_CONFIG_UNKNOWN_KEY' })
})

test('an inline plugin may say where its folder is', async (t) => {
  const folder = t.testdir({})
  const options = { folder: pathToFileURL(`${folder}/`) }
  const platform = await validatePlatform({
    config: {},
    plugins: [plugin('a', {}, options)],
    env: {}
  })
  t.equal(pluginsOf(platform)[0]?.folder?.replace(/\/$/, ''), folder)
})
