// keelson plan and keelson apply on a platform's folder.
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from '../storage/connect.ts'
import {
  keelson,
  manifestOf,
  platformFolder,
  sourceOf,
  testStorage,
  writeFiles
} from './testing/platform-folder.ts'

const items = (...fields: string[]) => ({
  collections: [
    {
      name: 'alpha_items',
      indexes: fields.map((field) => ({ name: `by_${field}`, keys: { [field]: 1 } }))
    }
  ]
})

test('plan prints what apply does, and a second plan is empty', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  const expected = [
    { action: 'create', plugin: 'alpha', collection: 'alpha_items' },
    { action: 'create', plugin: 'alpha', collection: 'alpha_items', index: 'by_a' }
  ]
  t.match(await keelson(folder, ['plan', '--json']), { code: 0, json: { steps: expected } })
  t.match(await keelson(folder, ['plan']), { code: 0, stdout: /2 steps:[\s\S]*by_a/ })
  t.match(await keelson(folder, ['apply', '--json']), { code: 0, json: { applied: expected } })
  t.match(await keelson(folder, ['plan', '--json']), { code: 0, json: { steps: [] } })
  t.match(await keelson(folder, ['plan']), { code: 0, stdout: /Nothing to do/ })
  t.match(await keelson(folder, ['apply']), { code: 0, stdout: /Nothing to do/ })
})

test('plan tells keys, uniqueness, time limits and sizes', async (t) => {
  const declared = (ttlSeconds: number, indexes: readonly object[] = []) => ({
    collections: [
      {
        name: 'alpha_items',
        indexes: [{ name: 'expiry', keys: { at: 1 }, ttlSeconds }, ...indexes]
      }
    ]
  })
  const folder = await platformFolder(t, { alpha: declared(60) })
  await keelson(folder, ['apply'])
  const byKey = { name: 'by_key', keys: { tenantId: 1, key: -1 }, unique: true }
  const manifest = manifestOf('alpha', declared(120, [byKey]))
  await writeFiles(folder, { 'plugins/alpha/plugin.json': manifest })
  const { stdout } = await keelson(folder, ['plan'])
  t.match(stdout, /create +alpha_items by_key +alpha +\{ tenantId: 1, key: -1 \} unique, about \d/)
  t.match(stdout, /collMod +alpha_items expiry +alpha +\{ at: 1 \} TTL 60 s -> 120 s, \d/)
  const { json } = await keelson(folder, ['plan', '--json'])
  t.match(json.steps, [
    { action: 'create', definition: { unique: true }, bytes: Number, documents: 0 },
    { action: 'modify', wasSeconds: 60 }
  ])
})

test('plan prints the commands that shard, when it is asked', async (t) => {
  const collections = [
    { name: 'alpha_items', indexes: [], shardKey: { tenantId: 1, at: -1 } },
    { name: 'alpha_notes', indexes: [] },
    { name: 'alpha_tokens', indexes: [], shardKey: { hash: 'hashed' } }
  ]
  const folder = await platformFolder(t, { alpha: { collections } })
  const { stdout } = await keelson(folder, ['plan', '--sharding'])
  t.match(stdout, /sh\.shardCollection\("[\w-]+\.alpha_items", \{"tenantId":1,"at":-1\}\)\n/)
  t.match(stdout, /sh\.shardCollection\("[\w-]+\.alpha_tokens", \{"hash":"hashed"\}\)/)
  t.notMatch(stdout, /shardCollection\("[\w-]+\.alpha_notes/)
  t.notMatch((await keelson(folder, ['plan'])).stdout, /shardCollection/)
  const { json } = await keelson(folder, ['plan', '--sharding', '--json'])
  t.equal(json.sharding.length, 2)
})

test('plan and apply see a plugin whose entry names no package', async (t) => {
  const folder = await platformFolder(t, {})
  await writeFiles(folder, {
    'node_modules/@keelson/alpha/plugin.json': manifestOf('alpha', items('a')),
    'keelson.config.json': { storage: await testStorage(), plugins: { alpha: { enabled: true } } }
  })
  t.match((await keelson(folder, ['plan', '--json'])).json, { steps: [{}, { index: 'by_a' }] })
})

test('apply says what it has done', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  t.match(await keelson(folder, ['apply']), { code: 0, stdout: /Done: 2 steps:[\s\S]*by_a/ })
})

test('the config is found by KEELSON_CONFIG and by the package.json of the folder', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  const elsewhere = t.testdirName
  const byName = { KEELSON_CONFIG: join(folder, 'keelson.config.json') }
  t.match(await keelson('/', ['plan', '--json'], byName), { code: 0, json: { steps: Array } })
  await writeFiles(elsewhere, {
    'root/package.json': { keelson: { config: './deep/keelson.config.json' } },
    'root/deep/keelson.config.json': { storage: await testStorage() }
  })
  const root = join(elsewhere, 'root')
  t.match(await keelson(root, ['plan', '--json']), { code: 0, json: { steps: [] } })
})

test('over the index budget plan fails before the database is opened', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a', 'b', 'c', 'd', 'e', 'f', 'g') })
  const plugins = { alpha: { package: './plugins/alpha' } }
  await writeFiles(folder, { 'keelson.config.json': { storage: { dataDir: './data' }, plugins } })
  const { code, stderr, json } = await keelson(folder, ['plan', '--json'])
  t.equal(code, 1)
  t.match(stderr, /alpha_items.*may: 7, .*budget of 6/)
  t.match(json, { error: { code: 'KRN_INDEX_COUNT', plugin: 'alpha' } })
  await t.rejects(access(join(folder, 'data')), { code: 'ENOENT' })
})

test('several faults of a manifest are all listed', async (t) => {
  const folder = await platformFolder(t, { alpha: { rotues: [], versoin: '1' } })
  const { code, stderr } = await keelson(folder, ['plan'])
  t.equal(code, 1)
  t.match(stderr, /rotues[\s\S]*versoin/)
})

test('faults of the config are listed', async (t) => {
  const folder = t.testdir({ 'keelson.config.json': '{ "pluginz": {} }' })
  t.match(await keelson(folder, ['plan']), { code: 1, stderr: /pluginz/ })
})

test('plugins that are switched off or given in code are left out', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  await writeFiles(folder, {
    'keelson.config.json': {
      storage: await testStorage(),
      plugins: { alpha: { package: './plugins/alpha', enabled: false }, inline: {} }
    }
  })
  t.match(await keelson(folder, ['plan', '--json']), { code: 0, json: { steps: [] } })
})

const migrating = {
  ...items('a'),
  migrations: [{ id: 'first', summary: 'Puts something there.' }]
}
const migratingSource = sourceOf(`migrations: {
  first: async host => { await host.collection('alpha_items').insertOne({ a: 1 }) }
}`)

test('plan names migrations without loading code, apply runs them', async (t) => {
  const folder = await platformFolder(t, { alpha: migrating })
  const code = { 'plugins/alpha/index.js': migratingSource }
  await writeFiles(folder, { 'plugins/alpha/index.js': 'throw new Error("not built")' })
  const planned = await keelson(folder, ['plan', '--json'])
  t.match(planned.json.steps.at(-1), { action: 'migrate', migration: 'alpha/first' })
  const other = await platformFolder(t, { alpha: migrating }, code)
  t.match(await keelson(other, ['apply']), { code: 0, stdout: /alpha\/first/ })
  t.match((await keelson(other, ['plan', '--json'])).json, { steps: [] })
})

test('apply can be held to one plugin', async (t) => {
  const beta = { collections: [{ name: 'beta_items', indexes: [] }] }
  const folder = await platformFolder(t, { alpha: items('a'), beta })
  t.match(await keelson(folder, ['apply', '--plugin', 'gamma']), {
    code: 2,
    stderr: /gamma/
  })
  const { json } = await keelson(folder, ['apply', '--plugin', 'beta', '--json'])
  t.match(json.applied, [{ collection: 'beta_items' }])
  const left = (await keelson(folder, ['plan', '--json'])).json.steps
  t.same(new Set(left.map((step: { plugin: string }) => step.plugin)), new Set(['alpha']))
})

test('indexes made by hand are shown by plan and left alone', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  await keelson(folder, ['apply'])
  const storage = await connectStorage(
    JSON.parse(await readFile(join(folder, 'keelson.config.json'), 'utf8')).storage,
    { baseDir: folder, log: silentLog }
  )
  await storage.db.collection('alpha_items').createIndex({ mine: 1 }, { name: 'mine' })
  await storage.close()
  t.match(await keelson(folder, ['plan']), { code: 0, stdout: /Left alone:\n {2}alpha_items mine/ })
  t.match((await keelson(folder, ['plan', '--json'])).json, {
    steps: [],
    strangers: [{ plugin: 'alpha', collection: 'alpha_items', index: 'mine' }]
  })
})

/** A config module with one plugin in code, which declares a collection. */
const configModule = (storage: object, more = '') => `
import { definePlugin } from ${JSON.stringify(import.meta.resolve('@keelson/sdk'))}
const manifest = ${JSON.stringify(manifestOf('alpha', items('a')))}
export default {
  storage: ${JSON.stringify(storage)},
  use: [definePlugin({ manifest, register() {} })],
  ${more}
}`

test('plan, apply and doctor know plugins that the config gives in code', async (t) => {
  const folder = t.testdir()
  const storage = await testStorage()
  await writeFiles(folder, {
    'keelson.config.js': configModule(storage),
    'package.json': { type: 'module' }
  })
  t.match(await keelson(folder, ['plan', '--json']), { json: { steps: [{ plugin: 'alpha' }, {}] } })
  t.match(await keelson(folder, ['apply']), { code: 0, stdout: /Done: 2 steps/ })
  t.match(await keelson(folder, ['plan']), { stdout: /Nothing to do/ })
  const { json } = await keelson(folder, ['doctor', '--json'])
  t.match(json.config, { plugins: ['alpha'] })
})

test('a plugin in code that the config switches off is left out', async (t) => {
  const folder = t.testdir()
  const off = configModule(await testStorage(), 'plugins: { alpha: { enabled: false } }')
  await writeFiles(folder, { 'keelson.config.mjs': off })
  t.match(await keelson(folder, ['plan', '--json']), { json: { steps: [] } })
})

test('several config files in a folder are refused by name', async (t) => {
  const folder = await platformFolder(t, {}, { 'keelson.config.mjs': 'export default {}' })
  t.match(await keelson(folder, ['plan', '--json']), {
    code: 1,
    json: { error: { code: 'KRN_CLI_CONFIG_SEVERAL' } },
    stderr: /keelson\.config\.json, keelson\.config\.mjs/
  })
})

test('a command names the database that it opens, and says when that is empty', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') })
  const first = await keelson(folder, ['plan', '--json'])
  t.match(
    first.stderr,
    /^Database: .*database test_.*keelson\.config\.json\)\. It is empty until now\.\n$/
  )
  t.same(first.json.steps.length, 2)
  await keelson(folder, ['apply'])
  const second = await keelson(folder, ['plan'])
  t.match(second.stderr, /^Database: .*database test_/)
  t.notMatch(second.stderr, 'It is empty')
})
