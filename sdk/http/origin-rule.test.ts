// The origin rule: which changes are taken, whatever a browser signs them with.
import fc from 'fast-check'
import { test } from 'tap'
import { isOriginRight, type OriginRequest, originRule, urlOrigin } from './origin-rule.ts'

const rule = originRule('https://shop.example/base', ['https://admin.example', 'nonsense'])
const OWN = 'http://app.example.test:3000'
const COOKIE = { cookie: 'sid=1' }

type Headers = OriginRequest['headers']
const isRight = (headers: Headers, more: Partial<OriginRequest> = {}) =>
  isOriginRight(rule, {
    method: 'POST',
    protocol: 'http',
    host: 'app.example.test:3000',
    headers,
    ...more
  })

/** What a browser adds to a request on its own. */
const SIGNED_UNASKED: Readonly<Record<string, Headers>> = {
  cookie: COOKIE,
  Basic: { authorization: 'Basic dXNlcjpwYXNz' },
  Negotiate: { authorization: 'Negotiate YII=' },
  'a cookie and a token': { ...COOKIE, authorization: 'Bearer junk' },
  'a client certificate or the network': {}
}
const FOREIGN: readonly Headers[] = [
  'null',
  '',
  'https://evil.test',
  `${OWN}.evil.test`,
  'https://app.example.test:3000',
  'http://app.example.test'
].map((origin) => ({ origin }))

test('a change from this host, its public address or an embedding origin is taken', (t) => {
  for (const [name, signed] of Object.entries(SIGNED_UNASKED)) {
    for (const origin of [OWN, 'https://shop.example']) {
      t.ok(isRight({ ...signed, origin }), `${name}, ${origin}`)
      t.ok(isRight({ ...signed, origin, 'sec-fetch-site': 'same-origin' }), `${name}, ${origin}`)
    }
    const embedded = { origin: 'https://admin.example', 'sec-fetch-site': 'cross-site' }
    t.ok(isRight({ ...signed, ...embedded }), `${name}, embedded`)
  }
  t.end()
})

test('a foreign origin is refused, whatever the browser signs the change with', (t) => {
  for (const [name, signed] of Object.entries(SIGNED_UNASKED)) {
    for (const foreign of FOREIGN) {
      t.notOk(isRight({ ...signed, ...foreign }), `${name}, ${foreign.origin}`)
    }
    for (const site of ['cross-site', 'same-site']) {
      t.notOk(isRight({ ...signed, 'sec-fetch-site': site }), `${name}, ${site}`)
    }
    t.notOk(isRight({ ...signed, origin: OWN, 'sec-fetch-site': 'cross-site' }), name)
  }
  t.end()
})

test('programs, which send neither header, are taken without a cookie alone', (t) => {
  t.ok(isRight({}))
  t.ok(isRight({ authorization: 'Basic dXNlcjpwYXNz' }))
  t.ok(isRight({ 'sec-fetch-site': 'none' }))
  t.notOk(isRight(COOKIE))
  t.end()
})

test('an access token needs no origin, because no browser adds it on its own', (t) => {
  for (const scheme of ['Bearer', 'DPoP', 'bearer']) {
    const signed = { authorization: `${scheme} token`, origin: 'https://evil.test' }
    t.ok(isRight({ ...signed, 'sec-fetch-site': 'cross-site' }), scheme)
  }
  t.end()
})

test('a request that names no host has no own origin', (t) => {
  t.notOk(isRight({ origin: OWN }, { host: undefined }))
  t.end()
})

test('a request that changes nothing is not asked', (t) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    t.ok(isRight({ ...COOKIE, origin: 'https://evil.test' }, { method }), method)
  }
  t.end()
})

test('no other origin than those of the rule is taken with a cookie', (t) => {
  const origins = fc.oneof(
    fc.webUrl().map((url) => new URL(url).origin),
    fc.string(),
    fc.string().map((end) => `${OWN}${end}`)
  )
  fc.assert(
    fc.property(origins, (origin) => {
      const isListed = [OWN, 'https://shop.example', 'https://admin.example'].includes(origin)
      return isRight({ ...COOKIE, origin }) === isListed
    })
  )
  t.end()
})

test('an address without an origin has none', (t) => {
  for (const address of [undefined, '', 'not an address', 'data:text/plain,x']) {
    t.equal(urlOrigin(address), undefined)
  }
  t.equal(urlOrigin('https://a.example:443/path?q'), 'https://a.example')
  t.end()
})
