// What an address counts as in a rate limit.
import { test } from 'tap'
import { addressKey } from './address-key.ts'

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
