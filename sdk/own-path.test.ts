// What leads back to this host, against the URL parser that browsers and Node share.
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { test } from 'tap'
import { ownPath } from './own-path.ts'

const ORIGINS = ['https://acme.test', 'http://127.0.0.1:3000', 'http://evil.test']
/** What parsers drop, turn or resolve, and names that it could lead to. */
const PIECES = oneof(
  constantFrom('/', '\\', '.', '..', '%2e', '%2E%2e', '%2f', '%5c', ':', '@', '?', '#', 'x', ''),
  constantFrom('\t', '\n', '\r', ' ', '\0', '\u00a0', '\u3000', '\ufeff', '。', '／', '\ud800'),
  constantFrom('evil.test', 'http:', 'https:', 'javascript:', 'data:', '127.0.0.1', '[::1]', ';'),
  string({ maxLength: 4 })
)
const ADDRESSES = array(PIECES, { maxLength: 12 }).map((pieces) => pieces.join(''))

const staysAt = (path: string): boolean =>
  ORIGINS.every((origin) => new URL(path, `${origin}/login?next=x`).origin === origin)

test('no answer leads to another origin, however it is read', async (t) => {
  assert(
    property(ADDRESSES, (rest) =>
      [rest, `/${rest}`, `/x/../${rest}`].every((value) => {
        const path = ownPath(value)
        return path === undefined || (/^\/(?!\/)/.test(path) && staysAt(path))
      })
    ),
    { numRuns: 3000 }
  )
  t.pass()
})

test('an answer is read as itself again, and holds only characters of a header', async (t) => {
  assert(
    property(ADDRESSES, (rest) => {
      const path = ownPath(`/${rest}`)
      return path === undefined || (ownPath(path) === path && /^[\x21-\x7e]+$/.test(path))
    }),
    { numRuns: 3000 }
  )
  t.pass()
})

test('paths of this host are kept with query and fragment', async (t) => {
  for (const path of [
    '/',
    '/telemetry/events?range=7d#x',
    '/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.test%2Fcb',
    '/a?next=//evil.test',
    '/a//b',
    '/a#//evil.test'
  ]) {
    t.equal(ownPath(path), path, path)
  }
  t.equal(ownPath('/x/../telemetry/./events'), '/telemetry/events', 'as a browser reads it')
})

test('addresses of other hosts, and what is not a path, are refused', async (t) => {
  for (const value of [
    '/..//evil.test/phish',
    '/.//evil.test/phish',
    '/x/..//evil.test/phish',
    '/%2e%2e//evil.test',
    '/x/..\\\\evil.test',
    '/.\\/evil.test',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n\\evil.test',
    ' //evil.test',
    'https://evil.test/',
    'https:evil.test',
    'javascript:alert(1)',
    'telemetry',
    '',
    `/${'x'.repeat(16_384)}`,
    undefined,
    null,
    ['/a'],
    { toString: () => '/a' }
  ]) {
    t.equal(ownPath(value), undefined, String(JSON.stringify(value)).slice(0, 40))
  }
})
