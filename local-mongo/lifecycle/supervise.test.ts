// The command `local-mongo` when its server is killed: it serves again, gives up, or ends.
// Runs beside the others: it waits for much of its time.
import { once } from 'node:events'
import { MongoClient } from 'mongodb'
import tap, { test } from 'tap'
import { startLocalMongo } from '../index.ts'
import { connectTo, temporaryFolder } from '../server/test-server.fixture.ts'
import { EXIT_SERVER_KILLED } from './exit-codes.ts'
import { lockHolder } from './folder-lock.ts'
import { gone, holderBut, run, startCommand } from './processes.fixture.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 4

test('an aborted server serves again on its port, and each write arrives once', async (t) => {
  const dataDir = await temporaryFolder(t)
  const command = await startCommand(t, '--data', dataDir)
  // A driver whose monitor hears of the end first does not try the write again.
  const options = { serverMonitoringMode: 'poll', monitorCommands: true } as const
  const client = await new MongoClient(command.uri, options).connect()
  const c = client.db('d').collection<{ _id: number; n: number }>('c')
  await c.insertOne({ _id: 1, n: 0 })
  const first = await holderBut(dataDir, command.pid)
  let sent = 0
  client.on('commandStarted', ({ commandName }) => {
    if (commandName === 'update' && ++sent === 20) process.kill(first, 'SIGABRT')
  })
  for (let count = 0; count < 40; count++) await c.updateOne({ _id: 1 }, { $inc: { n: 1 } })
  t.same(await c.findOne(), { _id: 1, n: 40 })
  t.equal(sent, 41, 'one was sent twice')
  t.not(await holderBut(dataDir, command.pid), first)
  t.match(command.complaints(), [
    { level: 'warn', message: /starts again/, signal: 'SIGABRT', pid: first, endsInMinute: 1 }
  ])
  await client.close()
  command.child.kill('SIGTERM')
  t.same(await once(command.child, 'exit'), [0, null])
})

test('a change stream goes on without a gap after its server was killed', async (t) => {
  const dataDir = await temporaryFolder(t)
  const command = await startCommand(t, '--data', dataDir)
  const client = await connectTo(t, command.uri)
  const c = client.db('d').collection<{ _id: number }>('c')
  const stream = c.watch()
  t.teardown(() => stream.close())
  const seen: number[] = []
  const all = new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    stream.on('change', (change) => {
      if (change.operationType === 'insert') seen.push(change.documentKey._id)
      if (seen.length === 4) resolve()
    })
  })
  await once(stream, 'resumeTokenChanged')
  await c.insertMany([{ _id: 1 }, { _id: 2 }])
  process.kill(await holderBut(dataDir, command.pid), 'SIGKILL')
  const other = (await connectTo(t, command.uri)).db('d').collection<{ _id: number }>('c')
  await other.insertMany([{ _id: 3 }, { _id: 4 }])
  await all
  t.same(seen, [1, 2, 3, 4])
})

test('the command gives up when its server is killed five times in a minute', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { child, pid, complaints } = await startCommand(t, '--data', dataDir)
  const closed = once(child, 'close')
  let server = pid
  for (let count = 0; count < 5; count++) {
    server = await holderBut(dataDir, pid, server)
    process.kill(server, 'SIGKILL')
  }
  t.same(await closed, [EXIT_SERVER_KILLED, null])
  t.same(
    complaints().map(({ message }) => message),
    [
      ...Array.from({ length: 4 }, () => 'the server was ended and starts again'),
      'the server was ended and does not start again'
    ]
  )
  t.match(complaints().at(-1), { level: 'error', signal: 'SIGKILL', endsInMinute: 5 })
  t.equal(await lockHolder(dataDir), undefined, 'the folder is free')
})

test('a folder stays with the command between two servers, and SIGTERM ends it there', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { child, pid, complaint } = await startCommand(t, '--data', dataDir)
  const closed = once(child, 'close')
  // The pause after the fourth end is the longest.
  let server = pid
  for (const ends of [1, 2, 3, 4]) {
    server = await holderBut(dataDir, pid, server)
    process.kill(server, 'SIGKILL')
    await complaint(new RegExp(`"endsInMinute":${ends}`))
  }
  t.equal(await lockHolder(dataDir), pid)
  child.kill('SIGTERM')
  t.same(await closed, [0, null])
  t.match(await run('check', '--data', dataDir), { code: 0 })
})

test('Ctrl-C, which reaches every process of the command, ends it with 0', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { child, pid, complaints } = await startCommand(t, '--data', dataDir)
  process.kill(-pid, 'SIGINT')
  t.same(await once(child, 'close'), [0, null])
  t.same(complaints(), [])
})

test('a folder in use is refused with 75 and not tried again', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { pid } = await startCommand(t, '--data', dataDir)
  const server = await holderBut(dataDir, pid)
  const second = await run('--data', dataDir)
  t.match(second, { code: 75, out: '' })
  t.match(second.err, new RegExp(`^local-mongo: .* in use by process ${server}\\n$`))
})

test('a command that is killed leaves no server, and another may start at once', async (t) => {
  const dataDir = await temporaryFolder(t)
  const { child, pid, uri } = await startCommand(t, '--data', dataDir)
  const server = await holderBut(dataDir, pid)
  child.kill('SIGKILL')
  const port = /:(\d+)\//.exec(uri)?.[1] ?? ''
  const again = await startCommand(t, '--data', dataDir, '--port', port)
  await gone(server)
  t.equal(again.uri, uri)
  const client = await connectTo(t, uri)
  t.match(await client.db('d').command({ ping: 1 }), { ok: 1 })
})

test('a host that shares the folder shares the next server too', async (t) => {
  const dataDir = await temporaryFolder(t)
  const command = await startCommand(t, '--data', dataDir)
  let isBack = () => {}
  const back = new Promise<void>((resolve) => {
    isBack = resolve
  })
  const log = ({ message }: { readonly message: string }) => {
    if (/is back/.test(message)) isBack()
  }
  const handle = await startLocalMongo({ dataDir, log })
  process.kill(handle.pid, 'SIGABRT')
  await back
  const [byPort, bySocket] = [await connectTo(t, command.uri), await connectTo(t, handle.uri)]
  await byPort.db('d').collection<{ _id: number }>('c').insertOne({ _id: 1 })
  t.equal(await bySocket.db('d').collection('c').countDocuments(), 1)
  await handle.close()
})
