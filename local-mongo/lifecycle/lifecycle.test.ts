// The data folder, its lock, its socket's address, and the command line.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { openDataFolder } from './data-folder.ts'
import { lockFolder, lockHolder } from './folder-lock.ts'
import { isLoopback, readInvocation } from './options.ts'
import { socketAddress, socketUri } from './socket-address.ts'

interface Scope {
  teardown(fn: () => Promise<unknown>): void
}
async function folder(t: Scope): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keelson-test-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('a lock is held by one at a time and free once released', async (t) => {
  const dir = await folder(t)
  const first = await lockFolder(dir)
  t.equal(first.kind, 'held')
  t.same(await lockFolder(dir), { kind: 'in use', pid: process.pid })
  t.equal(await lockHolder(dir), process.pid)
  if (first.kind === 'held') await first.release()
  t.equal(await lockHolder(dir), undefined)
  const second = await lockFolder(dir)
  t.equal(second.kind, 'held')
  t.same(
    (await readdir(dir)).filter((name) => name.startsWith('lock.')),
    ['lock.2']
  )
  if (second.kind === 'held') await second.release()
})

test('of many who ask at once one gets the lock', async (t) => {
  const dir = await folder(t)
  const all = await Promise.all(Array.from({ length: 20 }, () => lockFolder(dir)))
  t.equal(all.filter(({ kind }) => kind === 'held').length, 1)
  for (const lock of all) if (lock.kind === 'held') await lock.release()
})

test('the lock of a process that died is taken over', async (t) => {
  const dir = await folder(t)
  const child = fork(fileURLToPath(new URL('./lock-holder.fixture.js', import.meta.url)), [dir])
  await once(child, 'message')
  t.same(await lockFolder(dir), { kind: 'in use', pid: child.pid })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await lockFolder(dir)
  t.equal(lock.kind, 'held')
  if (lock.kind === 'held') await lock.release()
})

test('a holder in another container is believed while it shows signs of life', async (t) => {
  const dir = await folder(t)
  await symlink('1 1 elsewhere', join(dir, 'lock.4'))
  t.same(await lockFolder(dir), { kind: 'in use', pid: 1 })
  const longAgo = new Date(Date.now() - 60_000)
  await lutimes(join(dir, 'lock.4'), longAgo, longAgo)
  const lock = await lockFolder(dir)
  t.equal(lock.kind, 'held')
  if (lock.kind === 'held') await lock.release()
})

test('a process that has the number of the dead holder is not taken for it', async (t) => {
  const dir = await folder(t)
  const first = await lockFolder(dir)
  if (first.kind !== 'held') throw new Error('not held')
  const [pid, , world] = (await readlink(join(dir, 'lock.1'))).split(' ')
  await first.release()
  await rm(join(dir, 'lock.1'))
  await symlink(`${pid} earlier ${world}`, join(dir, 'lock.1'))
  t.equal(await lockHolder(dir), undefined)
})

test('a folder stays with a supervisor between two of its processes', async (t) => {
  const dir = await folder(t)
  const first = await lockFolder(dir)
  if (first.kind !== 'held') throw new Error('not held')
  const self = await readlink(join(dir, 'lock.1'))
  await first.release()
  const [pid, began, world] = self.split(' ')
  await symlink(`${pid} earlier ${world} ${pid} ${began}`, join(dir, 'lock.2'))
  t.same(await lockFolder(dir), { kind: 'in use', pid: process.pid })
  const next = await lockFolder(dir, process.pid)
  t.equal(next.kind, 'held')
  t.equal(await readlink(join(dir, 'lock.3')), `${self} ${pid} ${began}`)
  if (next.kind === 'held') await next.release()
  await symlink(`${pid} earlier ${world} ${pid} earlier`, join(dir, 'lock.4'))
  t.equal(await lockHolder(dir), undefined, 'not with one that has died')
})

test('a holder that has lost its supervisor is waited for', async (t) => {
  const dir = await folder(t)
  const child = fork(fileURLToPath(new URL('./lock-holder.fixture.js', import.meta.url)), [dir])
  await once(child, 'message')
  const link = join(dir, 'lock.1')
  const holder = await readlink(link)
  await rm(link)
  await symlink(`${holder} ${process.pid} earlier`, link)
  const waiting = lockFolder(dir)
  t.equal(await lockHolder(dir), child.pid)
  child.kill('SIGKILL')
  const lock = await waiting
  t.equal(lock.kind, 'held')
  if (lock.kind === 'held') await lock.release()
})

test('a lock outlives the removal of its folder', async (t) => {
  const dir = await folder(t)
  const lock = await lockFolder(dir)
  await rm(dir, { recursive: true })
  if (lock.kind === 'held') await lock.release()
  t.equal(lock.kind, 'held')
})

test('a data folder is made, marked, and known again', async (t) => {
  const dir = join(await folder(t), 'a', 'b')
  t.match(await openDataFolder(dir), { kind: 'usable', path: /a.b$/ })
  t.equal((await stat(dir)).mode & 0o777, 0o700)
  t.match(JSON.parse(await readFile(join(dir, 'format.json'), 'utf8')), { format: 2 })
  t.match(await openDataFolder(dir), { kind: 'usable' })
})

test('a folder of format 1 is marked anew, so that no earlier version takes it', async (t) => {
  const dir = await folder(t)
  await writeFile(join(dir, 'format.json'), '{"format": 1}')
  t.match(await openDataFolder(dir), { kind: 'usable' })
  t.match(JSON.parse(await readFile(join(dir, 'format.json'), 'utf8')), { format: 2 })
})

for (const [name, file, content, reason] of [
  ['of another database', 'WiredTiger', '', /belongs to another database/],
  ['of a newer version', 'format.json', '{"format": 99}', /format 99.*newer version/],
  ['whose mark cannot be read', 'format.json', '{', /cannot be read/]
] as const) {
  test(`a folder ${name} is refused`, async (t) => {
    const dir = await folder(t)
    await writeFile(join(dir, file), content)
    t.match(await openDataFolder(dir), { kind: 'refused', reason })
  })
}

test('the socket of a short folder is inside it, in its own folder', async (t) => {
  const dir = await folder(t)
  const address = await socketAddress(dir)
  t.equal(address, join(dir, 'socket', 'engine.sock'))
  t.equal((await stat(dirname(address))).mode & 0o777, 0o700)
  t.equal(socketUri('/a/engine.sock'), 'mongodb://%2Fa%2Fengine.sock/?directConnection=true')
})

test('a folder with a long path has its socket elsewhere, and always the same', async (t) => {
  const dir = join(await folder(t), 'x'.repeat(120))
  await mkdir(dir)
  const addresses = await Promise.all([1, 2, 3, 4].map(() => socketAddress(dir)))
  const [address = ''] = addresses
  t.teardown(() => rm(dirname(address), { recursive: true, force: true }))
  t.equal(new Set(addresses).size, 1)
  t.ok(address.length <= 100)
  await rm(dirname(address), { recursive: true })
  t.equal(await socketAddress(dir), address, 'also when the temporary folder was cleaned')
})

test('a socket folder that others can open is not used', async (t) => {
  const dir = join(await folder(t), 'x'.repeat(120))
  await mkdir(dir)
  const first = await socketAddress(dir)
  await chmod(dirname(first), 0o755)
  const second = await socketAddress(dir)
  t.not(first, second)
  for (const address of [first, second]) await rm(dirname(address), { recursive: true })
})

test('the command line names folder, address and port', async (t) => {
  t.same(readInvocation(['--data', 'd']), {
    kind: 'serve',
    options: {
      dataDir: 'd',
      listen: { kind: 'tcp', host: '127.0.0.1', port: 0 },
      passwordFile: undefined,
      untilStdinEnds: false
    }
  })
  t.match(readInvocation(['--data', 'd', '--port', '27017', '--host', 'localhost']), {
    options: { listen: { host: '127.0.0.1', port: 27_017 } }
  })
  t.match(readInvocation(['--data', 'd', '--shared']), { options: { listen: { kind: 'shared' } } })
  t.match(readInvocation(['--data', 'd', '--port', '1', '--supervisor', '7', '--port', '2']), {
    options: { listen: { port: 2 }, supervisor: 7 }
  })
  t.same(readInvocation(['check', '--data', 'd']), { kind: 'check', dataDir: 'd' })
  t.same(readInvocation(['backup', '--data', 'd', '--to', 'b']), {
    kind: 'backup',
    dataDir: 'd',
    target: 'b'
  })
  t.same(readInvocation(['restore', '--data', 'd', '--from', 'b']), {
    kind: 'restore',
    dataDir: 'd',
    source: 'b'
  })
  t.same(readInvocation(['--help']), { kind: 'help' })
})

for (const argv of [
  [],
  ['--data', ''],
  ['--nope'],
  ['--data', 'd', '--port', 'x'],
  ['--data', 'd', '--port', '70000'],
  ['nope', '--data', 'd'],
  ['check', 'more', '--data', 'd'],
  ['backup', '--data', 'd'],
  ['restore', '--data', 'd']
]) {
  test(`the command line '${argv.join(' ')}' is wrong`, async (t) => {
    t.match(readInvocation(argv), { kind: 'wrong', reason: String })
  })
}

test('an address that is not loopback needs a password', async (t) => {
  t.match(readInvocation(['--data', 'd', '--host', '0.0.0.0']), {
    kind: 'wrong',
    reason: /loopback/
  })
  t.match(readInvocation(['--data', 'd', '--host', '0.0.0.0', '--password-file', 'p']), {
    kind: 'serve'
  })
  t.ok(isLoopback('127.0.0.2'))
  t.ok(isLoopback('::1'))
  t.notOk(isLoopback('127.evil.example'))
})
