// DNS checks: the tree walk, SPF, DKIM, MTA-STS and what is said about them.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { checkDomain, judgeKey, judgeStsPolicy } from './check-domain.ts'
import { readDmarcRecord, readTags } from './dmarc-record.ts'
import type { Dns, DnsAnswer } from './dns-lookup.ts'
import { judgeDomain } from './judge-domain.ts'
import { readSpf } from './spf.ts'
import { findPolicy, walkNames } from './tree-walk.ts'

type Zone = Readonly<Record<string, readonly string[] | 'failed'>>

/** A zone by `TYPE name`. */
function dnsOf(zone: Zone): Dns & { readonly asked: string[] } {
  const asked: string[] = []
  const ask = async (type: string, name: string): Promise<DnsAnswer<string>> => {
    asked.push(`${type} ${name}`)
    const values = zone[`${type} ${name}`]
    if (values === 'failed') return { kind: 'failed', code: 'ESERVFAIL' }
    return values === undefined ? { kind: 'absent' } : { kind: 'found', values }
  }
  return {
    asked,
    txt: (name) => ask('TXT', name),
    mx: (name) => ask('MX', name),
    addresses: (name) => ask('A', name),
    names: (ip) => ask('PTR', ip)
  }
}

const signal = new AbortController().signal
const noFetch = (() => Promise.reject(new Error('no network'))) as never

async function codesOf(
  zone: Zone,
  { reportAddress = null as string | null, selectors = [] as string[], fetch = noFetch } = {}
) {
  const dns = dnsOf(zone)
  const facts = await checkDomain('acme.test', { dns, fetch, selectors, signal })
  const findings = judgeDomain(facts, { reportAddress })
  return { facts, findings, codes: findings.map(({ code }) => code) }
}

const GOOD = {
  'TXT _dmarc.acme.test': ['v=DMARC1; p=reject; rua=mailto:d@acme.test'],
  'TXT acme.test': ['v=spf1 mx -all'],
  'MX acme.test': ['mail.acme.test'],
  'TXT _smtp._tls.acme.test': ['v=TLSRPTv1; rua=mailto:t@acme.test']
}

test('the walk asks at most eight times, from the domain up', (t) => {
  t.same(walkNames('a.b.acme.test'), ['a.b.acme.test', 'b.acme.test', 'acme.test', 'test'])
  const long = walkNames('a.b.c.d.e.f.g.h.i.j.acme.test')
  t.equal(long.length, 8)
  t.same(long.slice(0, 2), ['a.b.c.d.e.f.g.h.i.j.acme.test', 'f.g.h.i.j.acme.test'])
  const label = fc.stringMatching(/^[a-z]{1,5}$/)
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 30 }), (labels) => {
      const names = walkNames(labels.join('.'))
      return names.length <= 8 && names[0] === labels.join('.')
    })
  )
  t.end()
})

test('the record of the domain applies, else that of its organisation', async (t) => {
  const zone = { 'TXT _dmarc.acme.test': ['v=DMARC1; p=reject; sp=none'] }
  t.match(await findPolicy(dnsOf(zone), 'a.b.acme.test'), {
    at: 'acme.test',
    organisation: 'acme.test',
    record: { p: 'reject', sp: 'none' }
  })
  const both = { ...zone, 'TXT _dmarc.b.acme.test': ['v=DMARC1; p=none'] }
  const own = await findPolicy(dnsOf(both), 'b.acme.test')
  t.match(own, { at: 'b.acme.test', organisation: 'acme.test' })
})

test('psd=n ends the walk, and below psd=y is the organisation', async (t) => {
  const cut = dnsOf({
    'TXT _dmarc.b.acme.test': ['v=DMARC1; p=none; psd=n'],
    'TXT _dmarc.acme.test': ['v=DMARC1; p=reject']
  })
  t.match(await findPolicy(cut, 'a.b.acme.test'), {
    organisation: 'b.acme.test',
    at: 'b.acme.test'
  })
  t.same(cut.asked, ['TXT _dmarc.a.b.acme.test', 'TXT _dmarc.b.acme.test'])
  const suffix = dnsOf({ 'TXT _dmarc.bank': ['v=DMARC1; p=reject; psd=y'] })
  t.match(await findPolicy(suffix, 'a.acme.bank'), { organisation: 'acme.bank', record: null })
})

test('records are read as receivers do', (t) => {
  t.match(readDmarcRecord('v=DMARC1; p=reject; t=y; np=none; what=ever'), {
    p: 'reject',
    testing: true,
    np: 'none',
    pct: null
  })
  t.match(readDmarcRecord('v=DMARC1; rua=mailto:A@b.test!10m,mailto:c@d.test'), {
    p: 'none',
    rua: ['a@b.test', 'c@d.test']
  })
  t.match(readDmarcRecord('v=DMARC1; p=strict'), { problem: /p must be/ })
  t.match(readDmarcRecord('v=DMARC1'), { problem: /p is missing/ })
  fc.assert(fc.property(fc.string(), (text) => readDmarcRecord(text) !== undefined))
  t.end()
})

test('SPF look-ups are counted through includes and redirects', async (t) => {
  const zone = {
    'TXT acme.test': [
      'other text',
      'v=spf1 a mx:mail.acme.test include:one.test ip4:192.0.2.1 ~all'
    ],
    'TXT one.test': ['v=spf1 include:two.test exists:%{i}.x.test -all'],
    'TXT two.test': ['v=spf1 redirect=three.test'],
    'TXT three.test': ['v=spf1 a:gone.test ptr -all'],
    'A acme.test': ['192.0.2.1']
  }
  t.match(await readSpf(dnsOf(zone), 'acme.test'), {
    lookups: 8,
    voidLookups: 2,
    all: '~',
    problems: []
  })
  const loop = { 'TXT a.test': ['v=spf1 include:b.test'], 'TXT b.test': ['v=spf1 include:a.test'] }
  t.match(await readSpf(dnsOf(loop), 'a.test'), { problems: [/includes itself/] })
  const wide = Array.from({ length: 200 }, (_, n) => `include:n${n}.test`).join(' ')
  const dns = dnsOf({ 'TXT a.test': [`v=spf1 ${wide} -all`] })
  t.match(await readSpf(dns, 'a.test'), { lookups: 200 })
  t.ok(dns.asked.length < 40, 'following ends')
})

test('a domain in good order has nothing to mend', async (t) => {
  const { codes, findings } = await codesOf(GOOD, { reportAddress: 'd@acme.test' })
  t.same(codes, ['mta_sts_missing'])
  t.equal(findings[0]?.severity, 'info')
})

test('each mistake has its code, and the record that mends it', async (t) => {
  const without = (name: string): Zone =>
    Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name))
  const dmarc = (text: string) => ({ ...GOOD, 'TXT _dmarc.acme.test': [text] })
  const spf = (text: string) => ({ ...GOOD, 'TXT acme.test': [text] })
  const many = Array.from({ length: 11 }, (_, n) => `a:n${n}.test`).join(' ')
  const two = ['v=DMARC1; p=none', 'v=DMARC1; p=none']
  const cases: readonly (readonly [string, Zone, object?])[] = [
    ['dmarc_missing', without('TXT _dmarc.acme.test')],
    ['dmarc_multiple', { ...GOOD, 'TXT _dmarc.acme.test': two }],
    ['dmarc_invalid', dmarc('v=DMARC1; p=strict')],
    ['rua_missing', dmarc('v=DMARC1; p=none')],
    ['rua_missing_report_address', GOOD, { reportAddress: 'other@acme.test' }],
    ['external_auth_missing', dmarc('v=DMARC1; p=none; rua=mailto:a@else.example')],
    ['rua_domain_no_mx', dmarc('v=DMARC1; p=none; rua=mailto:a@sub.acme.test')],
    ['policy_none', dmarc('v=DMARC1; p=none; rua=mailto:d@acme.test')],
    ['policy_testing', dmarc('v=DMARC1; p=reject; t=y; rua=mailto:d@acme.test')],
    ['pct_partial', dmarc('v=DMARC1; p=reject; pct=50; rua=mailto:d@acme.test')],
    ['inherits_org_policy', { 'TXT _dmarc.test': ['v=DMARC1; p=reject; rua=mailto:d@test'] }],
    ['spf_missing', without('TXT acme.test')],
    ['spf_multiple', { ...GOOD, 'TXT acme.test': ['v=spf1 -all', 'v=spf1 -all'] }],
    ['spf_permissive', spf('v=spf1 +all')],
    ['spf_too_many_lookups', spf(`v=spf1 ${many} -all`)],
    ['spf_void_lookups', spf('v=spf1 a:x.test a:y.test a:z.test -all')],
    ['spf_invalid', spf('v=spf1 nonsense -all')],
    ['spf_invalid', spf('v=spf1 ip4:192.0.2.0/33 -all')],
    ['spf_discouraged', spf('v=spf1 ptr -all')],
    ['dmarc_invalid', dmarc(' v=DMARC1; p=reject; rua=mailto:d@acme.test')],
    ['dmarc_tag_invalid', dmarc('v=DMARC1; p=quarentine; rua=mailto:d@acme.test')],
    ['dmarc_tag_invalid', dmarc('v=DMARC1; p=none; rua=mailto:d@acme.test,e@acme.test')],
    ['dkim_missing', GOOD, { selectors: ['s1'] }],
    ['mta_sts_invalid', { ...GOOD, 'TXT _mta-sts.acme.test': ['v=STSv1; id=1'] }],
    ['tls_rpt_missing', without('TXT _smtp._tls.acme.test')],
    ['tls_rpt_invalid', { ...GOOD, 'TXT _smtp._tls.acme.test': ['v=TLSRPTv1;'] }],
    ['bimi_invalid', { ...GOOD, 'TXT default._bimi.acme.test': ['v=BIMI1; a='] }],
    [
      'bimi_policy',
      {
        ...dmarc('v=DMARC1; p=none; rua=mailto:d@acme.test'),
        'TXT default._bimi.acme.test': ['v=BIMI1; l=https://acme.test/l.svg']
      }
    ],
    ['lookup_failed', { ...GOOD, 'TXT acme.test': 'failed' }]
  ]
  for (const [code, zone, options] of cases) {
    const { codes } = await codesOf(zone, options)
    t.ok(codes.includes(code), `${code}: ${codes}`)
  }
  const { findings } = await codesOf(GOOD, { reportAddress: 'new@acme.test' })
  t.match(findings[0]?.fix, {
    name: '_dmarc.acme.test',
    value: 'v=DMARC1; p=reject; rua=mailto:d@acme.test,mailto:new@acme.test'
  })
  const limited = await codesOf(
    dmarc('v=DMARC1; p=none; rua=mailto:D@acme.test!10m, e@acme.test'),
    {
      reportAddress: 'new@acme.test'
    }
  )
  t.match(limited.findings.find(({ fix }) => fix !== undefined)?.fix, {
    value: 'v=DMARC1; p=none; rua=mailto:D@acme.test!10m,mailto:e@acme.test,mailto:new@acme.test'
  })
  const agreed = await codesOf({
    ...dmarc('v=DMARC1; p=reject; rua=mailto:a@else.example'),
    'MX else.example': ['mx.else.example'],
    'TXT acme.test._report._dmarc.else.example': ['v=DMARC1']
  })
  t.notOk(agreed.codes.includes('external_auth_missing'))
})

test('a DKIM key is judged by its length and form', (t) => {
  const key = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength })
      .publicKey.export({ type: 'spki', format: 'der' })
      .toString('base64')
  const judge = (text: string) => judgeKey(readTags(text))
  t.match(judge(`v=DKIM1; k=rsa; p=${key(1024)}`), { state: 'ok', bits: 1024 })
  t.match(judge(`v=DKIM1; p=${key(768)}`), { state: 'weak', bits: 768 })
  t.match(judge('v=DKIM1; p='), { state: 'revoked' })
  t.match(judge('v=DKIM1; p=abc'), { state: 'invalid' })
  t.match(judge('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='), {
    state: 'ok'
  })
  t.end()
})

test('an MTA-STS policy is judged as senders do', (t) => {
  const policy = (mode: string) =>
    `version: STSv1\r\nmode: ${mode}\r\nmx: *.acme.test\r\nmax_age: 86400\r\n`
  t.equal(judgeStsPolicy(policy('enforce')), 'ok')
  t.equal(judgeStsPolicy(policy('testing')), 'testing')
  t.equal(judgeStsPolicy(policy('wrong')), 'invalid')
  t.equal(judgeStsPolicy('<html>'), 'invalid')
  t.end()
})

test('the MTA-STS policy is fetched where the record names one, and decides', async (t) => {
  const asked: string[] = []
  const serve = (status: number, text: string) =>
    ((url: string) => {
      asked.push(url)
      return Promise.resolve(new Response(text, { status }))
    }) as never
  const policy = 'version: STSv1\nmode: enforce\nmx: mail.acme.test\nmax_age: 86400\n'
  const zone = { ...GOOD, 'TXT _mta-sts.acme.test': ['v=STSv1; id=20261123'] }
  const stateOf = async (fetch: never) => (await codesOf(zone, { fetch })).facts.mtaSts
  t.equal(await stateOf(serve(200, policy)), 'ok')
  t.same(asked, ['https://mta-sts.acme.test/.well-known/mta-sts.txt'])
  t.equal(await stateOf(serve(200, policy.replace('enforce', 'testing'))), 'testing')
  t.equal(await stateOf(serve(404, policy)), 'invalid')
  t.equal(await stateOf(noFetch), 'invalid', 'a host that does not answer')
  const without = await codesOf(GOOD, { fetch: serve(200, policy) })
  t.equal(without.facts.mtaSts, 'missing')
  t.equal(asked.length, 3, 'without a record nothing is fetched')
})

test('a domain with a null MX takes no reports, and a key in test mode is named', async (t) => {
  const none = { ...GOOD, 'MX acme.test': [''] }
  t.match((await codesOf(none)).codes, ['rua_domain_no_mx'])
  t.equal((await codesOf(none)).facts.hasMx, false)
  t.equal((await codesOf(GOOD)).facts.hasMx, true)
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  for (const [flags, isTesting] of [
    ['y', true],
    ['s:y', true],
    ['s', false]
  ] as const) {
    const zone = { ...GOOD, 'TXT s1._domainkey.acme.test': [`v=DKIM1; t=${flags}; p=${key}`] }
    const { codes } = await codesOf(zone, { selectors: ['s1'] })
    t.equal(codes.includes('dkim_testing'), isTesting, flags)
  }
})
