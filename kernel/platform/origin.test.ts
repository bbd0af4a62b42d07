// The origin rule: which cookie-signed changes are taken.
import { test } from 'tap'
import { isOriginRight, type OriginRequest, originOf, originRule } from './origin.ts'

const rule = originRule('https://shop.example/base', ['https://admin.example', 'nonsense'])
const change: OriginRequest = {
  method: 'POST',
  protocol: 'http',
  host: 'app.example.test:3000',
  origin: 'http://app.example.test:3000',
  hasCookie: true
}

test('a change from a page of this host is taken', async (t) => {
  t.ok(isOriginRight(rule, change))
})

test('a change from the public address or an embedding origin is taken', async (t) => {
  for (const origin of ['https://shop.example', 'https://admin.example']) {
    t.ok(isOriginRight(rule, { ...change, origin }), origin)
  }
})

test('a change without an origin, or from another one, is refused', async (t) => {
  const others = [
    undefined,
    'null',
    '',
    'https://evil.test',
    'http://app.example.test:3000.evil.test',
    'https://app.example.test:3000',
    'http://app.example.test'
  ]
  for (const origin of others) t.notOk(isOriginRight(rule, { ...change, origin }), String(origin))
})

test('a request that names no host has no origin', async (t) => {
  t.notOk(isOriginRight(rule, { ...change, host: undefined }))
})

test('without a cookie nothing is asked', async (t) => {
  t.ok(isOriginRight(rule, { ...change, hasCookie: false, origin: 'https://evil.test' }))
})

test('a request that changes nothing is not asked', async (t) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    t.ok(isOriginRight(rule, { ...change, method, origin: undefined }), method)
  }
})

test('an address without an origin is none', async (t) => {
  for (const address of [undefined, '', 'not an address', 'data:text/plain,x']) {
    t.equal(originOf(address), undefined)
  }
  t.equal(originOf('https://a.example:443/path?q'), 'https://a.example')
})
