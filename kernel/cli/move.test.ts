// keelson move: the whole database on another MongoDB, verified, and nothing twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startLocalMongo } from '@keelson/local-mongo'
import { Binary, Decimal128, Double, Int32, Long, MongoClient, ObjectId, Timestamp } from 'mongodb'
import { type Test, test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage, type Storage } from '../storage/connect.ts'
import { keelson, platformFolder, testStorage } from './testing/platform-folder.ts'

const EVERY_TYPE = {
  int: new Int32(1),
  double: new Double(1),
  long: Long.fromString('9007199254740993'),
  decimal: Decimal128.fromString('1.10'),
  date: new Date(0),
  binary: new Binary(Buffer.from([1, 2, 3])),
  id: new ObjectId('0123456789abcdef01234567'),
  stamp: new Timestamp({ t: 1, i: 2 }),
  pattern: /a.b/i,
  nothing: null,
  list: [1, 'two', { three: 3 }],
  text: 'naïve 🙂'
}

/** A platform with data, and the address of an empty database. */
async function opened(t: Test) {
  const storage = await testStorage()
  const folder = await platformFolder(t, {}, { 'keelson.config.json': { storage, plugins: {} } })
  const source = await connectStorage(storage, { baseDir: folder, log: silentLog })
  t.teardown(() => source.close())
  const name = `${source.db.databaseName}_to`
  const uri = (await serverUri(t, storage)).replace(/\/?(\?|$)/, `/${name}$1`)
  const client = await new MongoClient(uri).connect()
  t.teardown(async () => {
    await client.db(name).dropDatabase()
    await client.close()
  })
  await fill(source)
  return { folder, uri, source: source.db, target: client.db(name) }
}

async function serverUri(t: Test, { uri, dataDir = '' }: Readonly<Record<string, string>>) {
  if (uri !== undefined) return uri
  const engine = await startLocalMongo({ dataDir })
  t.teardown(() => engine.close())
  return engine.uri
}

async function fill({ db }: Storage): Promise<void> {
  await db.createCollection('alpha_items')
  const items = db.collection<{ _id: unknown }>('alpha_items')
  await items.insertMany(Array.from({ length: 2500 }, (_, at) => ({ _id: at, by: at % 7 })))
  await items.insertMany(
    ['text', new Date(5), new ObjectId(), { a: 1 }].map((_id) => ({ _id, ...EVERY_TYPE }))
  )
  await items.createIndex({ by: 1, _id: -1 }, { name: 'by', hidden: true })
  await items.createIndex({ key: 1 }, { name: 'key', unique: true, sparse: true })
  // Not over while the test runs: the database would delete them at any moment.
  await db.collection('alpha_old').insertMany([{ at: new Date() }, { at: new Date() }])
  await db.collection('alpha_old').createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
  await db.createCollection('alpha_empty')
}

/** Moves to the target, and holds that all of the source is there. */
async function moveAll(
  t: Test,
  { folder, uri, source, target }: Awaited<ReturnType<typeof opened>>
) {
  const { code, json } = await keelson(folder, ['move', '--to', uri, '--json'])
  t.equal(code, 0)
  t.match(json.collections, [
    { collection: 'alpha_empty', documents: 0, indexes: 0 },
    { collection: 'alpha_items', documents: 2504, indexes: 2, sha256: /^[0-9a-f]{64}$/ },
    { collection: 'alpha_old', documents: 2, indexes: 1 }
  ])
  const [ours, theirs] = await Promise.all(
    [source, target].map((db) => db.collection('alpha_items').find().sort({ _id: 1 }).toArray())
  )
  t.strictSame(theirs, ours)
}

test('move copies documents of all types and indexes, and says so', async (t) => {
  const places = await opened(t)
  const { source, target } = places
  await moveAll(t, places)
  t.strictSame(
    await target.collection('alpha_items').listIndexes().toArray(),
    await source.collection('alpha_items').listIndexes().toArray()
  )
  t.same(await target.listCollections({ name: 'keelson_move' }).toArray(), [])
})

test('the answer names what to set, and no password', async (t) => {
  const { folder, uri, target } = await opened(t)
  const { code, stdout, stderr } = await keelson(folder, ['move', '--to', uri])
  t.equal(code, 0)
  t.match(stdout, new RegExp(`storage.database to "${target.databaseName}"`))
  t.match(stdout, /alpha_items +2504 documents +2 indexes/)
  t.match(stderr, /alpha_items: 2504 documents verified/)
})

test('a database with data of its own is left alone', async (t) => {
  const { folder, uri, target } = await opened(t)
  await target.collection('theirs').insertOne({ a: 1 })
  t.match(await keelson(folder, ['move', '--to', uri, '--json']), {
    code: 1,
    json: { error: { code: 'KRN_CLI_MOVE_TAKEN' } }
  })
  t.same(
    (await target.listCollections().toArray()).map(({ name }) => name),
    ['theirs']
  )
})

test('a copy that was interrupted goes on, mends what differs and removes what is gone', async (t) => {
  const { folder, uri, source, target } = await opened(t)
  const { collections } = (await keelson(folder, ['move', '--to', uri, '--json'])).json
  // As after an end in the middle: the mark is there, and not all documents are.
  const description = (await keelson(folder, ['move', '--to', uri, '--json'])).stderr
  t.match(description, /not empty/, 'a finished copy is taken')
  const mark = { _id: 'move', source: await sourceOf(folder) }
  await target.collection<{ _id: string }>('keelson_move').insertOne(mark)
  const items = target.collection<{ _id: string | number }>('alpha_items')
  await items.deleteMany({ _id: { $gte: 1000, $lt: 1700 } })
  await items.updateOne({ _id: 5 }, { $set: { by: 99 } })
  await items.insertOne({ _id: 'only here' })
  await target.collection('alpha_old').drop()
  const again = await keelson(folder, ['move', '--to', uri, '--json'])
  t.equal(again.code, 0)
  t.strictSame(again.json.collections, collections)
  t.equal(await source.collection('alpha_items').countDocuments(), 2504)
})

/** Runs the command in a process that kills itself as it prints a line that begins so. */
async function killedAt(line: string, folder: string, uri: string): Promise<string | null> {
  const bin = fileURLToPath(new URL('../../cli/keelson.mjs', import.meta.url))
  const preload = `const { stderr } = process
const write = stderr.write.bind(stderr)
stderr.write = (text) => {
  if (String(text).trim().startsWith(${JSON.stringify(line)})) process.kill(process.pid, 'SIGKILL')
  return write(text)
}`
  const from = `data:text/javascript,${encodeURIComponent(preload)}`
  const child = spawn(process.execPath, ['--import', from, bin, 'move', '--to', uri], {
    cwd: folder,
    stdio: 'ignore'
  })
  const [, signal] = await once(child, 'close')
  return signal
}

test('a copy that is killed at any of its steps goes on to the same counts and checksums', async (t) => {
  const places = await opened(t)
  const { folder, uri, target } = places
  // In the order of the copy: documents of each collection, then indexes.
  for (const line of [
    'Database:',
    'alpha_empty: 0 documents verified',
    'alpha_items: 2504 documents verified',
    'alpha_old: 2 documents verified',
    'alpha_items: 2 indexes',
    'alpha_old: 1 indexes'
  ]) {
    t.equal(await killedAt(line, folder, uri), 'SIGKILL', line)
  }
  t.ok(await target.collection('keelson_move').findOne(), 'the mark of an unfinished copy is there')
  await moveAll(t, places)
  t.same(await target.listCollections({ name: 'keelson_move' }).toArray(), [])
})

test('without --to the command says what is missing', async (t) => {
  const { folder } = await opened(t)
  t.match(await keelson(folder, ['move']), { code: 2, stderr: /--to is missing/ })
})

/** How `keelson` names the database of a folder. */
async function sourceOf(folder: string): Promise<string> {
  const { stderr } = await keelson(folder, ['plan'])
  return /^Database: (.*) \(config/m.exec(stderr)?.[1] ?? ''
}
