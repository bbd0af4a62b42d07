// Looking after data folders: check, compact, backup while serving and at rest, restore.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import type { Scope } from '../server/test-server.fixture.ts'
import { connectTo, rawConnection, temporaryFolder } from '../server/test-server.fixture.ts'
import type { RunningServer } from './serve.ts'
import { serve } from './serve.ts'
import { socketAddress } from './socket-address.ts'
import { backupFolder, checkFolder, compactFolder, restoreFolder } from './tend.ts'

const listen = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const

async function startServing(dataDir: string): Promise<RunningServer> {
  const options = { dataDir, listen, passwordFile: undefined, untilStdinEnds: false }
  const served = await serve(options, () => {}, {})
  if (served.kind === 'refused') throw new Error(served.reason)
  return served.running
}

/** A folder with three documents and an index. */
async function filledFolder(t: Scope, name: string): Promise<string> {
  const dataDir = join(await temporaryFolder(t), name)
  const running = await startServing(dataDir)
  const client = await connectTo(t, running.uri)
  await client.db('d').collection('c').createIndex({ a: 1 })
  await client
    .db('d')
    .collection('c')
    .insertMany([{ a: 1 }, { a: 2 }, { a: 3 }])
  await client.close()
  await running.end()
  return dataDir
}

test('a folder that is not served is checked, copied and restored', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const backup = join(dataDir, '..', 'backup')
  const restored = join(dataDir, '..', 'restored')
  t.match(await checkFolder(dataDir), { kind: 'done', value: { ok: true, documents: 3 } })
  t.match(await backupFolder(dataDir, backup), { kind: 'done', value: backup })
  t.match(await restoreFolder(restored, backup), { kind: 'done', value: restored })
  const running = await startServing(restored)
  const client = await connectTo(t, running.uri)
  t.equal(
    await client
      .db('d')
      .collection('c')
      .countDocuments({ a: { $gt: 1 } }),
    2
  )
  await client.close()
  await running.close()
})

test('a compacted folder is served as before', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const before = (await stat(join(dataDir, 'data.mdb'))).size
  t.match(await compactFolder(dataDir), { kind: 'done', value: { bytesBefore: before } })
  const running = await startServing(dataDir)
  const client = await connectTo(t, running.uri)
  const c = client.db('d').collection('c')
  await c.insertOne({ a: 4 })
  t.equal(await c.countDocuments({ a: { $gt: 1 } }), 3)
  await client.close()
  await running.close()
  t.match(await checkFolder(dataDir), { value: { ok: true, documents: 4, leakedPages: 0 } })
})

test('a folder is copied while it is served, and neither checked nor compacted then', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const backup = join(dataDir, '..', 'backup')
  const running = await startServing(dataDir)
  t.teardown(() => running.close())
  const client = await connectTo(t, running.uri)
  await client.db('d').collection('c').insertOne({ a: 4 })
  t.match(await backupFolder(dataDir, backup), { kind: 'done' })
  t.match(await checkFolder(backup), { kind: 'done', value: { ok: true, documents: 4 } })
  for (const act of [checkFolder, compactFolder]) {
    t.match(await act(dataDir), { kind: 'refused', exitCode: 75, reason: /in use/ })
  }
  await client.close()
})

test('only the owner may copy a folder, and only to an absolute path', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const running = await startServing(dataDir)
  t.teardown(() => running.close())
  const command = { keelsonBackup: 1, to: 'here', $db: 'admin' }
  const stranger = await rawConnection(t, Number(new URL(running.uri).port))
  t.match(await stranger.command(command), { code: 59 })
  const owner = await rawConnection(t, await socketAddress(dataDir))
  t.match(await owner.command(command), { code: 2 })
  stranger.socket.destroy()
  owner.socket.destroy()
})

test('a copy into a folder with files, and a restore into one, are refused', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const full = join(dataDir, '..', 'full')
  await mkdir(full)
  await writeFile(join(full, 'file'), '')
  t.match(await backupFolder(dataDir, full), { kind: 'refused', reason: /not empty/ })
  t.match(await restoreFolder(full, dataDir), { kind: 'refused', reason: /not empty/ })
})

test('a folder that is not there, or holds no data, is refused and not made', async (t) => {
  const folder = await temporaryFolder(t)
  const [missing, empty, target] = ['missing', 'empty', 'target'].map((name) =>
    join(folder, name)
  ) as [string, string, string]
  await mkdir(empty)
  for (const act of [checkFolder, compactFolder]) {
    t.match(await act(missing), { kind: 'refused', exitCode: 1, reason: /no folder/ })
  }
  t.match(await backupFolder(missing, target), { kind: 'refused', reason: /no folder/ })
  t.match(await restoreFolder(target, missing), { kind: 'refused', reason: /no folder/ })
  // So is what a copy that was killed has left.
  await writeFile(join(empty, '.data.mdb-draft'), 'half')
  t.match(await checkFolder(empty), { kind: 'refused', reason: /holds no data/ })
  t.match(await restoreFolder(target, empty), { kind: 'refused', reason: /holds no data/ })
  t.same(await readdir(folder), ['empty'])
  t.same(await readdir(empty), ['.data.mdb-draft'])
})

test('a folder that is being served is refused as a backup', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const running = await startServing(dataDir)
  t.teardown(() => running.close())
  const target = join(dataDir, '..', 'target')
  t.match(await restoreFolder(target, dataDir), { kind: 'refused', exitCode: 75, reason: /in use/ })
  t.same(await readdir(join(dataDir, '..')), ['data'])
})

test('a backup is read and not written to, also of an earlier format', async (t) => {
  const dataDir = await filledFolder(t, 'data')
  const mark = join(dataDir, 'format.json')
  await writeFile(mark, '{"format": 1}')
  const restored = join(dataDir, '..', 'restored')
  t.match(await restoreFolder(restored, dataDir), { kind: 'done' })
  t.equal(await readFile(mark, 'utf8'), '{"format": 1}')
  t.match(JSON.parse(await readFile(join(restored, 'format.json'), 'utf8')), { format: 2 })
  const never = join(dataDir, '..', 'never')
  await mkdir(never)
  await writeFile(join(never, 'format.json'), '{"format": 2}')
  const fresh = join(dataDir, '..', 'fresh')
  t.match(await restoreFolder(fresh, never), { kind: 'done' }, 'a database without data')
})

test('the folder of another database is not touched', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'WiredTiger'), '')
  const elsewhere = join(folder, '..', 'nowhere')
  const refused = { kind: 'refused', exitCode: 1, reason: /another database/ }
  t.match(await checkFolder(folder), refused)
  t.match(await backupFolder(folder, elsewhere), refused)
  t.match(await restoreFolder(elsewhere, folder), refused)
  const options = { dataDir: folder, listen, passwordFile: undefined, untilStdinEnds: false }
  t.match(await serve(options, () => {}, {}), refused)
  t.same(await readdir(folder), ['WiredTiger'])
})

test('an address that is taken leaves the folder free', async (t) => {
  const first = await startServing(join(await temporaryFolder(t), 'a'))
  t.teardown(() => first.close())
  const port = Number(new URL(first.uri).port)
  const dataDir = join(await temporaryFolder(t), 'b')
  const options = { dataDir, passwordFile: undefined, untilStdinEnds: false }
  const taken = { ...options, listen: { ...listen, port } }
  await t.rejects(
    serve(taken, () => {}, {}),
    { code: 'EADDRINUSE' }
  )
  const again = await startServing(dataDir)
  await again.close()
})
