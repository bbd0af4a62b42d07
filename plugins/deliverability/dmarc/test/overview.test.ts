// The overview: sums over the window, sources with their tags, and the next policy.
// Runs beside the others: it waits for much of its time.
import fc from 'fast-check'
import { test } from 'tap'
import { MIN_REPORTS, suggestPolicyProgression } from '../overview/policy-progression.ts'
import { resolveSourceTags, sourceKey } from '../sources/source-tags.ts'
import { NOW, openDmarc } from './dmarc-host.ts'
import { reportXml, type SampleReport, zipOf } from './report-xml.ts'

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY)
const archiveOf = (reports: readonly string[]) =>
  zipOf(reports.map((data, n) => ({ name: `${n}.xml`, data })))
const failing = (ip: string, count = 1) => ({ ip, count, dkim: 'fail', spf: 'fail' })

test('the overview sums what arrived in the window, whatever period it is about', async (t) => {
  const { host, upload, overview, domain } = await openDmarc(t, { config: { retentionDays: 30 } })
  const old = { begin: new Date('2018-01-01'), end: new Date('2018-01-02') }
  await upload(reportXml({ id: 'old', ...old, records: [{ ip: '192.0.2.1', count: 5 }] }))
  await upload(reportXml({ records: [{ ip: '192.0.2.1', count: 3 }, failing('203.0.113.1')] }))
  const seen = await domain()
  t.match(seen, {
    totalMessages: 9,
    passCount: 8,
    failCount: 1,
    reportCount: 2,
    latestRangeEnd: '2026-11-20T23:59:59.000Z',
    currentPolicy: 'none',
    currentPct: 100,
    progression: null
  })
  t.equal(seen.alignmentRate, 8 / 9)
  t.equal(seen.series.length, 14)
  const [day] = seen.series.filter(({ messages }: { messages: number }) => messages > 0)
  t.same(day, { day: '2026-11-20', messages: 4, alignmentRate: 0.75 })
  await host.clock.skip(31 * DAY)
  t.same((await overview()).domains, [])
})

test('more than 200 reports count, and the newest 30 are listed', async (t) => {
  const { collections, overview, upload } = await openDmarc(t)
  await upload(reportXml())
  const [row] = await collections.reports.find().toArray()
  if (row === undefined) throw new Error('no report')
  const more = Array.from({ length: 400 }, (_, n) => ({ ...row, _id: `more-${n}` }))
  await collections.reports.insertMany(more)
  const { domains, recentReports } = await overview()
  t.match(domains, [{ reportCount: 401, totalMessages: 401 }])
  t.equal(recentReports.length, 30)
})

test('a source has its days, its results, and the tag of the operator before that of the config', async (t) => {
  const config = {
    knownSources: [
      { ip: '203.0.113.0/24', label: 'Office' },
      { ip: '203.0.113.5', label: 'Relay', ignored: true }
    ]
  }
  const { call, upload, overview, mailer } = await openDmarc(t, { config })
  const range = (day: number) => ({ begin: daysAgo(day), end: daysAgo(day) })
  const records = [
    failing('203.0.113.5', 500),
    failing('203.0.113.66', 20),
    failing('198.51.100.1')
  ]
  await upload(reportXml({ id: '1', ...range(3), records }))
  await upload(reportXml({ id: '2', ...range(2), records: [failing('203.0.113.66', 5)] }))
  const source = async (ip: string) =>
    (await overview()).sources.find((one: { sourceIp: string }) => one.sourceIp === ip)
  t.match(await source('203.0.113.66'), {
    domain: 'acme.test',
    totalMessages: 25,
    daysSeen: 2,
    lastSeen: '2026-11-21',
    dkimResult: 'fail',
    spfResult: 'fail',
    dispositionApplied: 'none',
    label: 'Office',
    ignored: false,
    tagSource: 'config'
  })
  t.match(await source('203.0.113.5'), { label: 'Relay', ignored: true })
  t.match(await source('198.51.100.1'), { label: null, ignored: false, tagSource: null })
  t.match(await call('PUT', '/sources/203.0.113.5', { label: 'Mine' }), { json: { ok: true } })
  t.match(await source('203.0.113.5'), { label: 'Mine', ignored: false, tagSource: 'db' })
  await call('PUT', '/sources/198.51.100.0%2F24', { label: 'List', ignored: true })
  t.match(await source('198.51.100.1'), { label: 'List', ignored: true, tagSource: 'db' })
  t.match(await call('DELETE', '/sources/203.0.113.5'), { json: { ok: true, deleted: 1 } })
  t.match(await call('DELETE', '/sources/203.0.113.5'), { json: { deleted: 0 } })
  t.match(await source('203.0.113.5'), { label: 'Relay', tagSource: 'config' })
  t.same(
    mailer
      .callsOf('audit')
      .map(([{ action }]) => action)
      .filter((action) => action !== 'dmarc.ingest'),
    ['dmarc.source_tag.upsert', 'dmarc.source_tag.upsert', 'dmarc.source_tag.delete']
  )
})

test('a tag needs a label and an address or a range', async (t) => {
  const { call } = await openDmarc(t)
  const wrong = { status: 400, json: { error: 'validation_failed' } }
  t.match(await call('PUT', '/sources/203.0.113.66', { ignored: true }), wrong)
  for (const ip of ['not-an-address', '1.2.3.4%2F33', '12345', '1.2.3.4%2Fx', '0.0.0.0%2F0']) {
    t.match(await call('PUT', `/sources/${ip}`, { label: 'x' }), wrong, ip)
    t.match(await call('DELETE', `/sources/${ip}`), wrong, ip)
  }
})

test('a known source of the config that is not an address stops the start', async (t) => {
  const config = { knownSources: [{ ip: 'nonsense', label: 'x' }] }
  const { host } = await openDmarc(t, { config }).catch((error) => ({ host: error }))
  t.match(String(host.cause ?? host), /knownSources\[0\]\.ip/)
})

test('the address comes before any range, and the smaller range before the larger', (t) => {
  const tag = (_id: string) => ({ _id, label: _id, ignored: false })
  const known = { ip: '10.1.0.0/16', label: 'config', ignored: false }
  const ranges = ['10.0.0.0/8', '10.1.2.0/24', '10.1.2.3', '2001:db8::/32'].map(tag)
  const find = resolveSourceTags([known], ranges)
  t.equal(find('10.1.2.3')?.label, '10.1.2.3')
  t.equal(find('10.1.2.4')?.label, '10.1.2.0/24')
  t.equal(find('10.1.9.9')?.label, 'config')
  t.equal(find('10.9.9.9')?.label, '10.0.0.0/8')
  t.equal(find('2001:db8::9')?.label, '2001:db8::/32')
  t.equal(find('192.0.2.1'), undefined)
  t.end()
})

test('an address has one key, whatever its form', (t) => {
  t.equal(sourceKey('2001:0DB8::0:1'), '2001:db8::1')
  t.equal(sourceKey('192.0.2.7/24'), '192.0.2.0/24')
  t.equal(sourceKey('192.0.2.7/32'), '192.0.2.7')
  t.equal(sourceKey('::ffff:192.0.2.7'), '192.0.2.7')
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      const key = sourceKey(text)
      return key === undefined || sourceKey(key) === key
    })
  )
  t.end()
})

const NEXT: readonly (readonly [string, SampleReport['policy'], number, object | null])[] = [
  ['none', { p: 'none', pct: 100 }, 20, { policy: 'quarantine', pct: 10 }],
  ['none below 99 %', { p: 'none', pct: 100 }, 21, null],
  ['quarantine 10 %', { p: 'quarantine', pct: 10 }, 10, { policy: 'quarantine', pct: 25 }],
  ['quarantine 10 % below 99.5 %', { p: 'quarantine', pct: 10 }, 11, null],
  ['quarantine 25 %', { p: 'quarantine', pct: 25 }, 0, { policy: 'quarantine', pct: 50 }],
  ['quarantine 50 %', { p: 'quarantine', pct: 50 }, 0, { policy: 'quarantine', pct: 100 }],
  ['quarantine', { p: 'quarantine', pct: 100 }, 2, { policy: 'reject', pct: 100 }],
  ['quarantine below 99.9 %', { p: 'quarantine', pct: 100 }, 3, null],
  ['reject', { p: 'reject', pct: 100 }, 0, null],
  ['none without pct', { p: 'none' }, 0, { policy: 'quarantine', testing: true, pct: null }],
  [
    'quarantine under test',
    { p: 'quarantine', testing: 'y' },
    0,
    { policy: 'quarantine', testing: false, pct: null }
  ],
  [
    'quarantine without pct',
    { p: 'quarantine', testing: 'n' },
    0,
    { policy: 'reject', testing: true, pct: null }
  ],
  [
    'reject under test',
    { p: 'reject', testing: 'y' },
    0,
    { policy: 'reject', testing: false, pct: null }
  ],
  ['reject without pct', { p: 'reject' }, 0, null]
]

test('the next policy of a domain follows its record, its reports and its sources', async (t) => {
  const { upload, call, overview } = await openDmarc(t)
  await call('PUT', '/sources/203.0.113.77', { label: 'Tagged' })
  for (const [at, [, policy, fails]] of NEXT.entries()) {
    const reports = Array.from({ length: 30 }, (_, n) => {
      const bad = n === 0 ? fails : 0
      const records = [{ ip: '192.0.2.1', count: (n < 20 ? 67 : 66) - bad }]
      if (bad > 0) records.push(failing('203.0.113.77', bad))
      const range = { begin: daysAgo(2 + (n % 20)), end: daysAgo(1 + (n % 20)) }
      const given = { id: `${at}-${n}`, domain: `d${at}.test`, policy: policy ?? {}, records }
      return reportXml({ ...given, ...range })
    })
    await upload(archiveOf(reports))
  }
  const { domains } = await overview()
  for (const [at, [name, policy, , wanted]] of NEXT.entries()) {
    const found = domains.find((one: { domain: string }) => one.domain === `d${at}.test`)
    t.match(found, { totalMessages: 2000, currentPolicy: policy?.['p'] })
    if (wanted === null) t.equal(found.progression, null, name)
    else t.match(found.progression, wanted, name)
  }
})

test('an unknown source that fails, too few reports or too few messages stop the next step', async (t) => {
  const { upload, domain, call } = await openDmarc(t)
  const report = (n: number, count: number, more: SampleReport['records'] = []) =>
    reportXml({ id: `${n}`, records: [{ ip: '192.0.2.1', count }, ...more] })
  const send = (...given: Parameters<typeof report>) => upload(report(...given))
  await upload(archiveOf(Array.from({ length: MIN_REPORTS - 1 }, (_, n) => report(n, 30))))
  t.equal((await domain()).progression, null, '29 reports')
  await send(98, 129)
  t.equal((await domain()).progression, null, '999 messages')
  await send(99, 1)
  t.match((await domain()).progression, { policy: 'quarantine' })
  await send(100, 1, [failing('203.0.113.99')])
  t.equal((await domain()).progression, null, 'an unknown source')
  await call('PUT', '/sources/203.0.113.0%2F24', { label: 'Ours' })
  t.match((await domain()).progression, { policy: 'quarantine' })
})

test('a record that DNS has without pct is on the ladder of t, whatever reporters fill in', async (t) => {
  const { upload, domain, collections } = await openDmarc(t)
  const records = [{ ip: '192.0.2.1', count: 100 }]
  const reports = Array.from({ length: 30 }, (_, n) => reportXml({ id: `${n}`, records }))
  await upload(archiveOf(reports))
  const { domain: name, progression } = await domain()
  t.match(progression, { policy: 'quarantine', pct: 10 })
  const check = { record: 'v=DMARC1; p=none; rua=mailto:d@d24.example', recordAt: name }
  await collections.dnsChecks.insertOne({ _id: name, ...check } as never)
  t.match((await domain()).progression, { policy: 'quarantine', pct: null, testing: true })
})

test('old reports do not suggest a policy', async (t) => {
  const { upload, domain } = await openDmarc(t)
  const range = { begin: daysAgo(60), end: daysAgo(59) }
  const records = [{ ip: '192.0.2.1', count: 100 }]
  const reports = Array.from({ length: 30 }, (_, n) => reportXml({ id: `${n}`, ...range, records }))
  await upload(archiveOf(reports))
  t.match(await domain(), { reportCount: 30, progression: null })
})

test('a domain without messages has no next step', (t) => {
  const facts = { current: null, reports: 0, messages: 0, passed: 0, hasUnknownFailures: false }
  t.equal(suggestPolicyProgression(facts), null)
  t.end()
})
