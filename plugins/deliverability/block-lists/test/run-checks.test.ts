// Runs against a DNS server: answers, errors, dead lists, changes, throttle.
import type { OperatorMail } from '@keelson/mailer/contracts'
import { createGivenMailer } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { DnsblContext } from '../checks/dnsbl-context.ts'
import { runDnsblChecks } from '../checks/run-checks.ts'
import { type BlockListsConfig, readSettings } from '../config.ts'
import { createLookup } from '../lookups/dns-lookup.ts'
import { readReport } from '../operations/report.ts'
import plugin from '../plugin.ts'
import type { ChangeRow, CheckRow, ListRow, Stored } from '../storage/rows.ts'
import { type Said, startDnsServer, zone } from './dns-server.ts'

const HOUR_MS = 3_600_000
const IP_LIST = { host: 'bl-ip.example', label: 'Address list' }
const DOMAIN_LIST = { host: 'bl-domain.example', label: 'Domain list' }

async function open(t: Test, config: Partial<BlockListsConfig> = {}) {
  const host = await createTestHost({ plugin })
  t.teardown(() => host.close())
  // What the lists hold; a test may exchange it.
  const world = { answer: (_name: string): Said => 'NXDOMAIN' }
  const server = await startDnsServer((name) => world.answer(name))
  t.teardown(() => server.close())
  const stored: Stored = {
    checks: host.db.collection<CheckRow>('block_lists_checks'),
    changes: host.db.collection<ChangeRow>('block_lists_changes'),
    lists: host.db.collection<ListRow>('block_lists_lists')
  }
  const settings = readSettings({
    domainLists: [],
    ipLists: [IP_LIST],
    dedicatedIps: ['192.0.2.25'],
    intervalHours: 24,
    dnsServers: server.address,
    alertEmail: 'ops@acme.test',
    ...config
  })
  const mails: OperatorMail[] = []
  const sent = new Set<string>()
  const mailer = createGivenMailer({
    senderDomains: () => [{ domain: 'news.acme.test', kind: 'both' }],
    async notify(mail) {
      const isNew = !sent.has(mail.dedupeKey)
      sent.add(mail.dedupeKey)
      if (isNew) mails.push(mail)
      return { isNew }
    }
  })
  let now = new Date('2026-11-20T08:00:00Z')
  const context = (signal = new AbortController().signal): DnsblContext => ({
    settings,
    stored,
    mailer,
    lookup: createLookup({ servers: settings.dnsServers, signal, timeoutMs: 100 }),
    now,
    signal
  })
  return {
    host,
    server,
    world,
    stored,
    mails,
    wait(hours: number) {
      now = new Date(now.getTime() + hours * HOUR_MS)
    },
    run: (isForced = false) => runDnsblChecks(context(), { isForced }),
    stop: (signal: AbortSignal) => runDnsblChecks(context(signal), { isForced: true }),
    report: () => readReport({ settings, stored, mailer })
  }
}

const listing = (codes: readonly string[]) => (name: string) =>
  zone(IP_LIST.host, { '25.2.0.192': codes })(name) ?? 'NXDOMAIN'
const clean = (name: string) => zone(IP_LIST.host)(name) ?? 'NXDOMAIN'

test('addresses are asked on lists of addresses, sender domains on lists of domains', async (t) => {
  const { run, world, report } = await open(t, { domainLists: [DOMAIN_LIST] })
  world.answer = (name) =>
    zone(IP_LIST.host, { '25.2.0.192': ['127.0.0.3'] })(name) ??
    zone(DOMAIN_LIST.host)(name) ??
    'NXDOMAIN'
  t.same(await run(), { ran: true, totalChecks: 2, listedCount: 1, unansweredLists: [] })
  const { checks, latestRunAt, disabledLists } = await report()
  t.match(checks, [
    { target: 'news.acme.test', list: DOMAIN_LIST.host, result: 'clean', returnCodes: [] },
    { target: '192.0.2.25', list: IP_LIST.host, result: 'listed', returnCodes: ['127.0.0.3'] }
  ])
  t.equal(latestRunAt, '2026-11-20T08:00:00.000Z')
  t.same(disabledLists, [])
})

test('a pair is asked again after the interval, or at once when a run is forced', async (t) => {
  const { run, wait, world, server } = await open(t)
  world.answer = clean
  await run()
  wait(23)
  const before = server.asked.length
  t.same(await run(), { ran: false, reason: 'not_due' })
  t.equal(server.asked.length, before)
  t.match(await run(true), { ran: true })
  wait(24)
  t.match(await run(), { ran: true })
})

test('a list that has ended is switched off, and what it said before is forgotten', async (t) => {
  const { run, wait, world, report } = await open(t)
  world.answer = listing(['127.0.0.2'])
  await run()
  world.answer = () => 'NXDOMAIN'
  wait(24)
  const unansweredLists = [IP_LIST.host]
  t.same(await run(), { ran: true, totalChecks: 0, listedCount: 0, unansweredLists })
  const { checks, disabledLists } = await report()
  t.match(disabledLists, [{ list: IP_LIST.host, state: 'dead', reason: /test entry/ }])
  t.match(checks, [{ result: 'error', returnCodes: [] }])
})

test('lists that are silent or refuse are named, so that no listing does not read as clean', async (t) => {
  for (const answer of ['SERVFAIL', ['127.255.255.254']] as const) {
    const { run, world } = await open(t)
    world.answer = () => (typeof answer === 'string' ? answer : [...answer])
    t.match(await run(), { listedCount: 0, unansweredLists: [IP_LIST.host] })
  }
})

test('a list that lists everything is switched off', async (t) => {
  const { run, world, report } = await open(t)
  world.answer = () => ['127.0.0.2']
  await run()
  const { checks, disabledLists } = await report()
  t.match(disabledLists, [{ state: 'wildcard' }])
  t.same(checks, [])
})

test('a resolver that answers names that do not exist makes no listing', async (t) => {
  const { run, world, report } = await open(t)
  world.answer = (name) => {
    const said = zone(IP_LIST.host)(name) ?? 'NXDOMAIN'
    return said === 'NXDOMAIN' ? ['203.0.113.80'] : said
  }
  await run()
  t.match((await report()).checks, [{ result: 'error', errorMessage: /not that of a block list/ }])
})

test('a list that refuses its own test entry gives errors, and is reported', async (t) => {
  const { run, wait, world, report, stored } = await open(t)
  world.answer = listing(['127.0.0.2'])
  await run()
  world.answer = (name) => (name.startsWith('1.') ? 'NXDOMAIN' : ['127.255.255.254'])
  wait(24)
  t.match(await run(), { listedCount: 0 })
  const { checks, disabledLists } = await report()
  t.match(disabledLists, [{ state: 'refused', reason: /public resolvers/ }])
  t.match(checks, [{ result: 'error', errorMessage: /public resolvers/ }])
  t.equal(await stored.changes.countDocuments(), 1, 'a refusal ends no listing')
})

test('a quota answer for one target is an error of that target', async (t) => {
  const { run, world, report } = await open(t)
  world.answer = listing(['127.255.255.255'])
  await run()
  const { checks, disabledLists } = await report()
  t.match(checks, [{ result: 'error', returnCodes: ['127.255.255.255'], errorMessage: /quota/ }])
  t.same(disabledLists, [])
})

test('while a list does not answer, its earlier answers stay, and it is asked less and less', async (t) => {
  const { run, wait, world, server, report } = await open(t)
  world.answer = listing(['127.0.0.2'])
  await run()
  world.answer = () => 'SERVFAIL'
  wait(24)
  await run()
  const { checks, disabledLists } = await report()
  t.match(checks, [{ result: 'listed', runAt: '2026-11-20T08:00:00.000Z' }])
  t.match(disabledLists, [{ state: 'unreachable', reason: /ESERVFAIL/ }])
  const asked = async (hours: number) => {
    wait(hours)
    const before = server.asked.length
    await run()
    return server.asked.length > before
  }
  t.equal(await asked(0.1), false)
  t.equal(await asked(0.1), true, 'after ten minutes')
  t.equal(await asked(0.2), false)
  t.equal(await asked(0.2), true, 'after twenty more')
})

test('one target whose look-up fails is asked again soon, the others are not', async (t) => {
  const { run, wait, world, report } = await open(t, {
    dedicatedIps: ['192.0.2.25', '192.0.2.26']
  })
  world.answer = (name) => (name.startsWith('25.') ? 'SERVFAIL' : clean(name))
  t.match(await run(), { totalChecks: 2 })
  t.match((await report()).checks, [{ result: 'error', runAt: null }, { result: 'clean' }])
  wait(0.2)
  world.answer = listing(['127.0.0.2'])
  t.match(await run(), { ran: true, totalChecks: 1, listedCount: 1 })
})

test('IPv6 addresses are asked only where the list holds any', async (t) => {
  const ip = '2001:db8::1'
  const { run, world, server } = await open(t, { dedicatedIps: [ip] })
  world.answer = clean
  t.match(await run(), { totalChecks: 0, unansweredLists: [] })
  const entry = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.${IP_LIST.host}`
  t.notOk(server.asked.includes(entry))
  const ipv6Test = '2.0.0.0.0.0.f.7.f.f.f.f.'
  world.answer = (name) =>
    name.startsWith(ipv6Test) || name === entry ? ['127.0.0.2'] : clean(name)
  t.match(await run(true), { ran: true, totalChecks: 1, listedCount: 1 })
})

test('a listing and its end are kept and mailed once each', async (t) => {
  const { run, wait, world, mails, stored } = await open(t)
  world.answer = listing(['127.0.0.2'])
  await Promise.all([run(true), run(true)])
  await run(true)
  t.match(mails, [{ to: 'ops@acme.test', subject: '192.0.2.25 is listed on Address list' }])
  world.answer = clean
  wait(24)
  await run()
  wait(24)
  await run()
  t.match(mails.slice(1), [{ subject: '192.0.2.25 is no longer listed on Address list' }])
  t.equal(mails.length, 2)
  const changes = await stored.changes.find().sort({ at: 1 }).toArray()
  t.same(
    changes.map(({ result }) => result),
    ['listed', 'clean']
  )
})

test('a mail that could not be queued is queued by the next run', async (t) => {
  const { run, wait, world, mails, stored } = await open(t)
  world.answer = listing(['127.0.0.2'])
  await run()
  await stored.changes.updateMany({}, { $set: { isPending: true, runId: 'earlier' } })
  mails.length = 0
  wait(1)
  t.same(await run(), { ran: false, reason: 'not_due' })
  t.equal(mails.length, 1)
  await run()
  t.equal(mails.length, 1)
})

test('a run that is ended stores nothing that it did not hear', async (t) => {
  const { stop, world, stored } = await open(t)
  const ends = new AbortController()
  world.answer = (name) => {
    if (name.startsWith('25.')) ends.abort()
    return clean(name)
  }
  await stop(ends.signal)
  t.equal(await stored.checks.countDocuments(), 0)
})

test('without servers or an interval nothing is asked', async (t) => {
  for (const config of [{ dnsServers: '' }, { intervalHours: 0 }]) {
    const { run, server, report } = await open(t, config)
    t.same(await run(true), { ran: false, reason: 'disabled' })
    t.match(await report(), { reason: 'disabled', checks: [], latestRunAt: null })
    t.same(server.asked, [])
  }
})

test('every read has its index', async (t) => {
  const { stored, host } = await open(t)
  const { checks, changes } = stored
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    ['target_time', changes.find({ target: 'a' }).sort({ at: -1 })],
    ['time', changes.find().sort({ at: -1 })],
    ['pending', changes.find({ isPending: true }).sort({ runId: 1 })],
    ['list', checks.find({ list: 'a' })]
  ]
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
  t.ok(host)
})
