// A kept mongod: how it is started, found again, and what is said when it cannot be.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'tap'
import { keepMongod } from './mongod.ts'

/** Stands in for mongodb-memory-server-core: remembers what it was asked for. */
function starter() {
  const asked: unknown[] = []
  const stopped: unknown[] = []
  const MongoMemoryReplSet = {
    async create(options: unknown) {
      asked.push(options)
      return { stop: async (how: unknown) => void stopped.push(how) }
    }
  }
  return { asked, stopped, load: async () => ({ MongoMemoryReplSet }) }
}

test('a mongod is started as a replica set of one, with its data in the data folder', async (t) => {
  const dataDir = t.testdir()
  const { asked, load } = starter()
  const { uri } = await keepMongod(process.execPath, dataDir, load)
  const port = Number(await readFile(join(dataDir, 'mongod', 'port'), 'utf8'))
  t.equal(uri, `mongodb://127.0.0.1:${port}/?replicaSet=keelson`)
  t.match(asked, [
    {
      replSet: { name: 'keelson', count: 1 },
      instanceOpts: [{ port, dbPath: join(dataDir, 'mongod', 'data') }],
      binary: { systemBinary: process.execPath }
    }
  ])
})

test('"download" downloads into the data folder', async (t) => {
  const dataDir = t.testdir()
  const { asked, load } = starter()
  await keepMongod('download', dataDir, load)
  t.match(asked, [{ binary: { downloadDir: join(dataDir, 'mongod', 'binary') } }])
})

test('a later start comes back on the same port, and stopping keeps the data', async (t) => {
  const dataDir = t.testdir()
  const { stopped, load } = starter()
  const first = await keepMongod('download', dataDir, load)
  await first.stop()
  t.same(stopped, [{ doCleanup: false }])
  t.equal((await keepMongod('download', dataDir, load)).uri, first.uri)
})

test('a mongod that another process of the platform runs is shared', async (t) => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const dataDir = t.testdir({ mongod: { port: String(port) } })
  const { asked, load } = starter()
  const kept = await keepMongod('download', dataDir, load)
  await kept.stop()
  t.equal(kept.uri, `mongodb://127.0.0.1:${port}/?replicaSet=keelson`)
  t.same(asked, [])
})

test('when the package is missing the error says what to install', async (t) => {
  await t.rejects(keepMongod('download', t.testdir()), {
    code: 'KRN_STORAGE_MONGOD',
    message: /npm install mongodb-memory-server-core/
  })
})

test('a mongod that does not start is reported with its reason', async (t) => {
  const load = async () => ({
    MongoMemoryReplSet: {
      create: async () => {
        throw new Error('no such binary')
      }
    }
  })
  await t.rejects(keepMongod(process.execPath, t.testdir(), load), {
    code: 'KRN_STORAGE_MONGOD',
    message: /no such binary/
  })
})
