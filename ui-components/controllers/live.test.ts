// Live: when it asks again, what it waits for, what a refresh loads.
import { test } from 'tap'
import { FakePage } from '../test/fake-page.ts'
import { Live, type Reloadable } from './live.ts'
import { TimeRange } from './time-range.ts'

const FIXED = 'from=2025-06-01T00:00:00.000Z&to=2025-06-02T00:00:00.000Z'

/** A page with Live over one load; time and visibility are set by hand. */
function openLive(t: { teardown(fn: () => void): void }, query: string) {
  const real = { now: Date.now, set: globalThis.setInterval, clear: globalThis.clearInterval }
  const world = { now: 1_000_000, tick: () => {}, isTicking: false }
  Date.now = () => world.now
  Object.assign(globalThis, {
    document: { visibilityState: 'visible' },
    setInterval: (run: () => void) => {
      world.tick = run
      world.isTicking = true
      return 7
    },
    clearInterval: (id: unknown) => {
      if (id === 7) world.isTicking = false
    }
  })
  t.teardown(() => {
    Date.now = real.now
    Object.assign(globalThis, { setInterval: real.set, clearInterval: real.clear })
    Reflect.deleteProperty(globalThis, 'document')
  })
  const page = new FakePage(query)
  const range = new TimeRange(page.page)
  const load = { isPending: false, failure: undefined as unknown, reloads: 0 }
  const reloadable: Reloadable = {
    get isPending() {
      return load.isPending
    },
    get failure() {
      return load.failure
    },
    reload: async () => {
      load.reloads += 1
    }
  }
  const live = new Live(page.page, { range, loads: () => [reloadable] })
  page.connect()
  const after = (ms: number) => {
    world.now += ms
    world.tick()
  }
  return { page, range, live, load, world, after }
}

test('every five seconds the range ends at the present again', async (t) => {
  const { range, world, after } = openLive(t, 'live=1')
  const start = world.now
  after(4999)
  t.equal(range.now, start)
  after(1)
  t.equal(range.now, start + 5000)
})

test('it does not ask again while an answer is on its way', async (t) => {
  const { range, load, world, after } = openLive(t, 'live=1')
  const start = world.now
  load.isPending = true
  after(6000)
  t.equal(range.now, start)
})

test('it is off without its parameter, and for dates that do not move', async (t) => {
  t.equal(openLive(t, '').live.isOn, false)
  const { page, live, range, after, world } = openLive(t, `${FIXED}&live=1`)
  t.equal(live.isOn, false)
  const start = range.now
  after(9000)
  t.ok(world.isTicking)
  t.equal(range.now, start)
  live.toggle()
  t.same(page.visited, [])
})

test('nothing happens in a window that is not visible', async (t) => {
  const { range, world, after } = openLive(t, 'live=1')
  const start = range.now
  Object.assign(globalThis, { document: { visibilityState: 'hidden' } })
  after(60_000)
  t.equal(range.now, start)
  t.ok(world.isTicking)
})

test('relative times are drawn again after half a minute', async (t) => {
  const { page, after } = openLive(t, '')
  let updates = 0
  page.addController({
    hostUpdate: () => {
      updates += 1
    }
  })
  after(29_999)
  await Promise.resolve()
  t.equal(updates, 0)
  after(1)
  await Promise.resolve()
  t.equal(updates, 1)
})

test('a refresh moves the range, or reloads what dates that do not move show', async (t) => {
  const moving = openLive(t, '')
  moving.world.now += 10
  moving.live.refresh()
  t.same([moving.range.now, moving.load.reloads], [moving.world.now, 0])
  const fixed = openLive(t, FIXED)
  fixed.live.refresh()
  t.equal(fixed.load.reloads, 1)
})

test('a refresh tries a load again that failed', async (t) => {
  const { live, load } = openLive(t, '')
  load.failure = new Error('down')
  live.refresh()
  t.equal(load.reloads, 1)
})

test('R refreshes and L toggles, by the address', async (t) => {
  const { page, live, load } = openLive(t, '')
  load.failure = new Error('down')
  const press = (keys: string) =>
    live.shortcuts
      .find((shortcut) => shortcut.keys === keys)
      ?.run(undefined as unknown as KeyboardEvent)
  press('r')
  t.equal(load.reloads, 1)
  press('l')
  t.ok(live.isOn)
  press('l')
  t.notOk(live.isOn)
  t.same(page.visited, ['!/page?live=1', '!/page?'])
})

test('the ticking ends with the page', async (t) => {
  const { page, world } = openLive(t, 'live=1')
  page.disconnect()
  t.equal(world.isTicking, false)
})
