// Fixed windows by key, and what a key is made of.
import { test } from 'tap'
import { addressKey, createRateLimit } from './rate-limit.ts'

const movable = () => {
  let time = 1_000_000
  return {
    clock: { now: () => new Date(time) },
    advance(ms: number) {
      time += ms
    }
  }
}

test('so many requests pass in a window, then it says how long to wait', async (t) => {
  const { clock, advance } = movable()
  const limit = createRateLimit({ max: 2, windowSeconds: 10 }, clock)
  t.same([limit.take('a'), limit.take('a'), limit.take('a')], [0, 0, 10])
  advance(9_500)
  t.equal(limit.take('a'), 1)
  advance(500)
  t.equal(limit.take('a'), 0)
})

test('keys do not count for each other', async (t) => {
  const limit = createRateLimit({ max: 1, windowSeconds: 10 }, movable().clock)
  t.same([limit.take('a'), limit.take('b'), limit.take('a')], [0, 0, 10])
})

test('memory stays bounded however many keys come', async (t) => {
  const { clock, advance } = movable()
  const limit = createRateLimit({ max: 1, windowSeconds: 10 }, clock)
  for (let number = 0; number < 20_001; number++) limit.take(`key-${number}`)
  t.equal(limit.take('key-0'), 0, 'the oldest is forgotten')
  t.equal(limit.take('key-20000'), 10, 'a young one is not')
  advance(10_000)
  t.equal(limit.take('new'), 0)
  t.equal(limit.take('key-20000'), 0)
})

test('an IPv4 address is its own key, also when it is written as IPv6', async (t) => {
  t.equal(addressKey('192.0.2.7'), '192.0.2.7')
  t.equal(addressKey('::ffff:192.0.2.7'), '192.0.2.7')
})

test('IPv6 addresses of one network have one key', async (t) => {
  t.equal(addressKey('2001:db8:0:1:aaaa::1'), '2001:db8:0:1')
  t.equal(addressKey('2001:0DB8:0000:0001:ffff:1:2:3'), '2001:db8:0:1')
  t.equal(addressKey('2001:db8::1'), '2001:db8:0:0')
  t.equal(addressKey('::1'), '0:0:0:0')
  t.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0')
})
