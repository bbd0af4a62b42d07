// The checklist of Gmail, Yahoo and Outlook: its rules, its route, and the facts of other plugins.

import { mailerSenderFacts, type SenderFacts } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { checkReverse } from '../dns/check-reverse.ts'
import type { DnsAnswer } from '../dns/dns-lookup.ts'
import plugin from '../plugin.ts'
import { judgeReadiness, type ReadinessFacts } from '../readiness/judge-readiness.ts'
import { judgeReadinessSetup } from '../readiness/read-readiness.ts'
import type { DnsCheckRow } from '../storage/rows.ts'
import { formOf, NOW } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

const check: DnsCheckRow = {
  _id: 'acme.test',
  checkedAt: NOW,
  findings: [],
  record: 'v=DMARC1; p=none; rua=mailto:d@acme.test',
  recordAt: 'acme.test',
  organisation: 'acme.test',
  questions: 1,
  spf: { record: 'v=spf1 mx -all', lookups: 4, voidLookups: 0 },
  dkim: [{ selector: 's1', state: 'ok', bits: 2048 }],
  reverse: [{ ip: '192.0.2.10', name: 'out1.acme.test', state: 'ok' }],
  mtaSts: 'missing',
  tlsRpt: 'ok',
  bimi: 'missing'
}
const good: ReadinessFacts = {
  domain: 'acme.test',
  check,
  alignment: { messages: 1000, passed: 999 },
  facts: {
    domain: 'acme.test',
    spamRate: { rate: 0.0006, receiver: 'Gmail', date: '2026-11-20' },
    complaintRate: { rate: 0.0005, sent: 2000 },
    encryptedRate: { rate: 1, receiver: 'Gmail' },
    oneClick: { isMet: true, receiver: 'Gmail' }
  }
}

const itemOf = (facts: ReadinessFacts, id: string) =>
  judgeReadiness(facts).items.find((item) => item.id === id)
const withFacts = (facts: Partial<SenderFacts>) => ({ ...good, facts: { ...good.facts, ...facts } })
const withCheck = (change: Partial<DnsCheckRow>) => ({ ...good, check: { ...check, ...change } })

test('a domain that meets every rule is ready', async (t) => {
  const { state, items } = judgeReadiness(good)
  t.equal(state, 'met')
  t.same([...new Set(items.map((item) => item.state))], ['met'])
  t.same(judgeReadinessSetup([judgeReadiness(good)]).severity, 'ok')
})

test('nothing that is unknown counts as met, but for the headers that the mailer adds', async (t) => {
  const { state, items } = judgeReadiness({
    domain: 'a.test',
    check: null,
    alignment: null,
    facts: {}
  })
  t.equal(state, 'unknown')
  t.same(
    items.filter((item) => item.state === 'met').map(({ id }) => id),
    ['one_click']
  )
})

test('a missing record comes with the record to publish', async (t) => {
  const fix = { name: '_dmarc.acme.test', type: 'TXT', value: 'v=DMARC1; p=none' } as const
  const missing = { code: 'dmarc_missing', severity: 'error', message: 'No record.', fix } as const
  const facts = withCheck({ findings: [missing], record: null, recordAt: null })
  t.match(itemOf(facts, 'dmarc'), { state: 'failed', fix })
  const setup = judgeReadinessSetup([judgeReadiness(facts)])
  t.equal(setup.severity, 'error')
  t.match(setup.items?.[0]?.hint, /TXT _dmarc\.acme\.test: v=DMARC1; p=none/)
  const spf = { ...missing, code: 'spf_missing', severity: 'warn' } as const
  t.match(itemOf(withCheck({ findings: [spf] }), 'spf'), { state: 'failed' }, 'all require SPF')
  t.match(itemOf(withCheck({ tlsRpt: 'missing' }), 'tls_rpt'), {
    state: 'warn',
    requiredBy: [],
    fix: { name: '_smtp._tls.acme.test' }
  })
})

test('a selector without a key warns while another one signs, and fails alone', async (t) => {
  const lost = { code: 'dkim_missing', severity: 'error', message: 's2 has no key.' } as const
  const gone = { selector: 's2', state: 'missing', bits: null } as const
  const both = withCheck({ findings: [lost], dkim: [...check.dkim, gone] })
  t.match(itemOf(both, 'dkim'), { state: 'warn' })
  t.match(itemOf(withCheck({ findings: [lost], dkim: [gone] }), 'dkim'), { state: 'failed' })
  t.match(itemOf(withCheck({ dkim: [{ selector: 's1', state: 'ok', bits: 1024 }] }), 'dkim'), {
    state: 'warn',
    hint: /2048/
  })
})

test('rates warn from 0.1 % and fail from 0.3 %', async (t) => {
  for (const [rate, state] of [
    [0.001, 'met'],
    [0.0011, 'warn'],
    [0.003, 'failed']
  ] as const) {
    const spamRate = { rate, receiver: 'Gmail', date: '2026-11-20' }
    t.match(itemOf(withFacts({ spamRate }), 'spam_rate'), { state })
    t.match(itemOf(withFacts({ complaintRate: { rate, sent: 100 } }), 'complaint_rate'), { state })
  }
  t.match(itemOf(withFacts({ complaintRate: { rate: 0.5, sent: 99 } }), 'complaint_rate'), {
    state: 'unknown'
  })
})

test('unencrypted mail, unusable unsubscribe and failing alignment say what to do', async (t) => {
  t.match(itemOf(withFacts({ encryptedRate: { rate: 0.9, receiver: 'Gmail' } }), 'tls'), {
    state: 'failed',
    hint: /STARTTLS/
  })
  t.match(itemOf(withFacts({ oneClick: { isMet: false, receiver: 'Gmail' } }), 'one_click'), {
    state: 'failed',
    hint: /https/
  })
  t.match(itemOf({ ...good, alignment: { messages: 100, passed: 97 } }, 'alignment'), {
    state: 'warn'
  })
})

test('reverse DNS must lead back to the address', async (t) => {
  const zone: Readonly<Record<string, readonly string[]>> = {
    '192.0.2.1': ['out1.acme.test'],
    'out1.acme.test': ['192.0.2.1'],
    '192.0.2.2': ['out2.acme.test'],
    'out2.acme.test': ['192.0.2.9'],
    '2001:db8::1': ['out6.acme.test'],
    'out6.acme.test': ['2001:0db8:0::1']
  }
  const ask = async (name: string): Promise<DnsAnswer<string>> => {
    if (name === '192.0.2.4') return { kind: 'failed', code: 'ESERVFAIL' }
    const values = zone[name]
    return values === undefined ? { kind: 'absent' } : { kind: 'found', values }
  }
  const ips = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '2001:db8::1']
  const reverse = await checkReverse({ names: ask, addresses: ask }, ips)
  t.same(reverse, [
    { ip: '192.0.2.1', name: 'out1.acme.test', state: 'ok' },
    { ip: '192.0.2.2', name: 'out2.acme.test', state: 'mismatch' },
    { ip: '192.0.2.3', name: null, state: 'missing' },
    { ip: '2001:db8::1', name: 'out6.acme.test', state: 'ok' }
  ])
  t.match(itemOf(withCheck({ reverse }), 'reverse_dns'), { state: 'failed', hint: /192\.0\.2\.2/ })
  const missing = reverse.filter(({ state }) => state === 'missing')
  t.match(itemOf(withCheck({ reverse: missing }), 'reverse_dns'), { hint: /PTR/ })
})

test('the route joins DNS checks, reports and the facts of other plugins', async (t) => {
  const { call, host, upload } = await openWithFacts(t, [
    { domain: 'acme.test', spamRate: { rate: 0.004, receiver: 'Gmail', date: '2026-11-20' } }
  ])
  await host.db.collection('dmarc_dns_checks').insertOne({ ...check } as never)
  await upload(reportXml({ domain: 'acme.test', records: [{ ip: '192.0.2.1', count: 500 }] }))
  const { domains } = await call()
  t.equal(domains[0].domain, 'acme.test')
  t.equal(domains[0].state, 'failed')
  const states = Object.fromEntries(
    domains[0].items.map(({ id, state }: { id: string; state: string }) => [id, state])
  )
  t.match(states, { spam_rate: 'failed', alignment: 'met', spf: 'met', reverse_dns: 'met' })
  t.equal(domains[0].items[0].id, 'spam_rate', 'what needs work comes first')
  t.notOk('alignment' in domains[0], 'days are read when they are asked for')
  t.match((await call('?alignment=true')).domains[0], {
    items: { length: domains[0].items.length },
    alignment: {
      rate: 1,
      messages: 500,
      series: { length: 14 },
      conditions: { messages: 500, minMessages: 1000, aligned: 1 }
    }
  })
})

test('with alignment the route says who sends for a domain, whether mail passes or fails', async (t) => {
  const { call, upload } = await openWithFacts(t, [])
  const bad = { ip: '203.0.113.9', dkim: 'fail', spf: 'fail' }
  await upload(
    reportXml({
      id: '1',
      domain: 'acme.test',
      records: [
        { ip: '192.0.2.1', count: 500 },
        { ...bad, count: 3 }
      ]
    })
  )
  await upload(
    reportXml({
      id: '2',
      domain: 'acme.test',
      records: [{ ip: '192.0.2.1', count: 10, dkim: 'fail', spf: 'fail' }]
    })
  )
  t.notOk('senders' in (await call()).domains[0])
  const unnamed = { ptr: null, label: null, ignored: false, lastSeen: '2026-11-20' }
  t.match((await call('?alignment=true')).domains[0].senders, {
    total: 2,
    shown: [
      { ...unnamed, sourceIp: '192.0.2.1', messages: 510, aligned: 500, dkim: 500 },
      { ...unnamed, sourceIp: '203.0.113.9', messages: 3, aligned: 0, dkim: 0, spf: 0 }
    ]
  })
})

test('the checklist says whether DNS records are checked', async (t) => {
  for (const [dnsServers, dnsChecks] of [
    ['', false],
    ['192.0.2.53', true]
  ] as const) {
    const { call } = await openWithFacts(t, [], { dnsServers })
    t.equal((await call()).dnsChecks, dnsChecks)
    t.equal((await call('?alignment=true')).dnsChecks, dnsChecks)
  }
})

async function openWithFacts(t: Test, facts: readonly SenderFacts[], more: object = {}) {
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const source = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'facts',
      name: 'Facts',
      version: '1.0.0',
      kernel: '*',
      description: 'Knows facts.',
      license: 'MIT',
      uses: [mailerSenderFacts.id]
    },
    register: (host) => host.extend(mailerSenderFacts, { name: 'facts', read: async () => facts })
  })
  const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
  const plugins = [mailer.plugin, source]
  const config = { adminTenants: ['acme'], ...more }
  const host = await createTestHost({ plugin, plugins, viewer, config, now: NOW })
  t.teardown(() => host.close())
  const base = '/admin/mailer/api'
  return {
    host,
    call: async (query = '') => (await host.app.inject(`${base}/readiness${query}`)).json(),
    upload: (xml: string) => {
      const form = formOf([{ field: 'file', filename: 'report.xml', content: xml }])
      return host.app.inject({ method: 'POST', url: `${base}/dmarc/upload`, ...form })
    }
  }
}
