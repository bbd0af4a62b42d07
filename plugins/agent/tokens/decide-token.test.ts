// What a change may make of a token, when one is in force, and what its id is.
import { array, assert, constantFrom, option, property, record, subarray } from 'fast-check'
import { test } from 'tap'
import { admits, expiryFault, grows, rotated, secretBefore, tokenId } from './decide-token.ts'
import { AGENT_SCOPES, coversPath, holds, type Reach, reachesAll } from './reach.ts'
import type { TokenRow } from './token-row.ts'
import { bearerOf, hashOf, isSecret, newSecret } from './token-secret.ts'

const now = new Date('2030-01-01T00:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const secret = (text: string) => ({ hash: hashOf(text), ending: text.slice(-4) })
const row = (more: Partial<TokenRow> = {}): TokenRow => ({
  _id: 'bot-1',
  tenantId: 'acme',
  name: 'Bot',
  scopes: ['mail:write'],
  secrets: [secret('one')],
  owner: { tenantId: 'acme', name: 'human:ann' },
  createdAt: now,
  ...more
})

const words = constantFrom('a', 'b', 'ab', '*', '')
const paths = array(words, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const reaches = record({
  scopes: subarray([...AGENT_SCOPES], { minLength: 1 }),
  routes: option(array(paths, { minLength: 1, maxLength: 3 }), { nil: undefined })
}).map(({ scopes, routes }): Reach => ({ scopes, ...(routes !== undefined && { routes }) }))

test('a token that reaches all of another one opens every call that the other opens', async (t) => {
  assert(
    property(reaches, reaches, paths, (wide, narrow, path) => {
      if (!reachesAll(wide, narrow)) return
      if (coversPath(narrow, path) && !coversPath(wide, path)) throw new Error(`${path} is new`)
      for (const scope of AGENT_SCOPES)
        if (holds(narrow, scope) && !holds(wide, scope)) throw new Error(`${scope} is new`)
    }),
    { numRuns: 5000 }
  )
  assert(property(reaches, (one) => reachesAll(one, one)))
  t.pass('of 5,000 pairs')
})

test('a change grows a token by a scope, a route or a time that it does not have', async (t) => {
  const bound = row({ scopes: ['mail:read'], routes: ['/flows/*'], expiresAt: later(1000) })
  for (const change of [
    { scopes: ['mail:write'] },
    { routes: ['/flows/*', '/status'] },
    { routes: ['/*'] },
    { expiresAt: later(1001) }
  ] as const)
    t.equal(grows(bound, change), true, JSON.stringify(change))
  for (const change of [
    {},
    { name: 'Other' },
    { scopes: ['mail:read'] },
    { routes: ['/flows/a', '/flows/b/*'] },
    { expiresAt: later(1000) }
  ] as const)
    t.equal(grows(bound, change), false, JSON.stringify(change))
  t.equal(grows(row({ routes: ['/a/*/*'] }), { routes: ['/a/*'] }), true, 'a star of an address')
  t.equal(grows(row(), { scopes: ['mail:read'], routes: ['/x'], expiresAt: later(1) }), false)
})

test('a token admits its secrets while they and it are in force', async (t) => {
  const after = rotated(row(), secret('two'), later(1000))
  const both = row({ secrets: after })
  t.same(
    ['one', 'two', 'three'].map((text) => admits(both, hashOf(text), now)),
    [true, true, false]
  )
  t.equal(admits(both, hashOf('one'), later(1000)), false)
  t.equal(secretBefore(both, now)?.ending, 'one')
  t.equal(secretBefore(both, later(1000)), undefined)
  t.same(rotated(both, secret('three'), undefined), [secret('three')])
  t.equal(rotated(both, secret('three'), later(5)).length, 2)
  for (const over of [{ revokedAt: now }, { expiresAt: now }])
    t.equal(admits({ ...both, ...over }, hashOf('two'), now), false)
})

test('an expiry is within a year', async (t) => {
  t.equal(expiryFault(later(1), now), undefined)
  t.equal(expiryFault(later(366 * 86_400_000), now), undefined)
  for (const ms of [0, -1, 366 * 86_400_000 + 1, Number.NaN])
    t.type(expiryFault(later(ms), now), 'string')
})

test('the id of a token is readable, and made of letters that need no escape', async (t) => {
  for (const [name, id] of [
    ['Deploy bot', 'deploy-bot-x'],
    ['Büro: Ärger!', 'buro-arger-x'],
    ['日本', 'token-x'],
    ['  ', 'token-x'],
    ['../../etc', 'etc-x'],
    ['a'.repeat(80), `${'a'.repeat(32)}-x`]
  ] as const)
    t.equal(tokenId(name, 'x'), id)
})

test('a secret has 256 random bits behind a prefix, and any other text is none', async (t) => {
  const made = Array.from({ length: 100 }, newSecret)
  t.equal(new Set(made).size, 100)
  t.ok(made.every(isSecret))
  for (const text of [
    '',
    'ksa_',
    made[0]?.slice(4) ?? '',
    `${made[0]}x`,
    ` ${made[0]}`,
    `${made[0]}\n`
  ])
    t.notOk(isSecret(text), JSON.stringify(text))
  t.equal(bearerOf('bearer  abc'), 'abc')
  for (const header of [undefined, '', 'Bearer', 'Bearer a b', 'Basic abc', 'abc'])
    t.equal(bearerOf(header), '')
})
