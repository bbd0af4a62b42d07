// When a shared engine ends, and which hosts wait for the connections of others.
import { mock } from 'node:test'
import { type Test, test } from 'tap'
import { UnusedWatch } from './unused-watch.ts'

/** A watch on a server whose connections the test counts; time moves only by `tick`. */
function watched(t: Test) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  t.teardown(() => mock.timers.reset())
  const watch = new UnusedWatch()
  let count: (connections: number) => void = () => {}
  let isClosed = false
  watch.watch({ onConnectionsChanged: (listener) => (count = listener) }, async () => {
    isClosed = true
  })
  return { watch, count, isClosed: () => isClosed, tick: (ms: number) => mock.timers.tick(ms) }
}

test('a host that lets go while another holds the engine is answered at once', async (t) => {
  const { watch, count, isClosed, tick } = watched(t)
  const [first, second] = [{ isGone: false }, { isGone: false }]
  watch.hold(first)
  watch.hold(second)
  // Each host with a connection of its driver, and those of the first are not gone yet.
  count(4)
  t.equal(await watch.release(first), 3)
  tick(60_000)
  t.notOk(isClosed())
})

test('a host that lets go last waits for the connections that it has closed', async (t) => {
  const { watch, count, isClosed, tick } = watched(t)
  const host = { isGone: false }
  watch.hold(host)
  count(2)
  const released = watch.release(host)
  count(1)
  t.equal(await released, 0)
  tick(60)
  t.ok(isClosed())
})

test('a host that was killed holds the engine no longer', async (t) => {
  const { watch, count } = watched(t)
  const [first, killed] = [{ isGone: false }, { isGone: false }]
  watch.hold(first)
  watch.hold(killed)
  count(2)
  killed.isGone = true
  const released = watch.release(first)
  count(1)
  t.equal(await released, 0)
})

test('a client that is not a host is waited for, and keeps the engine', async (t) => {
  const { watch, count, isClosed, tick } = watched(t)
  const host = { isGone: false }
  watch.hold(host)
  count(2)
  const released = watch.release(host)
  tick(500)
  t.equal(await released, 1)
  tick(60_000)
  t.notOk(isClosed())
})
