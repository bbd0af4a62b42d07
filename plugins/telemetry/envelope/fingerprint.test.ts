// Which errors are one issue: tables of pairs.
import { test } from 'tap'
import { fingerprintOf } from './fingerprint.ts'
import { steadyMessage } from './steady-text.ts'

const at = (filename: string, fn = 'pay', inApp = true) => ({ filename, fn, inApp })

const SAME: readonly (readonly [string, readonly [string, string], readonly [string, string]])[] = [
  ['a person', ["'ann@example.test'", '/app/cart.py'], ["'bob@example.test'", '/app/cart.py']],
  [
    'a deploy',
    ['x', '/static/js/main.7a1b2c3d4e.chunk.js'],
    ['x', '/static/js/main.0f9e8d7c6b.chunk.js']
  ],
  [
    'a bundle',
    ['x', 'https://a.example/assets/index-Bx3kQ9dZ.js'],
    ['x', 'https://a.example/assets/index-C7_hW2pa.js']
  ],
  ['a host', ['x', 'https://one.example:8443/app.js?v=1'], ['x', 'http://two.example/app.js']],
  [
    'a release folder',
    ['x', '/srv/releases/20241102/app.rb'],
    ['x', '/srv/releases/20251230/app.rb']
  ],
  ['a version folder', ['x', '/opt/shop/1.4.0/cart.php'], ['x', '/opt/shop/1.5.2/cart.php']]
]
for (const [what, [one, file], [other, otherFile]] of SAME) {
  test(`errors that differ by ${what} alone are one issue`, async (t) => {
    t.equal(fingerprintOf('T', one, [at(file)]), fingerprintOf('T', other, [at(otherFile)]))
  })
}

test('errors of another type, file or function are another issue', async (t) => {
  const all = [
    fingerprintOf('T', 'x', [at('/app/cart.py')]),
    fingerprintOf('U', 'x', [at('/app/cart.py')]),
    fingerprintOf('T', 'x', [at('/app/shop.py')]),
    fingerprintOf('T', 'x', [at('/app/cart.py', 'refund')]),
    fingerprintOf('T', 'x', [at('/app/cart.py'), at('/app/job.py')]),
    fingerprintOf('T', 'x')
  ]
  t.equal(new Set(all).size, all.length)
})

test('frames of libraries count where there are none of the application', async (t) => {
  const library = at('/app/node_modules/pg/client.js', 'query', false)
  const own = at('/app/cart.js')
  t.equal(fingerprintOf('T', 'x', [library, own]), fingerprintOf('T', 'x', [own]))
  t.not(fingerprintOf('T', 'x', [library]), fingerprintOf('T', 'x'))
})

test('a deeper recursion is the same issue', async (t) => {
  const walk = at('/app/tree.js', 'walk')
  t.equal(fingerprintOf('T', 'x', [walk, walk, walk]), fingerprintOf('T', 'x', [walk]))
})

const MESSAGES: readonly (readonly [string, string])[] = [
  ['no user ann@example.test', 'no user #'],
  ["KeyError: 'ann'", 'KeyError: #'],
  ['column "total" is missing', 'column # is missing'],
  ["can't read the cart, it isn't there", "can't read the cart, it isn't there"],
  ['GET https://api.example.test/v1/orders/7?x=1 failed', 'GET # failed'],
  ['order 3f2b8c1e-9d4a-4b6e-8f0a-1c2d3e4f5a6b is gone', 'order # is gone'],
  ['connect ECONNREFUSED 10.0.3.17:5432', 'connect ECONNREFUSED #'],
  ['connect ::1:5432 refused', 'connect # refused'],
  ['at 0x7ffee4c1a2b0 after 12.5 ms', 'at # after # ms'],
  ['token eyJhbGciOiJFUzI1NiJ9abc expired', 'token # expired'],
  ['the field defaced is bad', 'the field defaced is bad'],
  ['Übergröße „12“ für Nr. 7', 'Übergröße „#“ für Nr. #']
]
for (const [message, steady] of MESSAGES) {
  test(`what is steady in a message: ${message}`, async (t) => {
    t.equal(steadyMessage(message), steady)
  })
}
