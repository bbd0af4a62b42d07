// The shared engine's process: who starts it, who shares it, when it ends, and what survives its death.
import type { ChildProcess } from 'node:child_process'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { test } from 'tap'
import type { LogEvent } from '../index.ts'
import { startLocalMongo } from '../index.ts'
import type { Scope } from '../server/test-server.fixture.ts'
import { temporaryFolder } from '../server/test-server.fixture.ts'

const BIN = fileURLToPath(new URL('../../bin.mjs', import.meta.url))
const HOST = fileURLToPath(new URL('./host.fixture.js', import.meta.url))

/** Resolves when a process is gone. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A process that starts the engine and keeps its handle. */
async function startHost(t: Scope, dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const child = fork(HOST, [dataDir])
  t.teardown(async () => child.kill('SIGKILL'))
  const [message] = (await once(child, 'message')) as [{ pid: number }]
  return { child, pid: message.pid }
}

async function connect(t: Scope, uri: string): Promise<MongoClient> {
  const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 20_000 }).connect()
  t.teardown(() => client.close())
  return client
}

test('several starters of one folder share one engine, which ends with the last', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handles = await Promise.all([1, 2, 3].map(() => startLocalMongo({ dataDir })))
  const [first] = handles
  if (!first) throw new Error('none')
  t.equal(new Set(handles.map(({ pid }) => pid)).size, 1)
  t.equal(new Set(handles.map(({ uri }) => uri)).size, 1)
  const client = await new MongoClient(first.uri).connect()
  await client.db('d').collection('c').insertOne({ a: 1 })
  await client.close()
  for (const handle of handles) await handle.close()
  await gone(first.pid)
  const again = await startLocalMongo({ dataDir })
  t.equal(again.uri, first.uri)
  const other = await new MongoClient(again.uri).connect()
  t.equal(await other.db('d').collection('c').countDocuments(), 1)
  await other.close()
  await again.close()
})

test('starters in different processes share one engine', async (t) => {
  const dataDir = await temporaryFolder(t)
  const hosts = await Promise.all([1, 2].map(() => startHost(t, dataDir)))
  const handle = await startLocalMongo({ dataDir })
  t.same(new Set([...hosts.map(({ pid }) => pid), handle.pid]).size, 1)
  for (const { child } of hosts) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const client = await new MongoClient(handle.uri).connect()
  t.match(await client.db('d').command({ ping: 1 }), { ok: 1 })
  await client.close()
  await handle.close()
  await gone(handle.pid)
})

test('the engine ends by itself when its only host was killed', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { child, pid } = await startHost(t, dataDir)
  child.kill('SIGKILL')
  await gone(pid)
  t.pass('it is gone')
})

test('an engine that dies comes back on the same address, with what it had acknowledged', async (t) => {
  const dataDir = await temporaryFolder(t)
  const events: LogEvent[] = []
  let isBack: () => void = () => {}
  const back = new Promise<void>((resolve) => {
    isBack = resolve
  })
  const log = (event: LogEvent): void => {
    events.push(event)
    if (/is back/.test(event.message)) isBack()
  }
  const handle = await startLocalMongo({ dataDir, log })
  const client = await connect(t, handle.uri)
  const c = client.db('d').collection<{ _id: number }>('c')
  for (let _id = 0; _id < 20; _id++) await c.insertOne({ _id })
  const dead = handle.pid
  process.kill(dead, 'SIGKILL')
  await back
  await c.insertOne({ _id: 20 })
  t.equal(await c.countDocuments(), 21)
  t.not(handle.pid, dead)
  t.match(events, [{ message: /lost/, pid: dead }, { message: /back/ }])
  await client.close()
  await handle.close()
})

test('transactions and retryable writes work over the socket', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handle = await startLocalMongo({ dataDir })
  const client = await connect(t, handle.uri)
  const c = client.db('d').collection<{ _id: number }>('c')
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await c.insertOne({ _id: 1 }, { session })
      await c.insertOne({ _id: 2 }, { session })
    })
  )
  t.equal(await c.countDocuments(), 2)
  await client.close()
  await handle.close()
})

test('a folder with a long path is served too', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'x'.repeat(150))
  await mkdir(dataDir)
  const handle = await startLocalMongo({ dataDir })
  const client = await connect(t, handle.uri)
  t.match(await client.db('d').command({ ping: 1 }), { ok: 1 })
  await client.close()
  await handle.close()
})

test('an engine of one’s own listens on a port and ends when it is closed', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handle = await startLocalMongo({ dataDir, port: 0 })
  t.match(handle.uri, /^mongodb:\/\/127\.0\.0\.1:\d+\//)
  const client = await connect(t, handle.uri)
  t.match(await client.db('d').command({ ping: 1 }), { ok: 1 })
  await t.rejects(startLocalMongo({ dataDir, port: 0 }), { message: /in use/ })
  await client.close()
  await handle.close()
  await gone(handle.pid)
})

test('a folder of another database is refused', async (t) => {
  const dataDir = await temporaryFolder(t)
  await mkdir(join(dataDir, 'WiredTiger'))
  await t.rejects(startLocalMongo({ dataDir }), { message: /another database/ })
})

/** Runs the command until it ends. */
async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [BIN, ...argv])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

test('the command refuses a folder in use, and a wrong command line', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handle = await startLocalMongo({ dataDir })
  t.match(await run('--data', dataDir), { code: 75, err: /folder .* is in use by process \d+/ })
  t.match(await run('check', '--data', dataDir), { code: 75, err: /in use/ })
  await handle.close()
  t.match(await run('--data', dataDir, '--host', '0.0.0.0'), { code: 2, err: /loopback/ })
  t.match(await run('--help'), { code: 0, out: /--data DIR/ })
})

test('SIGTERM ends the command with 0 once its clients have gone', async (t) => {
  const dataDir = await temporaryFolder(t)
  const child = spawn(process.execPath, [BIN, '--data', dataDir])
  const [line] = await once(child.stdout, 'data')
  const { uri, pid } = JSON.parse(String(line))
  t.equal(pid, child.pid)
  const client = await connect(t, uri)
  await client.db('d').collection('c').insertOne({})
  child.kill('SIGTERM')
  t.equal(await client.db('d').collection('c').countDocuments(), 1, 'it still serves')
  await client.close()
  t.same(await once(child, 'exit'), [0, null])
})

test('a folder is checked, backed up and restored', async (t) => {
  const folder = await temporaryFolder(t)
  const [dataDir, backup, restored] = ['data', 'backup', 'restored'].map((name) =>
    join(folder, name)
  ) as [string, string, string]
  const handle = await startLocalMongo({ dataDir })
  const client = await connect(t, handle.uri)
  await client.db('d').collection('c').createIndex({ a: 1 })
  await client
    .db('d')
    .collection('c')
    .insertMany([{ a: 1 }, { a: 2 }])
  await client.close()
  await handle.close()
  await gone(handle.pid)
  const checked = await run('check', '--data', dataDir)
  t.equal(checked.code, 0, checked.err)
  t.match(JSON.parse(checked.out), { ok: true, documents: 2 })
  t.match(await run('backup', '--data', dataDir, '--to', backup), { code: 0 })
  t.match(await run('backup', '--data', dataDir, '--to', backup), { code: 1, err: /not empty/ })
  t.match(await run('restore', '--data', restored, '--from', backup), { code: 0 })
  const again = await startLocalMongo({ dataDir: restored })
  const other = await connect(t, again.uri)
  t.equal(await other.db('d').collection('c').countDocuments({ a: 2 }), 1)
  await other.close()
  await again.close()
  t.ok((await readdir(dataDir)).includes('format.json'))
})

test('on a full disk writes fail with OutOfDiskSpace, reads go on, and nothing is half done', async (t) => {
  const dataDir = await temporaryFolder(t)
  // A limit on the size of files, in blocks of 512 bytes, stands for the disk.
  const limited = ['-c', 'ulimit -f 16384; exec "$@"', 'sh', process.execPath, BIN]
  const child = spawn('/bin/sh', [...limited, '--data', dataDir])
  t.teardown(async () => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const client = await connect(t, JSON.parse(String(line)).uri)
  const c = client.db('d').collection<{ _id: number; text: string }>('c')
  await c.createIndex({ text: 1 })
  const text = 'x'.repeat(100_000)
  let stored = 0
  const fill = async (): Promise<never> => {
    for (;;) {
      await c.insertMany([
        { _id: stored, text },
        { _id: stored + 1, text }
      ])
      stored += 2
    }
  }
  const error = await fill().catch((thrown) => thrown)
  t.equal(error.code, 14_031, error.message)
  t.ok(stored > 10)
  t.equal(await c.countDocuments(), stored)
  t.equal((await c.find().hint({ text: 1 }).toArray()).length, stored)
  t.match(await c.deleteMany({ _id: { $lt: 6 } }), { deletedCount: 6 })
  await client.close()
  child.kill('SIGTERM')
  t.same(await once(child, 'exit'), [0, null])
  t.match(await run('check', '--data', dataDir), { code: 0 })
})
