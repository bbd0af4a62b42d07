// The plugin's fetch: declared hosts only, at every hop, within time and size.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import tap, { type Test, test } from 'tap'
import { Agent, MockAgent, Request } from 'undici'
import { createOutbound, type OutboundOptions } from './outbound.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

async function listen(t: Test, handler: RequestListener) {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function open(t: Test, options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ plugin: 'alpha', hosts: ['127.0.0.1'], ...options })
  t.teardown(() => outbound.close())
  return outbound.fetch
}

test('a declared host is called', async (t) => {
  const port = await listen(t, (request, reply) => void reply.end(`you asked ${request.url}`))
  const response = await open(t)(`http://127.0.0.1:${port}/x`)
  t.equal(response.status, 200)
  t.equal(response.url, `http://127.0.0.1:${port}/x`)
  t.equal(await response.text(), 'you asked /x')
})

test('an undeclared host is refused by name, and the plugin is named', async (t) => {
  await t.rejects(open(t)('http://localhost:1/'), {
    code: 'KRN_HOST_UNDECLARED',
    plugin: 'alpha',
    message: /alpha calls localhost:1/
  })
})

test('a redirect to an undeclared host is refused and never asked', async (t) => {
  const asked: string[] = []
  const port = await listen(t, (request, reply) => {
    asked.push(`${request.headers.host}${request.url}`)
    reply.writeHead(302, { location: `http://localhost:${port}/stolen` }).end()
  })
  await t.rejects(open(t)(`http://127.0.0.1:${port}/away`), { code: 'KRN_HOST_UNDECLARED' })
  t.same(asked, [`127.0.0.1:${port}/away`])
})

test('a redirect on declared hosts is followed', async (t) => {
  const port = await listen(t, (request, reply) => {
    if (request.url === '/there') reply.end('arrived')
    else reply.writeHead(302, { location: '/there' }).end()
  })
  const response = await open(t)(`http://127.0.0.1:${port}/`)
  t.equal(await response.text(), 'arrived')
  t.equal(response.redirected, true)
})

test('the hosts hold for Request objects and for a dispatcher of the caller', async (t) => {
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.close())
  await t.rejects(open(t)(new Request('http://localhost:1/'), { dispatcher }), {
    code: 'KRN_HOST_UNDECLARED'
  })
})

test('an address that is not http is refused', async (t) => {
  await t.rejects(open(t)('data:text/plain,hello'), { code: 'KRN_FETCH_PROTOCOL' })
})

test('a call that does not answer in time ends with a timeout', async (t) => {
  const port = await listen(t, () => {})
  await t.rejects(open(t, { timeoutMs: 50 })(`http://127.0.0.1:${port}/`), {
    code: 'KRN_FETCH_TIMEOUT'
  })
})

test('a body that never ends is cut at the time limit', async (t) => {
  const port = await listen(t, (_request, reply) => void reply.write('first'))
  const response = await open(t, { timeoutMs: 1_500 })(`http://127.0.0.1:${port}/`)
  await t.rejects(response.text(), { code: 'KRN_FETCH_TIMEOUT' })
})

test('a body over the size limit is cut', async (t) => {
  const port = await listen(t, (_request, reply) => void reply.end(Buffer.alloc(1001)))
  const response = await open(t, { maxBytes: 1000 })(`http://127.0.0.1:${port}/`)
  await t.rejects(response.arrayBuffer(), { code: 'KRN_FETCH_SIZE' })
})

test('a body of exactly the size limit is taken', async (t) => {
  const port = await listen(t, (_request, reply) => void reply.end(Buffer.alloc(1000)))
  const response = await open(t, { maxBytes: 1000 })(`http://127.0.0.1:${port}/`)
  t.equal((await response.arrayBuffer()).byteLength, 1000)
})

test('the size limit counts what a compressed body unfolds to', async (t) => {
  const port = await listen(t, (_request, reply) => {
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
  })
  const response = await open(t, { maxBytes: 100_000 })(`http://127.0.0.1:${port}/`)
  await t.rejects(response.arrayBuffer(), { code: 'KRN_FETCH_SIZE' })
})

test('an answer without a body is handed on as it is', async (t) => {
  const port = await listen(t, (_request, reply) => void reply.writeHead(204).end())
  const response = await open(t)(`http://127.0.0.1:${port}/`)
  t.equal(response.status, 204)
  t.equal(response.body, null)
})

test("the caller's own signal still counts", async (t) => {
  const port = await listen(t, () => {})
  const controller = new AbortController()
  const call = open(t)(`http://127.0.0.1:${port}/`, { signal: controller.signal })
  controller.abort(new Error('changed our mind'))
  await t.rejects(call, { message: 'changed our mind' })
})

test('an error of the network is handed on', async (t) => {
  const port = await listen(t, (request) => void request.socket.destroy())
  await t.rejects(open(t)(`http://127.0.0.1:${port}/`), { message: 'fetch failed' })
})

test('a mock takes the place of the network, and hosts are still checked', async (t) => {
  const mock = new MockAgent()
  mock.disableNetConnect()
  mock
    .get('https://api.example.test')
    .intercept({ path: '/things', method: 'POST', body: '{"a":1}' })
    .reply(201, { made: true })
  const fetch = open(t, { hosts: ['api.example.test'], mock })
  const body = '{"a":1}'
  const response = await fetch('https://api.example.test/things', { method: 'POST', body })
  t.equal(response.status, 201)
  t.same(await response.json(), { made: true })
  await t.rejects(fetch('https://other.example.test/'), { code: 'KRN_HOST_UNDECLARED' })
  await mock.close()
})

test('closing cuts a call that does not end', async (t) => {
  const port = await listen(t, () => {})
  const outbound = createOutbound({ plugin: 'alpha', hosts: ['127.0.0.1'] })
  const call = outbound.fetch(`http://127.0.0.1:${port}/`)
  const refused = t.rejects(call)
  await outbound.close()
  await refused
})
