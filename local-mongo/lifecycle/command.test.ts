// The command `local-mongo` as a process: refusals, signals, and a disk without room.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tap, { test } from 'tap'
import { startLocalMongo } from '../index.ts'
import { connectTo, temporaryFolder } from '../server/test-server.fixture.ts'
import { BIN, run } from './processes.fixture.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

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
  const client = await connectTo(t, uri)
  await client.db('d').collection('c').insertOne({})
  child.kill('SIGTERM')
  t.equal(await client.db('d').collection('c').countDocuments(), 1, 'it still serves')
  await client.close()
  t.same(await once(child, 'exit'), [0, null])
})

test('on a full disk writes fail with OutOfDiskSpace, reads go on, and nothing is half done', async (t) => {
  const dataDir = await temporaryFolder(t)
  // A limit on the size of files, in blocks of 512 bytes, stands for the disk.
  const limited = ['-c', 'ulimit -f 16384; exec "$@"', 'sh', process.execPath, BIN]
  const child = spawn('/bin/sh', [...limited, '--data', dataDir])
  t.teardown(async () => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const client = await connectTo(t, JSON.parse(String(line)).uri)
  const c = client.db('d').collection<{ _id: number; text: string }>('c')
  await c.createIndex({ text: 1 })
  // Nothing that can be compressed.
  const text = randomBytes(75_000).toString('base64')
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

test('killed while it compacts, the command leaves a folder with all documents', async (t) => {
  const dataDir = await temporaryFolder(t)
  const handle = await startLocalMongo({ dataDir })
  const client = await connectTo(t, handle.uri)
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, text: randomBytes(90).toString() }))
  await client.db('d').collection('c').insertMany(rows)
  await client.close()
  await handle.close()
  for (const changes of [1, 2]) {
    const watched = watch(dataDir)
    const child = spawn(process.execPath, [BIN, 'compact', '--data', dataDir])
    const exited = once(child, 'exit')
    let seen = 0
    watched.on('change', (kind, name) => {
      // The folder of the copy appears; the copy takes the place of the data.
      if (kind !== 'rename' || !/^(\.compacting|data\.mdb)$/.test(String(name))) return
      if (++seen === changes) child.kill('SIGKILL')
    })
    await exited
    watched.close()
    t.ok(seen >= changes, 'it was seen at work')
    t.match(await run('check', '--data', dataDir), { code: 0, out: /"documents":20000/ })
    t.notOk((await readdir(dataDir)).includes('.compacting'))
  }
})

test('the command asks for a password of some length, and looks after folders', async (t) => {
  const folder = await temporaryFolder(t)
  const [dataDir, backup, restored] = ['data', 'backup', 'restored'].map((name) =>
    join(folder, name)
  ) as [string, string, string]
  const file = join(folder, 'password')
  await writeFile(file, 'short')
  t.match(await run('--data', dataDir, '--host', '0.0.0.0', '--password-file', file), {
    code: 1,
    err: /at least 12 characters/
  })
  t.match(await run('check', '--data', dataDir), { code: 0, out: /"ok":true.*"leakedPages":0/ })
  t.match(await run('compact', '--data', dataDir), { code: 0, out: /^{"bytesBefore":\d+,"byt/ })
  t.match(await run('backup', '--data', dataDir, '--to', backup), { code: 0, out: /backup/ })
  t.match(await run('backup', '--data', dataDir, '--to', backup), { code: 1, err: /not empty/ })
  t.match(await run('restore', '--data', restored, '--from', backup), { code: 0, out: /restored/ })
})
