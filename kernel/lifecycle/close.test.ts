// Drain and close: in order, within time, with requests in hand finished.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import tap, { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

const DEADLINES = { prepare: 1_000, requests: 300, pluginClose: 60, close: 2_000 }

/** One request over an agent that keeps connections; resolves with the headers of the answer. */
async function keptRequest(url: string, agent: Agent) {
  const sent = request(url, { agent }).end()
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer
}

const closing = (id: string, more: object, order: string[], act = async () => {}) =>
  samplePlugin(
    id,
    { ...more },
    {
      register(host) {
        host.onClose(async () => {
          order.push(id)
          await act()
        })
        host.onClose(() => void order.push(`${id}, last given`))
      }
    }
  )

test('plugins close in reverse order, and each runs what it gave last first', async (t) => {
  const order: string[] = []
  const { app, seen } = await fakeHost(t, {
    plugins: [closing('base', {}, order), closing('top', { requires: { base: '*' } }, order)]
  })
  await app.close()
  t.same(order, ['top, last given', 'top', 'base, last given', 'base'])
  t.equal(seen.events.at(-1), 'storage closed')
})

test('a plugin that hangs is left behind with a warning, one that throws too', async (t) => {
  const order: string[] = []
  const { app, logs } = await fakeHost(t, {
    seams: { deadlines: DEADLINES },
    plugins: [
      closing('base', {}, order),
      closing('middle', { requires: { base: '*' } }, order, () => new Promise(() => {})),
      closing('top', { requires: { middle: '*' } }, order, async () => {
        throw new Error('no luck')
      })
    ]
  })
  await app.close()
  t.same(
    order.filter((line) => !line.includes(',')),
    ['top', 'middle', 'base']
  )
  t.match(
    logs.find(({ msg }) => /middle did not close in time/.test(String(msg))),
    { level: 40, plugin: 'middle' }
  )
  t.match(
    logs.find(({ msg }) => /top failed in onClose/.test(String(msg))),
    { level: 40 }
  )
})

test("the plugin's signal is aborted when the host drains", async (t) => {
  let signal: AbortSignal | undefined
  const plugin = samplePlugin(
    'alpha',
    {},
    {
      register(host) {
        signal = host.signal
      }
    }
  )
  const { app } = await fakeHost(t, { plugins: [plugin] })
  t.equal(signal?.aborted, false)
  await app.close()
  t.equal(signal?.aborted, true)
})

const slow = (ms: number) =>
  samplePlugin(
    'slow',
    { routes: [sampleRoute('GET', '/wait'), sampleRoute('GET', '/now')] },
    {
      register(host) {
        host.route({
          method: 'GET',
          path: '/wait',
          handler: async () => {
            host.metrics.counter('begun', 'Begun.').inc()
            await sleep(ms, undefined, { ref: false })
            return { done: true }
          }
        })
        host.route({ method: 'GET', path: '/now', handler: async () => ({}) })
      }
    }
  )

test('a request in hand is finished, and its answer ends the connection', async (t) => {
  const { app, call } = await fakeHost(t, { plugins: [slow(1_500)] })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const inHand = keptRequest(`${url}/slow/wait`, agent)
  while (!(await call({ url: '/metrics' })).text.includes('keelson_slow_begun 1')) await sleep(5)
  const closed = app.close()
  const answer = await inHand
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers.connection, 'close')
  await closed
})

test('connections that are kept alive do not delay the close', async (t) => {
  const { app } = await fakeHost(t, { plugins: [slow(0)], fastify: { keepAliveTimeout: 60_000 } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await keptRequest(`${url}/slow/now`, agent)
  await app.close()
  t.equal(app.server.listening, false)
})

test('requests that do not end are cut when their time is over', async (t) => {
  const { app, logs, call } = await fakeHost(t, {
    plugins: [slow(60_000)],
    seams: { deadlines: DEADLINES }
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const hanging = fetch(`${url}/slow/wait`).catch((error) => error)
  while (!(await call({ url: '/metrics' })).text.includes('keelson_slow_begun 1')) await sleep(5)
  await app.close()
  t.ok((await hanging) instanceof Error)
  t.ok(logs.some(({ msg }) => /connections are cut/.test(String(msg))))
})

test('while it drains it is not ready, and takes no new request', async (t) => {
  const { app, call } = await fakeHost(t, { plugins: [slow(1_500)] })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const inHand = fetch(`${url}/slow/wait`)
  while (!(await call({ url: '/metrics' })).text.includes('keelson_slow_begun 1')) await sleep(5)
  const closed = app.close()
  await once(app.server, 'close').then(() => t.pass('the server takes nothing new'))
  await inHand
  await closed
})

test('a schedule or a database that does not close in time does not stop the close', async (t) => {
  const storage = {
    client: {},
    db: { collection: () => ({}) },
    description: 'stuck',
    isReachable: () => true,
    close: () => new Promise(() => {})
  }
  const schedule = {
    start: async () => {},
    withdraw() {},
    drain: async () => {
      throw new Error('stuck')
    }
  }
  const { app, logs } = await fakeHost(t, {
    seams: {
      connect: async () => storage as never,
      createSchedule: () => schedule as never,
      deadlines: { ...DEADLINES, close: 600 }
    }
  })
  await app.close()
  t.ok(logs.some(({ msg }) => /schedule did not drain/.test(String(msg))))
  t.ok(logs.some(({ msg }) => /database connection did not close/.test(String(msg))))
})

test('closing again, and closing an app that never started, do no harm', async (t) => {
  const { app } = await fakeHost(t)
  await Promise.all([app.close(), app.close()])
  await app.close()
  t.equal(app.server.listening, false)
})
