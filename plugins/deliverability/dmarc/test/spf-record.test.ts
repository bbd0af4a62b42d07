// SPF records by the grammar of RFC 7208, each fault with its place; DMARC tags by their values.
import fc from 'fast-check'
import { test } from 'tap'
import { readDmarcRecord } from '../dns/dmarc-record.ts'
import type { Dns, DnsAnswer } from '../dns/dns-lookup.ts'
import { readSpf } from '../dns/spf.ts'
import { isSpfRecord, parseSpf } from '../dns/spf-record.ts'
import { currentPolicy } from '../overview/policy-progression.ts'

const RIGHT = [
  'v=spf1',
  'v=spf1 -all',
  'V=SPF1 +A -ALL',
  'v=spf1  a   mx  ~all ',
  'v=spf1 a:mail.acme.test mx:acme.test. -all',
  'v=spf1 a/24 mx//64 a:acme.test/24//64 -all',
  'v=spf1 ip4:192.0.2.0/0 ip4:192.0.2.1 ip4:192.0.2.0/32 -all',
  'v=spf1 ip6:2001:db8::/32 ip6:::1 ip6:::ffff:192.0.2.1/128 -all',
  'v=spf1 include:_spf.acme.test exists:%{ir}.%{l1r+-}._spf.%{d} ?all',
  'v=spf1 include:%{d2}.acme.test redirect=_spf.acme.test exp=explain._spf.%{d}',
  'v=spf1 ptr ptr:acme.test -all',
  'v=spf1 moo.cow-far_out=man:dog/cat%{c} -all',
  'v=spf1 exists:a%%b%_c%-d.acme.test -all',
  'v=spf1 include:xn--bcher-kva.example -all'
]

/** The record, the place of the fault, and a word of what is said. */
const WRONG: readonly (readonly [string, number, RegExp])[] = [
  ['v=spf1 ip4:192.0.2.300 -all', 8, /IPv4 network/],
  ['v=spf1 ip4:300.1.1.1 -all', 8, /IPv4 network/],
  ['v=spf1 a ip4:192.0.2.0/33 -all', 10, /from 0 to 32/],
  ['v=spf1 ip4:192.0.2.0/024 -all', 8, /from 0 to 32/],
  ['v=spf1 ip4:192.0.2.0/ -all', 8, /from 0 to 32/],
  ['v=spf1 ip4:192.0.2.1, -all', 8, /IPv4 network/],
  ['v=spf1 ip4:2001:db8::1 -all', 8, /IPv4 network/],
  ['v=spf1 ip4: -all', 8, /address is missing/],
  ['v=spf1 ip4 -all', 8, /address is missing/],
  ['v=spf1 ip6:2001:db8::/129 -all', 8, /from 0 to 128/],
  ['v=spf1 ip6:192.0.2.1 -all', 8, /IPv6 network/],
  ['v=spf1 mx/33 -all', 8, /from 0 to 32/],
  ['v=spf1 a//129 -all', 8, /from 0 to 128/],
  ['v=spf1 a: -all', 8, /domain is missing/],
  ['v=spf1 include -all', 8, /domain is missing/],
  ['v=spf1 include: -all', 8, /domain is missing/],
  ['v=spf1 include:localhost -all', 8, /not a domain/],
  ['v=spf1 include:192.0.2.1 -all', 8, /not a domain/],
  ['v=spf1 include:acme.test/24 -all', 8, /not a domain/],
  ['v=spf1 include=acme.test include:%{x}.test -all', 26, /macro/],
  ['v=spf1 exists:%{d -all', 8, /macro/],
  ['v=spf1 exists:%{d0}.test -all', 8, /macro/],
  ['v=spf1 exists:%{c}.test -all', 8, /macro/],
  ['v=spf1 exists:100%.test -all', 8, /macro/],
  ['v=spf1 all:acme.test', 8, /all takes no value/],
  ['v=spf1 nonsense -all', 8, /neither/],
  ['v=spf1 -redirect=acme.test', 8, /neither/],
  ['v=spf1 ipv4:192.0.2.1 -all', 8, /neither/],
  ['v=spf1\tmx -all', 1, /./],
  ['v=spf1 mx\t-all', 8, /neither/],
  ['v=spf1 redirect=a.test redirect=b.test', 24, /twice/],
  ['v=spf1 redirect=', 8, /domain is missing/],
  ['v=spf1 -all exp=a exp=b.test', 13, /not a domain/],
  ['v=spf1 -all ip4:x', 13, /IPv4/],
  ['v=spf1 include:bücher.example -all', 8, /not allowed/]
]

test('a record that receivers take has no fault', (t) => {
  for (const record of RIGHT) t.same(parseSpf(record).faults, [], record)
  t.end()
})

test('a record that receivers answer permerror to has its fault, and where it is', (t) => {
  for (const [record, at, problem] of WRONG) {
    if (at === 1) t.notOk(isSpfRecord(record), record)
    else t.match(parseSpf(record).faults, [{ at, problem }], record)
  }
  t.end()
})

test('every term is read once, with its place', async () => {
  const word = fc.oneof(
    fc.constantFrom(
      'all',
      'a',
      'mx/24',
      'ip4:192.0.2.1',
      'include:a.test',
      'redirect=b.test',
      '%{',
      'x=y'
    ),
    fc.stringMatching(/^[!-~]{1,12}$/)
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const record = ['v=spf1', ...words].join(' ')
      const { terms, faults } = parseSpf(record)
      const all = [...terms, ...faults]
      return (
        all.length === words.length &&
        all.every(({ at, text }) => record.slice(at - 1, at - 1 + text.length) === text)
      )
    })
  )
})

/** Names and what they have. */
function dnsOf(zone: Readonly<Record<string, readonly string[]>>): Dns {
  const ask = async (type: string, name: string): Promise<DnsAnswer<string>> => {
    const values = zone[`${type} ${name}`]
    return values === undefined ? { kind: 'absent' } : { kind: 'found', values }
  }
  return {
    txt: (name) => ask('TXT', name),
    mx: (name) => ask('MX', name),
    addresses: (name) => ask('A', name),
    names: (ip) => ask('PTR', ip)
  }
}

test('faults of included records count, and what follows all costs no look-up', async (t) => {
  const read = (record: string, zone = {}) =>
    readSpf(dnsOf({ 'TXT acme.test': [record], ...zone }), 'acme.test')
  const other = { 'TXT b.test': ['v=spf1 ip4:x -all'] }
  t.match((await read('v=spf1 include:b.test -all', other)).problems, [
    /character 8 in the record of b.test/
  ])
  const after = await read('v=spf1 -all a:b.test include:c.test')
  t.match(after, { lookups: 0, all: '-', problems: [], remarks: [/follows all/, /follows all/] })
  t.match(await read('v=spf1 -all redirect=b.test', other), { lookups: 0, problems: [] })
  const names = Array.from({ length: 11 }, (_, at) => `mx${at}.test`)
  t.match((await read('v=spf1 mx -all', { 'MX acme.test': names })).problems, [/11 MX names/])
  const twice = { 'TXT b.test': ['v=spf1 -all', 'v=spf1 -all'] }
  t.match((await read('v=spf1 include:b.test -all', twice)).problems, [/2 SPF records/])
  t.match((await read('v=spf1 include:acme.test. -all')).problems, [/includes itself/])
})

test('a value of DMARC that receivers do not know is named', (t) => {
  const base = 'v=DMARC1; p=none; rua=mailto:a@b.test'
  for (const [record, faults] of [
    [base, []],
    [
      `${base}!10m,mailto:c@d.test; sp=REJECT; np=none; adkim=s; aspf=r; fo=1:d:s; t=y; psd=n; pct=0; ri=3600; rf=afrf; what=ever;`,
      []
    ],
    [
      'v=DMARC1; p=quarentine; rua=mailto:a@b.test',
      [{ tag: 'p', problem: /"quarentine" must be none/ }]
    ],
    [`${base}; sp=rejects`, [{ tag: 'sp', problem: /rejects/ }]],
    [`${base}; np=yes; t=true; psd=x`, [{ tag: 'np' }, { tag: 't' }, { tag: 'psd' }]],
    [
      `${base}; pct=101; ri=day; fo=2; rf=iodef`,
      [{ tag: 'pct' }, { tag: 'ri' }, { tag: 'fo' }, { tag: 'rf' }]
    ],
    [`${base}; adkim=strict; aspf=`, [{ tag: 'adkim' }, { tag: 'aspf' }]],
    [`${base}; p=reject`, [{ tag: 'p', problem: /twice/ }]],
    [`${base}; reject`, [{ tag: 'reject', problem: /no value/ }]],
    [
      `${base},c@d.test,https://x.test`,
      [
        { tag: 'rua', problem: /"c@d.test"/ },
        { tag: 'rua', problem: /https/ }
      ]
    ]
  ] as const)
    t.match(readDmarcRecord(record), { faults }, record)
  t.match(readDmarcRecord(` ${base}`), { problem: /blank/ })
  t.end()
})

test('the record in DNS decides the ladder where it is known', (t) => {
  const reported = { p: 'none', pct: 100, testing: false } as const
  const record = 'v=DMARC1; p=quarantine; sp=none; t=y'
  t.same(currentPolicy('acme.test', reported, { record, recordAt: 'acme.test' }), {
    policy: 'quarantine',
    pct: null,
    testing: true
  })
  t.match(currentPolicy('a.acme.test', reported, { record, recordAt: 'acme.test' }), {
    policy: 'none'
  })
  for (const unknown of [undefined, { record: null, recordAt: null }])
    t.same(currentPolicy('acme.test', reported, unknown), {
      policy: 'none',
      pct: 100,
      testing: false
    })
  t.end()
})
