// Connections by hand: handshake, order, bounds, and bytes that no driver would send.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { BSON, MongoClient } from 'mongodb'
import { test } from 'tap'
import { openEngine } from '../engine/open.ts'
import { startServer } from './server.ts'
import {
  rawConnection,
  rawMessage,
  startTestServer,
  temporaryFolder
} from './test-server.fixture.ts'

const ping = { ping: 1, $db: 'admin' }

/** A legacy query, as drivers send it first. */
function legacyQuery(namespace: string, query: BSON.Document): Buffer {
  const bytes = Buffer.concat([
    Buffer.alloc(20),
    Buffer.from(`${namespace}\0`),
    Buffer.alloc(8),
    BSON.serialize(query)
  ])
  bytes.writeInt32LE(bytes.length, 0)
  bytes.writeInt32LE(2004, 12)
  return bytes
}

test('the legacy handshake is answered in its own form', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  raw.write(legacyQuery('admin.$cmd', { ismaster: 1, helloOk: true }))
  const reply = await raw.reply()
  t.equal(reply.readInt32LE(12), 1)
  t.match(BSON.deserialize(reply.subarray(36)), {
    ismaster: true,
    helloOk: true,
    setName: 'keelson',
    maxWireVersion: 25,
    ok: 1
  })
})

test('any other legacy query is refused, and the connection goes on', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  for (const bytes of [
    legacyQuery('test.c', {}),
    legacyQuery('test.$cmd', { find: 'c' }),
    legacyQuery('test.$cmd', {})
  ]) {
    raw.write(bytes)
    t.match(BSON.deserialize((await raw.reply()).subarray(36)), { ok: 0, code: 352 })
  }
  t.match(await raw.command(ping), { ok: 1 })
})

test('commands sent at once are answered in their order', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  raw.write(Buffer.concat([rawMessage(ping), rawMessage({ nope: 1, $db: 'a' }), rawMessage(ping)]))
  const answers = []
  for (let index = 0; index < 3; index++) {
    answers.push(BSON.deserialize((await raw.reply()).subarray(21))['ok'])
  }
  t.same(answers, [1, 0, 1])
})

test('a client that wants no answer gets none, also after it has said goodbye', async (t) => {
  const { port, db } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const insert = (_id: number) => rawMessage({ insert: 'c', documents: [{ _id }], $db: 'test' }, 2)
  raw.socket.end(Buffer.concat([insert(1), insert(2), insert(3)]))
  await raw.closed
  t.equal(await db.collection('c').countDocuments(), 3)
})

test('a message that comes byte by byte is answered', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  raw.socket.setNoDelay(true)
  for (const byte of rawMessage(ping)) {
    raw.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  t.match(BSON.deserialize((await raw.reply()).subarray(21)), { ok: 1 })
})

const changed = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = rawMessage(ping)
  change(bytes)
  return bytes
}
for (const [name, bytes] of Object.entries({
  'declares 2 GB': changed((it) => it.writeInt32LE(0x7ffffff0, 0)),
  'declares nothing': changed((it) => it.writeInt32LE(0, 0)),
  'is compressed': changed((it) => it.writeInt32LE(2012, 12)),
  'has an unknown section': changed((it) => it.writeUInt8(7, 20)),
  'has unknown flags': changed((it) => it.writeUInt32LE(0xfffc, 16))
})) {
  test(`a message that ${name} costs its connection and nothing else`, async (t) => {
    const { port, db, events } = await startTestServer(t)
    const raw = await rawConnection(t, port)
    raw.write(bytes)
    await raw.closed
    t.match(await db.command({ ping: 1 }), { ok: 1 })
    t.match(events.at(-1), { message: 'a connection was cut', client: /127\.0\.0\.1:\d+/ })
  })
}

test('a body that is not a document is refused with a code, and the connection goes on', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const body = Buffer.from(BSON.serialize(ping))
  body[4] = 99
  raw.write(rawMessage(body))
  t.match(BSON.deserialize((await raw.reply()).subarray(21)), { ok: 0, code: Number })
  t.match(await raw.command(ping), { ok: 1 })
})

test('a client that never reads holds back its own commands only', async (t) => {
  const { port, db } = await startTestServer(t)
  const text = 'x'.repeat(1024 * 1024)
  await db.collection('big').insertMany(Array.from({ length: 8 }, (_, k) => ({ k, text })))
  const raw = await rawConnection(t, port)
  raw.socket.pause()
  for (let index = 0; index < 40; index++) raw.write(rawMessage({ find: 'big', $db: 'test' }))
  t.match(await db.command({ ping: 1 }), { ok: 1 })
  t.equal(await db.collection('big').countDocuments(), 8)
  raw.socket.destroy()
})

test('more connections than the limit are closed at once', async (t) => {
  const { port, server } = await startTestServer(t, { maxConnections: 8 })
  const raws = []
  while (server.connections < 8) raws.push(await rawConnection(t, port))
  const extra = createConnection(port, '127.0.0.1')
  await once(extra.resume(), 'close')
  t.equal(server.connections, 8)
  t.match(await raws[0]?.command(ping), { ok: 1 })
})

test('a socket is for its owner alone', async (t) => {
  const dir = await temporaryFolder(t)
  const engine = await openEngine(dir, {})
  const path = join(dir, 'e.sock')
  const server = await startServer({ engine, endpoint: { kind: 'socket', path }, log: () => {} })
  t.teardown(async () => {
    await server.close()
    await engine.close()
  })
  t.equal((await stat(path)).mode & 0o777, 0o600)
  const raw = await rawConnection(t, path)
  t.match(await raw.command({ hello: 1, $db: 'admin' }), { me: path, hosts: [path] })
})

test('an address that is taken is an error', async (t) => {
  const { port, engine } = await startTestServer(t)
  const endpoint = { kind: 'tcp', host: '127.0.0.1', port } as const
  await t.rejects(startServer({ engine, endpoint, log: () => {} }), { code: 'EADDRINUSE' })
})

test('where a password is asked for, only who knows it may do anything', async (t) => {
  const dir = await temporaryFolder(t)
  const engine = await openEngine(dir, {})
  const server = await startServer({
    engine,
    endpoint: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    password: 'correct horse battery',
    log: () => {}
  })
  const clients: MongoClient[] = []
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await server.close()
    await engine.close()
  })
  const open = (userinfo: string): MongoClient => {
    const client = new MongoClient(`mongodb://${userinfo}${server.address}/?authSource=admin`)
    clients.push(client)
    return client
  }
  const known = open('local:correct%20horse%20battery@')
  t.match(await known.db('a').collection('c').insertOne({}), { acknowledged: true })
  await t.rejects(open('local:wrong@').db('a').collection('c').findOne(), { code: 18 })
  await t.rejects(open('other:correct%20horse%20battery@').db('a').collection('c').findOne(), {
    code: 18
  })
  await t.rejects(open('').db('a').collection('c').findOne(), { code: 13 })
  const raw = await rawConnection(t, Number(server.address.split(':').at(-1)))
  const start = { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: 'n,,n=local', $db: 'admin' }
  t.match(await raw.command({ saslContinue: 1, payload: '', $db: 'admin' }), { code: 17 })
  t.match(await raw.command({ ...start, mechanism: 'PLAIN' }), { code: 334 })
  t.match(await raw.command(start), { code: 18 })
  t.match(await raw.command({ logout: 1, $db: 'admin' }), { ok: 1 })
  t.match(await raw.command({ hello: 1, saslSupportedMechs: 'admin.local', $db: 'admin' }), {
    saslSupportedMechs: ['SCRAM-SHA-256']
  })
})
