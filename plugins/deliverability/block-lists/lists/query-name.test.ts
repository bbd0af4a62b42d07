// Names that ask lists.
import fc from 'fast-check'
import { test } from 'tap'
import { entryOf, ipv6TestEntry, reversedAddress, zoneOf } from './query-name.ts'

const domainList = (host: string) => ({ host, label: 'List', kind: 'domain' as const })
const ipList = { host: 'zen.spamhaus.org', label: 'List', kind: 'ip' as const }

test('an IPv4 address is asked by its octets in reverse', async (t) => {
  t.equal(entryOf('192.0.2.25', ipList), '25.2.0.192')
})

test('an IPv6 address is asked by its 32 nibbles in reverse', async (t) => {
  const entry = entryOf('2001:db8::1', ipList)
  t.equal(entry, `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2`)
})

test('an IPv4 address within IPv6 is asked as IPv4', async (t) => {
  t.equal(entryOf('::ffff:192.0.2.25', ipList), '25.2.0.192')
})

test('the IPv6 test entry has 32 nibbles', async (t) => {
  t.equal(ipv6TestEntry(2), `2.0.0.0.0.0.f.7.f.f.f.f.${'0.'.repeat(19)}0`)
})

test('lists of registrable domains are asked for that, others for the domain itself', async (t) => {
  t.equal(entryOf('mail.shop.example.co.uk', domainList('multi.surbl.org')), 'example.co.uk')
  t.equal(entryOf('mail.shop.example.co.uk', domainList('multi.uribl.com')), 'example.co.uk')
  t.equal(
    entryOf('mail.shop.example.co.uk', domainList('dbl.spamhaus.org')),
    'mail.shop.example.co.uk'
  )
})

test('lists of Spamhaus are asked at the Data Query Service when there is a key', async (t) => {
  t.equal(zoneOf('zen.spamhaus.org', 'abc'), 'abc.zen.dq.spamhaus.net')
  t.equal(zoneOf('dbl.spamhaus.org', undefined), 'dbl.spamhaus.org')
  t.equal(zoneOf('bl.spamcop.net', 'abc'), 'bl.spamcop.net')
})

test('every address becomes a name with the right number of labels', async (t) => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => reversedAddress(address).split('.').length === 4),
    { numRuns: 50 }
  )
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const labels = reversedAddress(address).split('.')
      return labels.length === 32 || labels.length === 4
    })
  )
  t.pass()
})
