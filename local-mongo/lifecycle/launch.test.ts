// The shared engine's process: who starts it, who shares it, when it ends, and what survives its death.
// Runs beside the others: it waits for much of its time.
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import tap, { test } from 'tap'
import type { LogEvent } from '../index.ts'
import { startLocalMongo } from '../index.ts'
import type { Scope } from '../server/test-server.fixture.ts'
import { connectTo, temporaryFolder } from '../server/test-server.fixture.ts'
import { lockHolder } from './folder-lock.ts'
import { gone } from './processes.fixture.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

const HOST = fileURLToPath(new URL('./host.fixture.js', import.meta.url))

/** A process that starts the engine and keeps its handle. */
async function startHost(t: Scope, dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const child = fork(HOST, [dataDir])
  t.teardown(async () => child.kill('SIGKILL'))
  const [message] = (await once(child, 'message')) as [{ pid: number }]
  return { child, pid: message.pid }
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
  t.equal(await lockHolder(dataDir), undefined, 'it has left the folder')
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
  const client = await connectTo(t, handle.uri)
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
  const client = await connectTo(t, handle.uri)
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
  const client = await connectTo(t, handle.uri)
  t.match(await client.db('d').command({ ping: 1 }), { ok: 1 })
  await client.close()
  await handle.close()
})

test('an engine of one’s own listens on a port and ends when it is closed', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handle = await startLocalMongo({ dataDir, port: 0 })
  t.match(handle.uri, /^mongodb:\/\/127\.0\.0\.1:\d+\//)
  const client = await connectTo(t, handle.uri)
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

test('a handle that is closed while the engine is being started again releases it', async (t) => {
  const dataDir = await temporaryFolder(t)
  let isLost: () => void = () => {}
  const lost = new Promise<void>((resolve) => {
    isLost = resolve
  })
  const handle = await startLocalMongo({ dataDir, log: () => isLost() })
  // A handle alone does not keep its process from ending.
  const keepAlive = setInterval(() => {}, 1_000)
  process.kill(handle.pid, 'SIGKILL')
  await lost
  clearInterval(keepAlive)
  await handle.close()
  await gone(handle.pid)
  t.pass('it is gone')
})
