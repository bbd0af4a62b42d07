// Monitoring: conditions, the states of alerts, and their delivery by mail and webhook.
import { newWebhookSecret, readWebhookSecret, webhookBody, webhookSignature } from '@keelson/sdk'
import { test } from 'tap'
import { alertMessage } from '../monitoring/alert-messages.ts'
import { readServers } from '../monitoring/dns-servers.ts'
import { type ConditionFacts, findConditions } from '../monitoring/find-conditions.ts'
import { planAlerts } from '../monitoring/plan-alerts.ts'
import type { Condition } from '../storage/condition.ts'
import type { AlertRow } from '../storage/rows.ts'
import { openDmarc } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const failing = (ip: string, count: number) => ({ ip, count, dkim: 'fail', spf: 'fail' })
const settings = {
  windowDays: 7,
  unknownSourceMinMessages: 10,
  knownSourceMinMessages: 5,
  alignmentMinMessages: 100,
  alignmentMinRate: 0.98,
  reportsStoppedDays: 7,
  realertAfterHours: 168,
  dnsCheckIntervalHours: 24,
  reportAddress: null,
  extraDomains: [],
  ignoredDomains: []
}
const now = new Date('2026-11-23T12:00:00Z')
const source = (sourceIp: string, totalMessages: number) => ({
  sourceIp,
  domain: 'acme.test',
  totalMessages,
  daysSeen: 1,
  lastSeen: '2026-11-20',
  dkimResult: 'fail' as const,
  spfResult: 'fail' as const,
  dispositionApplied: 'none' as const
})

function conditions(change: Partial<ConditionFacts>, domain: object = {}) {
  const watched = {
    domain: 'acme.test',
    messages: 0,
    passed: 0,
    lastReportAt: now,
    progression: null,
    findings: [],
    ...domain
  }
  const facts = { now, settings, domains: [watched], sources: [], findTag: () => undefined }
  return findConditions({ ...facts, ...change }).map(({ kind, severity }) => `${kind} ${severity}`)
}

const tag = (ignored: boolean) => () => ({ label: 'Relay', ignored, tagSource: 'db' as const })

test('each condition fires at its threshold, and not before', (t) => {
  t.same(conditions({ sources: [source('192.0.2.1', 9)] }), [])
  t.same(conditions({ sources: [source('192.0.2.1', 10)] }), ['unknown_source_failing warning'])
  t.same(conditions({ sources: [source('192.0.2.1', 100)] }), ['unknown_source_failing critical'])
  t.same(conditions({ sources: [source('192.0.2.1', 4)], findTag: tag(false) }), [])
  t.same(conditions({ sources: [source('192.0.2.1', 5)], findTag: tag(false) }), [
    'known_source_failing critical'
  ])
  t.same(conditions({ sources: [source('192.0.2.1', 500)], findTag: tag(true) }), [])
  t.same(conditions({}, { messages: 99, passed: 0 }), [])
  t.same(conditions({}, { messages: 100, passed: 98 }), [])
  t.same(conditions({}, { messages: 100, passed: 97 }), ['alignment_drop warning'])
  t.same(conditions({}, { messages: 100, passed: 89 }), ['alignment_drop critical'])
  const ignored = { sources: [source('192.0.2.1', 50)], findTag: tag(true) }
  t.same(conditions(ignored, { messages: 150, passed: 99 }), [], 'expected failures do not count')
  t.same(conditions({}, { lastReportAt: new Date(now.getTime() - 7 * DAY) }), [
    'reports_stopped warning'
  ])
  t.same(conditions({}, { lastReportAt: null }), [])
  const finding = (code: string) => [{ code, severity: 'error' as const, message: 'x' }]
  t.same(conditions({}, { findings: finding('spf_multiple') }), ['dns_misconfigured warning'])
  t.same(conditions({}, { findings: finding('dmarc_missing') }), ['dns_misconfigured critical'])
  t.end()
})

test('an alert opens, changes, reminds and resolves', (t) => {
  const condition: Condition = {
    kind: 'alignment_drop',
    domain: 'acme.test',
    subject: '',
    severity: 'warning',
    key: 'warning',
    message: 'low'
  }
  const row: AlertRow = {
    ...condition,
    _id: 'alignment_drop|acme.test|',
    state: 'open',
    revision: 1,
    openedAt: now,
    updatedAt: now,
    resolvedAt: null,
    firedAt: now,
    fireCount: 1
  }
  const at = (hours: number) => ({
    now: new Date(now.getTime() + hours * HOUR),
    realertAfterHours: 168
  })
  const events = (rows: AlertRow[], found: Condition[], hours: number) =>
    planAlerts(rows, found, at(hours)).map(({ event }) => event)
  t.same(events([], [condition], 0), ['open'])
  t.same(events([row], [condition], 1), [])
  t.same(events([row], [{ ...condition, message: 'lower' }], 1), [null])
  t.same(events([row], [{ ...condition, key: 'critical' }], 1), ['updated'])
  t.same(events([row], [condition], 168), ['reminder'])
  t.same(planAlerts([row], [condition], { ...at(9_999), realertAfterHours: 0 }), [])
  t.same(events([row], [], 1), ['resolved'])
  const ended: AlertRow = { ...row, state: 'resolved' }
  t.same(events([ended], [], 1), [])
  t.same(events([ended], [condition], 1), ['open'])
  t.end()
})

const WEBHOOK = 'https://hooks.example/dmarc'
const withAlerts = (more: object = {}) => ({
  config: { dnsServers: '', alerts: { email: 'ops@acme.test', webhookUrl: WEBHOOK, ...more } }
})

test('an alert goes out once by mail and webhook, and again when it ends', async (t) => {
  const { host, mailer, call, upload, collections } = await openDmarc(t, withAlerts())
  const bodies: { event: string; message: string }[] = []
  const hooks = host.outbound.get('https://hooks.example')
  hooks
    .intercept({ path: '/dmarc', method: 'POST' })
    .reply(200, ({ body }) => {
      bodies.push(JSON.parse(String(body)))
      return 'ok'
    })
    .persist()
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  const first = await call('POST', '/alerts/evaluate', {})
  t.match(first.json.fired, [{ id: 'unknown_source_failing|acme.test|203.0.113.9', event: 'open' }])
  t.same((await call('POST', '/alerts/evaluate', {})).json.fired, [])
  await host.clock.advance(2 * 60_000)
  t.match(mailer.callsOf('notify'), [
    [{ to: 'ops@acme.test', subject: 'An unknown source fails DMARC: acme.test' }]
  ])
  t.match(bodies, [{ event: 'open', kind: 'unknown_source_failing', severity: 'warning' }])
  t.match((await call('GET', '/monitoring')).json.alerts, [
    { state: 'open', fireCount: 1, isPending: false, lastDelivery: { status: 'delivered' } }
  ])
  await call('PUT', '/sources/203.0.113.9', { label: 'Ours', ignored: true })
  t.match((await call('POST', '/alerts/evaluate', {})).json.fired, [{ event: 'resolved' }])
  await host.clock.advance(2 * 60_000)
  t.match(mailer.callsOf('notify')[1], [{ subject: /^Resolved: / }])
  t.equal(bodies.length, 2)
  t.equal(await collections.alerts.countDocuments({ pending: { $exists: true } }), 0)
  const audited = mailer.callsOf('audit').map(([{ action }]) => action)
  t.ok(audited.includes('dmarc.alert.open') && audited.includes('dmarc.alert.resolved'))
})

test('a webhook that fails is tried again with growing pauses', async (t) => {
  const { host, call, upload } = await openDmarc(t, withAlerts())
  let status = 500
  let calls = 0
  host.outbound
    .get('https://hooks.example')
    .intercept({ path: '/dmarc', method: 'POST' })
    .reply(() => {
      calls++
      return { statusCode: status }
    })
    .persist()
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  const [failed] = (await call('GET', '/monitoring')).json.alerts
  t.match(failed, { isPending: true, lastDelivery: { status: 'failed', problem: /500/ } })
  t.notMatch(JSON.stringify(failed), 'hooks.example')
  status = 200
  await host.clock.advance(10 * 60_000)
  const [sent] = (await call('GET', '/monitoring')).json.alerts
  t.match(sent, { isPending: false, lastDelivery: { status: 'delivered' } })
  t.equal(calls, 2)
})

test('what is posted is signed, and a receiver that is gone ends the tries', async (t) => {
  const webhookSecret = newWebhookSecret()
  const { host, call, upload } = await openDmarc(t, withAlerts({ webhookSecret }))
  let seen: { readonly headers?: unknown; readonly body?: unknown } = {}
  host.outbound
    .get('https://hooks.example')
    .intercept({ path: '/dmarc', method: 'POST' })
    .reply((given) => {
      seen = given
      return { statusCode: 410 }
    })
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  const headers = seen.headers as Readonly<Record<string, string>>
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = headers
  const message = { id, seconds, body: String(seen.body) }
  const signature = webhookSignature(readWebhookSecret(webhookSecret), message)
  t.equal(headers['webhook-signature'], signature)
  const [alert] = (await call('GET', '/monitoring')).json.alerts
  t.match(alert, { isPending: false, lastDelivery: { status: 'failed', problem: /410/ } })
})

test('without a way to send it an alert is kept, and a test says so', async (t) => {
  const { host, call, upload } = await openDmarc(t, { config: { dnsServers: '' } })
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  t.match((await call('GET', '/monitoring')).json.alerts, [
    { lastDelivery: { status: 'no_handler' } }
  ])
  t.match((await call('POST', '/alerts/test', {})).json, { status: 'no_handler' })
})

test('settings of operators go over those of the config, until they are reset', async (t) => {
  const config = { dnsServers: '', monitoring: { windowDays: 3 } }
  const { call, mailer } = await openDmarc(t, { config })
  t.match((await call('GET', '/monitoring')).json, {
    settings: { windowDays: 3, alignmentMinRate: 0.98 },
    overrides: {},
    isDnsOff: true
  })
  await call('PUT', '/settings', { windowDays: 14 })
  const { json } = await call('PUT', '/settings', { extraDomains: ['b.test'] })
  t.match(json.overrides, { windowDays: 14, extraDomains: ['b.test'] })
  t.equal(json.settings.reportsStoppedDays, 7)
  for (const wrong of [{ windowDays: 31 }, { unknown: 1 }, { alignmentMinRate: 0.4 }, {}]) {
    t.match(await call('PUT', '/settings', wrong), { status: 400 }, JSON.stringify(wrong))
  }
  t.match((await call('DELETE', '/settings')).json, { settings: { windowDays: 3 }, overrides: {} })
  const audited = mailer.callsOf('audit').map(([{ action }]) => action)
  t.same(audited, ['dmarc.settings.update', 'dmarc.settings.update', 'dmarc.settings.reset'])
})

test('an open alert is in the setup list', async (t) => {
  const { call, mailer, upload } = await openDmarc(t, { config: { dnsServers: '' } })
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  t.not((await call('POST', '/alerts/evaluate', {})).json.fired.length, 0)
  const [line] = await mailer.readSetup()
  t.match(line, { name: 'dmarc', message: /Open alerts: \d+/, items: [{ label: 'acme.test' }] })
  t.not(line?.severity, 'ok')
})

test('a domain that is ignored raises no alert', async (t) => {
  const { call, upload } = await openDmarc(t, { config: { dnsServers: '' } })
  await upload(reportXml({ records: [failing('203.0.113.9', 20)] }))
  await call('PUT', '/settings', { ignoredDomains: ['ACME.test'] })
  t.same((await call('POST', '/alerts/evaluate', {})).json.fired, [])
})

test('with DNS off nothing is asked, and the setup list shows what is known', async (t) => {
  const { call, mailer, upload } = await openDmarc(t, { config: { dnsServers: '' } })
  t.match((await call('POST', '/dns/check', {})).json, { ran: false, reason: 'disabled' })
  t.match(await mailer.readSetup(), [{ name: 'dmarc', severity: 'warn' }])
  await upload(reportXml())
  t.match(await mailer.readSetup(), [{ name: 'dmarc', severity: 'ok' }])
})

test('servers are addresses, and chat services get their form', (t) => {
  t.equal(readServers(undefined), undefined)
  t.equal(readServers(' '), null)
  t.same(readServers('192.0.2.1:53, [2001:db8::1]:5353'), ['192.0.2.1:53', '[2001:db8::1]:5353'])
  t.throws(() => readServers('dns.example'), { code: 'DMR_DNS_SERVERS' })
  const row = { kind: 'policy_ready', message: 'm', state: 'open' } as AlertRow
  for (const format of ['slack', 'mattermost', 'teams', 'google-chat'] as const) {
    t.match(webhookBody(format, alertMessage(row)), { text: /: m$/ })
  }
  t.match(webhookBody('discord', alertMessage(row)), { content: /: m$/ })
  t.end()
})

test('a DNS check is audited, and a server that does not answer is a finding', async (t) => {
  // No server listens on the discard port.
  const { call, mailer } = await openDmarc(t, { config: { dnsServers: '127.0.0.1:9' } })
  const { json } = await call('POST', '/dns/check', { domain: 'Acme.test' })
  t.match(json, { ran: true, checks: [{ domain: 'acme.test', record: null }] })
  const codes = json.checks[0].findings.map(({ code }: { code: string }) => code)
  t.ok(codes.includes('lookup_failed'))
  t.notOk(codes.includes('dmarc_missing'), 'no answer is not an absent record')
  t.match(mailer.callsOf('audit'), [
    [{ action: 'dmarc.dns.check', resource: { id: 'acme.test' }, after: [{ _id: 'acme.test' }] }]
  ])
  t.match(await call('POST', '/dns/check', { domain: 'no domain' }), { status: 400 })
})
