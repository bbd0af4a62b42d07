// Keeps V8's shape of the objects of process.nextTick, which Node uses several times per request.
import { executionAsyncResource } from 'node:async_hooks'

let kept: object | undefined

/**
 * Keeps one of these objects for the life of the process. In Node 20, a garbage collection that finds
 * none of them alive, as after some seconds without requests, makes V8 build each later one property
 * by property: a small route then serves a third fewer requests (test/bench/what-does-the-kernel-cost-a-route).
 */
export function keepTickShape(): void {
  if (kept !== undefined) return
  process.nextTick(() => {
    kept = executionAsyncResource()
  })
}
