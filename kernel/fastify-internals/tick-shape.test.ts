// What the kernel relies on in Node: inside a tick, the current resource is the object of the tick.
import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'tap'

test('one object of nextTick survives garbage collections', async (t) => {
  // The query loads a second copy: a test before this one may have started a host in this process.
  const own = new URL('./tick-shape.js?own', import.meta.url).href
  const { keepTickShape } = (await import(own)) as typeof import('./tick-shape.ts')
  const ticks: WeakRef<object>[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') ticks.push(new WeakRef(resource))
    }
  })
  hook.enable()
  keepTickShape()
  process.nextTick(() => {})
  hook.disable()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await setImmediate()
  collect()
  const alive = ticks.map((tick) => tick.deref() !== undefined)
  t.same(alive, [true, false])
})
