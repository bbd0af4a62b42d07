// What the kernel relies on in Node and Fastify: what an onRequest hook enters lasts to the handler.
// Runs in its own process: injected requests of other files leave their trace behind them.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { test } from 'tap'
import { beginRequestTrace, currentTraceparent } from './request-trace.ts'

const idOf = (n: number) => String(n).repeat(32)
const headerOf = (n: number) => `00-${idOf(n)}-00f067aa0ba902b7-01`

/** An app that answers with the trace id that its handler sees. */
async function tracedApp() {
  const app = Fastify()
  app.addHook('onRequest', (request, _reply, done) => {
    beginRequestTrace(request.headers['traceparent'])
    done()
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: async () => {
      await sleep(1)
      return currentTraceparent()?.split('-')[1] ?? 'none'
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, port }
}

async function send(port: number, n: number, body?: readonly string[]) {
  const headers = { traceparent: headerOf(n), 'content-type': 'text/plain' }
  const sent = request({ port, method: body === undefined ? 'GET' : 'POST', headers })
  for (const part of body ?? []) {
    sent.write(part)
    await sleep(2)
  }
  sent.end()
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const part of answer) text += part
  return text
}

test('the trace lasts from the hook to the handler', async (t) => {
  const { app, port } = await tracedApp()
  t.teardown(() => app.close())
  t.equal(await send(port, 1), idOf(1))
})

test('the trace lasts while a body arrives in parts', async (t) => {
  const { app, port } = await tracedApp()
  t.teardown(() => app.close())
  t.equal(await send(port, 2, ['one', 'two', 'three']), idOf(2))
})

test('requests at the same time have different traces', async (t) => {
  const { app, port } = await tracedApp()
  t.teardown(() => app.close())
  const numbers = [1, 2, 3, 4, 5]
  const seen = await Promise.all(numbers.map((n) => send(port, n, n % 2 ? ['a', 'b'] : undefined)))
  t.same(seen, numbers.map(idOf))
})

test('nothing is entered outside of a request', async (t) => {
  const { app, port } = await tracedApp()
  t.teardown(() => app.close())
  await send(port, 1)
  t.equal(currentTraceparent(), undefined)
})
