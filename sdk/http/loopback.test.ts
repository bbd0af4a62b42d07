// Which names only this machine can reach, and which requests come from it.
import fc from 'fast-check'
import { test } from 'tap'
import { hostNameOf, isFromThisMachine, isLoopbackHost } from './loopback.ts'

test('loopback addresses and localhost are this machine', (t) => {
  const names = ['127.0.0.1', '127.8.9.10', '::1', '[::1]', '::ffff:127.0.0.1']
  for (const host of [...names, 'localhost', 'LOCALHOST', 'app.localhost']) {
    t.ok(isLoopbackHost(host), host)
  }
  t.end()
})

test('every other name or address is not', (t) => {
  const names = ['0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1', 'example.test', 'localhost.test']
  for (const host of [...names, '127.0.0.1.example.test', 'notlocalhost', '', 'x/localhost']) {
    t.notOk(isLoopbackHost(host), host)
  }
  t.end()
})

test('the name in a Host header has one spelling', (t) => {
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    ['Shop.Example:8443', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['localhost:80', 'localhost'],
    ['[::1]:3000', '::1'],
    ['2130706433:3000', '127.0.0.1'],
    ['user@localhost', undefined],
    ['localhost/evil.test', undefined],
    ['localhost\\evil.test', undefined],
    ['evil.test#localhost', undefined],
    ['a b', undefined],
    [':80', undefined],
    ['', undefined],
    [undefined, undefined]
  ]
  for (const [header, name] of cases) t.equal(hostNameOf(header), name, String(header))
  t.end()
})

test('reading any Host header never throws', (t) => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const name = hostNameOf(header)
      return name === undefined || !/[\s/?#@\\]/.test(name)
    })
  )
  t.end()
})

const request = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => ({
  headers: { host: 'localhost:3000', ...headers },
  socket: { remoteAddress }
})

test('a loopback peer that names a loopback host is this machine', (t) => {
  t.ok(isFromThisMachine(request(), undefined))
  t.ok(isFromThisMachine(request({ host: '127.0.0.1:3000' }, '::ffff:127.0.0.1'), ''))
  t.ok(isFromThisMachine(request(), 'http://localhost:3000'))
  t.notOk(isFromThisMachine(request({}, '203.0.113.9'), undefined))
  t.end()
})

test('behind a proxy or a public address no request is from this machine', (t) => {
  t.notOk(isFromThisMachine(request(), 'https://demo.example.com'))
  const headers: readonly Record<string, string>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '127.0.0.1' },
    { host: 'demo.example.com' },
    { host: 'evil.test:3000' },
    { host: '' }
  ]
  for (const each of headers) {
    t.notOk(isFromThisMachine(request(each), undefined), JSON.stringify(each))
  }
  t.end()
})
