// Which provider hands a mail over, and which takes over from another.
import fc from 'fast-check'
import { test } from 'tap'
import { chooseProvider } from './choose-provider.ts'
import { fallbackFor, type PastDelivery } from './failover.ts'

const providers = new Map([...'abcd'].map((name) => [name, { name }]))
const defaults = { defaultProvider: 'c', defaultTransactionalProvider: 'd' }
const choose = (names: object) =>
  chooseProvider({ kind: 'marketing', ...names }, defaults, providers)

test('the name of the send outranks that of the template, which outranks the default', async (t) => {
  t.match(choose({ override: 'a', template: 'b' }), { name: 'a', provider: { name: 'a' } })
  t.match(choose({ template: 'b' }), { name: 'b' })
  t.match(choose({}), { name: 'c' })
})

test('transactional mail has a separate default', async (t) => {
  t.match(choose({ kind: 'transactional' }), { name: 'd' })
  t.match(choose({ kind: 'transactional', template: 'b' }), { name: 'b' })
})

test('an unknown name never becomes another provider', async (t) => {
  for (const name of ['x', '', '__proto__', 'constructor']) {
    t.same(choose({ override: name, template: 'b' }), { unknown: name })
    t.same(choose({ template: name }), { unknown: name })
  }
})

const fallbacks = { a: 'b', b: 'c', c: 'a' }
const deliver = (provider: string, status: PastDelivery['status']) => ({ provider, status })

test('mail that a provider does not have goes to its fallback', async (t) => {
  t.equal(fallbackFor([deliver('a', 'retry')], fallbacks), 'b')
  t.equal(fallbackFor([deliver('a', 'retry'), deliver('b', 'retry')], fallbacks), 'c')
})

test('mail never returns to a provider that had its turn', async (t) => {
  const past = ['a', 'b', 'c'].map((name) => deliver(name, 'retry'))
  t.equal(fallbackFor(past, fallbacks), undefined)
})

test('a provider without a fallback keeps its mail', async (t) => {
  t.equal(fallbackFor([deliver('d', 'retry')], fallbacks), undefined)
  t.equal(fallbackFor([deliver('constructor', 'retry')], fallbacks), undefined)
  t.equal(fallbackFor([], fallbacks), undefined)
})

test('mail that any provider may have, took or refused for good stays', async (t) => {
  const status = fc.constantFrom<PastDelivery['status']>('accepted', 'rejected', 'unknown', 'retry')
  const past = fc.array(fc.record({ provider: fc.constantFrom('a', 'b', 'c'), status }))
  fc.assert(
    fc.property(past, (deliveries) => {
      const isSafe = deliveries.every(({ status: was }) => was === 'retry')
      return isSafe || fallbackFor(deliveries, fallbacks) === undefined
    })
  )
  t.equal(fallbackFor([deliver('a', 'unknown'), deliver('a', 'retry')], fallbacks), undefined)
})
