// The fetch for addresses that a user names: what it calls, what it refuses, and its limits.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Test, test } from 'tap'
import { MockAgent } from 'undici'
import { isPublicAddress } from './public-addresses.ts'
import { createPublicFetch, namedAddresses } from './public-fetch.ts'

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

function open(t: Test, options: Parameters<typeof createPublicFetch>[0] = {}) {
  const fetch = createPublicFetch(options)
  t.teardown(() => fetch.close())
  return fetch
}

test('public and private addresses are recognised in every form', async (t) => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::10.0.0.1',
    'ff0e::1',
    '198.18.0.1',
    '64:ff9b::a00:1',
    '2001:db8::1',
    '2002:a00:1::',
    'nonsense',
    ''
  ]) {
    t.notOk(isPublicAddress(address), address)
  }
  for (const address of ['93.184.216.34', '2606:4700::1111', '[2606:4700::1111]'])
    t.ok(isPublicAddress(address), address)
})

test('nothing is sent to an address that is not public, written as a number or as a name', async (t) => {
  const asked: string[] = []
  const port = await listen(t, (request, reply) => {
    asked.push(request.url ?? '')
    reply.end()
  })
  const fetch = open(t)
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    await t.rejects(fetch(`http://${host}:${port}/`), { code: 'KRN_FETCH_ADDRESS' }, host)
  }
  t.same(asked, [])
})

test('an exception holds for exactly its host and port', async (t) => {
  const port = await listen(t, (_request, reply) => void reply.end('reached'))
  const other = await listen(t, (_request, reply) => void reply.end('not to be reached'))
  const fetch = open(t, { allow: [`127.0.0.1:${port}`] })
  t.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'reached')
  await t.rejects(fetch(`http://127.0.0.1:${other}/`), { code: 'KRN_FETCH_ADDRESS' })
  await t.rejects(fetch(`http://localhost:${port}/`), { code: 'KRN_FETCH_ADDRESS' })
})

test('a redirect into the own network is refused and not followed', async (t) => {
  const asked: string[] = []
  const inner = await listen(t, (request, reply) => {
    asked.push(request.url ?? '')
    reply.end()
  })
  const port = await listen(t, (_request, reply) => {
    reply.writeHead(302, { location: `http://127.0.0.1:${inner}/secret` }).end()
  })
  const fetch = open(t, { allow: [`127.0.0.1:${port}`] })
  await t.rejects(fetch(`http://127.0.0.1:${port}/`), { code: 'KRN_FETCH_ADDRESS' })
  t.same(asked, [])
})

test('the size of a body and the time of a call are limited', async (t) => {
  const port = await listen(t, (request, reply) => {
    if (request.url === '/long') reply.end(Buffer.alloc(2_000))
  })
  const at = `http://127.0.0.1:${port}`
  const fetch = open(t, { allow: [`127.0.0.1:${port}`], maxBytes: 1_000, timeoutMs: 300 })
  const long = await fetch(`${at}/long`)
  await t.rejects(long.text(), { code: 'KRN_FETCH_SIZE' })
  await t.rejects(fetch(`${at}/never`), { code: 'KRN_FETCH_TIMEOUT' })
})

test('an address that is not http is refused, and the caller is named', async (t) => {
  const fetch = open(t, { caller: { caller: 'Plugin alpha', plugin: 'alpha' } })
  await t.rejects(fetch('file:///etc/passwd'), {
    code: 'KRN_FETCH_PROTOCOL',
    plugin: 'alpha',
    message: /^Plugin alpha calls/
  })
})

test('a mock takes the place of the network, and literal addresses are still refused', async (t) => {
  const mock = new MockAgent()
  mock.disableNetConnect()
  mock.get('https://hooks.example.test').intercept({ path: '/in' }).reply(200, 'taken')
  const fetch = open(t, { mock })
  t.equal(await (await fetch('https://hooks.example.test/in')).text(), 'taken')
  await t.rejects(fetch('https://10.0.0.1/in'), { code: 'KRN_FETCH_ADDRESS' })
  await mock.close()
})

test('only addresses and localhost with a port are exceptions', async (t) => {
  t.same(
    namedAddresses([
      '127.0.0.1:8443',
      'localhost:3000',
      '[::1]:3000',
      '127.0.0.1',
      'hooks.example:8080',
      '::1'
    ]),
    ['127.0.0.1:8443', 'localhost:3000', '[::1]:3000']
  )
})
