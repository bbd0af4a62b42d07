// Which addresses a declared host covers.
import { test } from 'tap'
import { isAllowed, parseHosts } from './hosts.ts'

const table: [declared: string, url: string, allowed: boolean][] = [
  ['example.com', 'https://example.com/x', true],
  ['example.com', 'http://example.com:8080/', true],
  ['Example.COM', 'https://example.com/', true],
  ['example.com', 'https://EXAMPLE.com/', true],
  ['example.com', 'https://www.example.com/', false],
  ['example.com', 'https://example.com.evil.test/', false],
  ['example.com', 'https://evil-example.com/', false],
  ['example.com', 'https://example.com@evil.test/', false],
  ['example.com:443', 'https://example.com/', true],
  ['example.com:443', 'http://example.com/', false],
  ['example.com:80', 'http://example.com/', true],
  ['example.com:8080', 'https://example.com/', false],
  ['example.com:8080', 'http://example.com:8080/', true],
  ['127.0.0.1', 'http://127.0.0.1:9999/', true],
  ['127.0.0.1', 'http://2130706433/', true],
  ['127.0.0.1', 'http://localhost/', false],
  ['[::1]', 'http://[::1]:3000/', true],
  ['[::1]:3000', 'http://[0:0:0:0:0:0:0:1]:3000/', true],
  ['[::1]:3000', 'http://[::1]/', false],
  ['bücher.example', 'https://xn--bcher-kva.example/', true]
]

for (const [declared, url, allowed] of table) {
  test(`${declared} ${allowed ? 'covers' : 'does not cover'} ${url}`, async (t) => {
    t.equal(isAllowed(parseHosts([declared]), new URL(url)), allowed)
  })
}

test('nothing declared covers nothing', async (t) => {
  t.equal(isAllowed([], new URL('https://example.com')), false)
})
