// Where the database comes from, what is said about it, and that it is found again.
import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalMongo } from '@keelson/local-mongo'
import { MongoClient } from 'mongodb'
import { test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from './connect.ts'
import { watchReachability } from './reachability.ts'

const options = { baseDir: '/', log: silentLog }

test('without an address the built-in engine is used, in the data folder', async (t) => {
  const dataDir = t.testdir()
  const storage = await connectStorage({ dataDir, uri: '', mongod: '' }, options)
  t.teardown(() => storage.close())
  t.equal(storage.description, `the built-in engine in ${dataDir}, database keelson`)
  t.equal(storage.isReachable(), true)
  await storage.db.collection('alpha').insertOne({ n: 1 })
  t.match(await storage.db.collection('alpha').findOne(), { n: 1 })
})

test('a relative data folder is in the folder of the config', async (t) => {
  const baseDir = t.testdir()
  const storage = await connectStorage({ dataDir: 'data' }, { baseDir, log: silentLog })
  t.teardown(() => storage.close())
  t.match(storage.description, `${baseDir}/data`)
})

test('an address wins, its options are kept, and its credentials are not told', async (t) => {
  const engine = await startLocalMongo({ dataDir: t.testdir(), port: 0 })
  const uri = engine.uri.replace(/\?.*$/, 'inventory?directConnection=true&w=1&appName=mine')
  const storage = await connectStorage({ uri, dataDir: t.testdirName }, options)
  t.teardown(async () => {
    await storage.close()
    await engine.close()
  })
  t.match(storage.description, /^MongoDB at 127\.0\.0\.1:\d+, database inventory$/)
  t.match(storage.client.options, { appName: 'mine', writeConcern: { w: 1 } })
})

test('writes wait for the majority and the journal unless the address says otherwise', async (t) => {
  const storage = await connectStorage({ dataDir: t.testdir(), database: 'named' }, options)
  t.teardown(() => storage.close())
  t.match(storage.client.options.writeConcern, { w: 'majority', journal: true })
  t.equal(storage.db.databaseName, 'named')
})

test('every command is reported with its collection', async (t) => {
  const told: string[] = []
  const storage = await connectStorage(
    { dataDir: t.testdir() },
    {
      ...options,
      onCommand: ({ command, collection }) => void told.push(`${command} ${collection}`)
    }
  )
  t.teardown(() => storage.close())
  const items = storage.db.collection<{ _id: number }>('alpha_items')
  await items.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  await items.find({}, { batchSize: 2 }).toArray()
  await storage.db.command({ noSuchCommand: 'x' }).catch(() => {})
  t.same(told.slice(-4), [
    'insert alpha_items',
    'find alpha_items',
    'getMore alpha_items',
    'noSuchCommand x'
  ])
})

test('an address that cannot be read is refused without repeating it', async (t) => {
  const uri = 'mongodb://user:s3cret@host:1/?w=majority&noSuchOption=1&tls=maybe'
  const error = await connectStorage({ uri }, options).catch((caught) => caught)
  t.match(error, { code: 'KRN_STORAGE_URI' })
  t.notMatch(error.message, /s3cret/)
})

test('a server that does not answer is named, without credentials', async (t) => {
  const uri = 'mongodb://user:s3cret@127.0.0.1:9/?serverSelectionTimeoutMS=50'
  const error = await connectStorage({ uri }, options).catch((caught) => caught)
  t.match(error, { code: 'KRN_STORAGE_UNREACHABLE', message: /MongoDB at 127\.0\.0\.1:9/ })
  t.notMatch(error.message, /s3cret/)
})

test('an engine that cannot start is an error that names the folder', async (t) => {
  const dataDir = t.testdir({ file: 'in the way' })
  await t.rejects(connectStorage({ dataDir: `${dataDir}/file` }, options), {
    code: 'KRN_STORAGE_ENGINE',
    message: new RegExp(dataDir)
  })
})

test('a client that has not connected is not reachable', async (t) => {
  const client = new MongoClient('mongodb://127.0.0.1:9')
  t.equal(watchReachability(client)(), false)
  await client.close()
})

test('an engine that is killed is back by itself, with what was written', async (t) => {
  const dataDir = t.testdir()
  const storage = await connectStorage({ dataDir }, options)
  t.teardown(() => storage.close())
  const items = storage.db.collection<{ _id: string }>('alpha_items')
  await items.insertOne({ _id: 'before' })
  const other = await startLocalMongo({ dataDir })
  const { pid } = other
  await other.close()
  process.kill(pid, 'SIGKILL')
  while (!(await items.insertOne({ _id: 'after' }).catch(() => undefined))) await sleep(50)
  t.same(await items.find().sort({ _id: 1 }).toArray(), [{ _id: 'after' }, { _id: 'before' }])
  t.equal(storage.isReachable(), true)
})

test('a server that goes away is not reachable until it comes back', async (t) => {
  const dataDir = t.testdir()
  const engine = await startLocalMongo({ dataDir, port: 0 })
  const uri = `${engine.uri}&heartbeatFrequencyMS=500&serverSelectionTimeoutMS=10000`
  const storage = await connectStorage({ uri }, options)
  t.equal(storage.isReachable(), true)
  process.kill(engine.pid, 'SIGKILL')
  while (storage.isReachable()) await sleep(20)
  const back = await startLocalMongo({ dataDir, port: Number(new URL(uri).port) })
  await storage.db.command({ ping: 1 })
  t.equal(storage.isReachable(), true)
  await storage.close()
  await back.close()
})
