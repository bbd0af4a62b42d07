// What counts as an engine that is there.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'tap'
import { temporaryFolder } from '../server/test-server.fixture.ts'
import { openLease } from './lease.ts'

test('who takes a connection and ends without an answer is not an engine', async (t) => {
  const path = join(await temporaryFolder(t), 's.sock')
  const dying = createServer((socket) => socket.destroy())
  t.teardown(() => dying.close())
  await new Promise<void>((resolve) => dying.listen(path, resolve))
  t.equal(await openLease(path), undefined)
})

test('a socket without a listener gives undefined', async (t) => {
  t.equal(await openLease(join(await temporaryFolder(t), 'none.sock')), undefined)
})
