// Requests are counted, timed, and told as spans.
import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { type RequestSpan, requestSpans } from '@keelson/sdk/contracts/request-spans'
import { test } from 'tap'
import { createOutbound } from '../network/outbound.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

/** A request that a test injects may leave its trace in the test. */
const outside = new AsyncResource('outside of requests')

const ping = samplePlugin('alpha', {
  routes: [sampleRoute('GET', '/items/:id'), sampleRoute('POST', '/items')]
})

test('requests are counted by plugin, method, pattern and class of status', async (t) => {
  const { call } = await fakeHost(t, { plugins: [ping] })
  await call({ url: '/alpha/items/1' })
  await call({ url: '/alpha/items/2' })
  await call({ url: '/alpha/items', method: 'POST' })
  const { text } = await call({ url: '/metrics' })
  const labels = 'plugin="alpha",method="GET",route="/alpha/items/:id"'
  t.match(text, `keelson_http_requests_total{${labels},status="2xx"} 2`)
  t.match(text, `keelson_http_request_duration_seconds_bucket{${labels},le="+Inf"} 2`)
  t.match(text, `keelson_http_request_duration_seconds_count{${labels}} 2`)
  t.match(
    text,
    'keelson_http_requests_total{plugin="alpha",method="POST",route="/alpha/items",status="2xx"} 1'
  )
  t.match(text, 'keelson_http_requests_in_hand 1')
  t.notMatch(text, 'method="DELETE"')
})

test('one route with several methods is one line', async (t) => {
  const routes = [sampleRoute('GET', '/x'), sampleRoute('PUT', '/x', { auth: 'viewer' })]
  const plugin = samplePlugin(
    'alpha',
    { routes },
    {
      register: (host) =>
        void host.fastify.route({ method: ['GET', 'PUT'], url: '/x', handler: async () => ({}) })
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  t.equal((await call({ url: '/alpha/x' })).status, 200)
  t.equal((await call({ url: '/alpha/x', method: 'PUT' })).status, 401)
  t.equal((await call({ url: '/alpha/x', method: 'PUT', viewer: 'a:viewer' })).status, 200)
  t.match(
    (await call({ url: '/metrics' })).text,
    'plugin="alpha",method="GET,PUT",route="/alpha/x",status="2xx"} 2'
  )
})

test('unknown addresses are one route, whatever they are', async (t) => {
  const { call } = await fakeHost(t)
  for (const url of ['/a', '/b?x', '/c/d']) t.equal((await call({ url })).status, 404)
  const { text } = await call({ url: '/metrics' })
  t.match(
    text,
    'keelson_http_requests_total{plugin="kernel",method="any",route="not_found",status="4xx"} 3'
  )
})

function spanning(sink: { end(span: RequestSpan): void }) {
  return samplePlugin(
    'spans',
    { uses: [requestSpans.id] },
    {
      register: (host) => host.extend(requestSpans, sink)
    }
  )
}

test('each request makes a span in the trace of its caller', async (t) => {
  const spans: RequestSpan[] = []
  const { call } = await fakeHost(t, {
    plugins: [ping, spanning({ end: (span) => spans.push(span) })]
  })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await call({
    url: '/alpha/items/7?secret=1',
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  })
  await call({ url: '/alpha/items', method: 'POST' })
  await call({ url: '/health/live' })
  await call({ url: '/metrics' })
  t.match(spans, [
    {
      method: 'GET',
      route: '/alpha/items/:id',
      status: 200,
      startedAt: Date,
      requestId: /.+/,
      traceId,
      spanId: /^[0-9a-f]{16}$/,
      parentId: '00f067aa0ba902b7'
    },
    { method: 'POST', route: '/alpha/items', traceId: /^[0-9a-f]{32}$/ }
  ])
  t.equal(spans.length, 2, 'probes of the host make no spans')
  t.ok((spans[0]?.durationMs ?? -1) >= 0)
})

test('calls made while a request is answered carry its trace on, and only then', async (t) => {
  const spans: RequestSpan[] = []
  const seen: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    seen.push(request.headers['traceparent'] as string | undefined)
    reply.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const { port } = server.address() as { port: number }
  const outbound = createOutbound({ plugin: 'alpha', hosts: ['127.0.0.1'] })
  t.teardown(() => outbound.close())
  const ask = async (headers: Record<string, string> = {}) => {
    await (await outbound.fetch(`http://127.0.0.1:${port}/`, { headers })).text()
  }
  const calling = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/x'), sampleRoute('POST', '/x')] },
    {
      register(host) {
        const handler = async () => {
          await ask()
          await ask({ traceparent: 'own' })
          return {}
        }
        host.route({ method: 'GET', path: '/x', handler })
        host.route({ method: 'POST', path: '/x', handler })
      }
    }
  )
  const { call } = await fakeHost(t, {
    plugins: [calling, spanning({ end: (span) => spans.push(span) })]
  })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await call({
    url: '/alpha/x',
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  })
  await call({ url: '/alpha/x', method: 'POST', payload: { a: 1 } })
  await outside.runInAsyncScope(ask)
  t.same(seen, [
    `00-${traceId}-${spans[0]?.spanId}-01`,
    'own',
    `00-${spans[1]?.traceId}-${spans[1]?.spanId}-01`,
    'own',
    undefined
  ])
})

test('a contributor that throws breaks nothing', async (t) => {
  const sink = {
    end() {
      throw new Error('no luck')
    }
  }
  const { call, logs } = await fakeHost(t, { plugins: [ping, spanning(sink)] })
  t.equal((await call({ url: '/alpha/items/7' })).status, 200)
  t.ok(logs.some(({ msg }) => /request-spans\/v1 threw/.test(String(msg))))
})

test('a caller that goes away is counted as such', async (t) => {
  let asked: (() => void) | undefined
  const reached = new Promise<void>((settle) => {
    asked = settle
  })
  const hanging = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/x')] },
    {
      register: (host) =>
        host.route({
          method: 'GET',
          path: '/x',
          handler: () => {
            asked?.()
            return new Promise(() => {})
          }
        })
    }
  )
  const { app, call } = await fakeHost(t, { plugins: [hanging] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /alpha/x HTTP/1.1\r\nhost: x\r\n\r\n')
  await reached
  const gone = once(app.server, 'request').catch(() => {})
  socket.destroy()
  const metrics = async () => (await call({ url: '/metrics' })).text
  while (!(await metrics()).includes('route="/alpha/x",status="4xx"} 1'))
    await new Promise(setImmediate)
  t.pass('counted')
  void gone
})
