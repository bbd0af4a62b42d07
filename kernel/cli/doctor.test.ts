// keelson doctor: what it finds, and that one trouble hides no other.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from '../storage/connect.ts'
import { keelson, platformFolder, writeFiles } from './testing/platform-folder.ts'

const noHost = { PORT: '9' }
const alpha = {
  collections: [{ name: 'alpha_items', indexes: [{ name: 'by_a', keys: { a: 1 } }] }],
  queues: [{ name: 'work', collection: 'alpha_items' }]
}

async function storageOf(t: Test, folder: string) {
  const config = JSON.parse(await readFile(join(folder, 'keelson.config.json'), 'utf8'))
  const storage = await connectStorage(config.storage, { baseDir: folder, log: silentLog })
  t.teardown(() => storage.close())
  return storage.db
}

const levels = (json: { findings: { area: string; level: string }[] }, area: string) =>
  json.findings.filter((finding) => finding.area === area).map((finding) => finding.level)

test('a healthy platform has nothing to put right', async (t) => {
  const folder = await platformFolder(t, { alpha })
  await keelson(folder, ['apply'])
  const { code, json } = await keelson(folder, ['doctor', '--json'], noHost)
  t.equal(code, 0)
  t.match(json, {
    ok: true,
    environment: { node: process.versions.node },
    config: { file: join(folder, 'keelson.config.json'), plugins: ['alpha'] },
    database: { description: /engine|MongoDB/, version: /^\d/, kind: 'replica set' },
    pending: [],
    drift: { collections: [], indexes: [], missing: [] }
  })
  const isEngine = !/mongod/i.test(json.database.description)
  t.equal(json.database.file?.leakedPages, isEngine ? 0 : undefined)
  t.match(await keelson(folder, ['doctor'], noHost), {
    code: 0,
    stdout: /database +.*answers in[\s\S]*as declared/
  })
})

test('pending steps, drift and queues that are behind are warnings with a remedy', async (t) => {
  const folder = await platformFolder(t, { alpha })
  const db = await storageOf(t, folder)
  const old = new Date(Date.now() - 3_600_000)
  await db
    .collection<{ _id: string; dueAt: Date }>('alpha_items')
    .insertOne({ _id: 'x', dueAt: old })
  await db.collection('alpha_items').createIndex({ mine: 1 }, { name: 'mine' })
  const { code, json, stdout } = await keelson(folder, ['doctor', '--json'], noHost)
  t.equal(code, 0, stdout)
  t.same(levels(json, 'storage'), ['warn', 'warn'])
  t.same(levels(json, 'queues'), ['warn'])
  const text = await keelson(folder, ['doctor'], noHost)
  t.match(text.stdout, /alpha_items mine[\s\S]*keelson apply/)
  t.notMatch(text.stdout, /drop/i)
})

test('collections of the host, and of plugins that are off or in code, are left in peace', async (t) => {
  const beta = { collections: [{ name: 'beta_items', indexes: [] }] }
  const gamma = { collections: [{ name: 'gamma_items', indexes: [] }] }
  const folder = await platformFolder(t, { alpha, beta, gamma })
  await keelson(folder, ['apply'])
  const db = await storageOf(t, folder)
  await db.collection('orders_of_the_host').insertOne({})
  const file = join(folder, 'keelson.config.json')
  const config = JSON.parse(await readFile(file, 'utf8'))
  const { alpha: on } = config.plugins
  const look = async (plugins: object) => {
    await writeFiles(folder, { 'keelson.config.json': { ...config, plugins } })
    return (await keelson(folder, ['doctor'], noHost)).stdout
  }
  const off = await look({ alpha: on, beta: { ...config.plugins.beta, enabled: false }, gamma: {} })
  t.notMatch(off, /orders_of_the_host|beta_items|gamma_items|drop/i)
  const gone = await look({ alpha: on, gamma: {} })
  t.match(gone, /WARN +storage +1 collections were made for beta.*: beta_items/)
  t.match(gone, /keelson purge beta/)
  t.notMatch(gone, /orders_of_the_host|gamma_items|drop/i)
})

test('a config that cannot be used is a failure', async (t) => {
  const { code, json } = await keelson(t.testdir(), ['doctor', '--json'], noHost)
  t.equal(code, 1)
  t.equal(json.ok, false)
  t.same(levels(json, 'config'), ['fail'])
})

test('a database that does not answer is a failure and hides nothing else', async (t) => {
  const folder = await platformFolder(
    t,
    {},
    {
      'keelson.config.json': {
        storage: { uri: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=50' }
      }
    }
  )
  const { code, json } = await keelson(folder, ['doctor', '--json'], noHost)
  t.equal(code, 1)
  t.same([levels(json, 'config'), levels(json, 'database')], [['ok'], ['fail']])
})

test('the plugins of a running host are asked for', async (t) => {
  const plugins = [
    { id: 'alpha', version: '1.0.0', state: 'ready' },
    { id: 'beta', version: '1.0.0', state: 'degraded', reason: 'a page is missing' },
    { id: 'gamma', version: '1.0.0', state: 'failed', reason: 'no luck', remedy: 'Try again.' }
  ]
  const server = createServer(({ url }, reply) => {
    const isHealth = url === '/health/plugins' || url === '/platform/health/plugins'
    reply.end(JSON.stringify(isHealth ? { plugins } : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const folder = await platformFolder(t, {})
  const env = { HOST: '127.0.0.1', PORT: String(port) }
  const { code, json } = await keelson(folder, ['doctor', '--json'], env)
  t.equal(code, 1)
  t.same(levels(json, 'plugins'), ['ok', 'warn', 'fail'])
  t.same(json.plugins, plugins)
  const below = await keelson(folder, ['doctor', '--json', '--prefix', 'platform/'], env)
  t.same(below.json.plugins, plugins)
  const none = await keelson(folder, ['doctor', '--json', '--prefix', '/other'], env)
  t.match(none.json.findings.at(-1).message, /no host answers at .*\/other\/health\/plugins/)
})
