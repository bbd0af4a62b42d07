// Code of the host around DMARC: onDmarcAlert and parseInbound.
import { definePlugin } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { type DmarcAlert, type DmarcHook, mailerDmarcHook } from '../contracts.ts'
import { openDmarc, SECRET } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

const failing = [{ ip: '203.0.113.9', count: 20, dkim: 'fail', spf: 'fail' }]

function openWith(t: Test, hook: Omit<DmarcHook, 'name'>, config: object = {}) {
  const hostCode = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'host-code',
      name: 'Host code',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'Hooks of the host.',
      license: 'MIT',
      uses: [mailerDmarcHook.id]
    },
    register: (host) => host.extend(mailerDmarcHook, { name: 'host-code', ...hook })
  })
  const inbound = { secret: SECRET, maxFiles: 2, maxFileSizeBytes: 5_000 }
  return openDmarc(t, { plugins: [hostCode], config: { dnsServers: '', inbound, ...config } })
}

test('onDmarcAlert is called when an alert opens and when it ends', async (t) => {
  const alerts: DmarcAlert[] = []
  const { host, call, upload } = await openWith(t, {
    onDmarcAlert: (alert) => void alerts.push(alert)
  })
  await upload(reportXml({ records: failing }))
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  const id = 'unknown_source_failing|acme.test|203.0.113.9'
  t.match(alerts, [{ id, event: 'open', severity: 'warning', state: 'open', fireCount: 1 }])
  t.match((await call('GET', '/monitoring')).json.alerts, [
    { lastDelivery: { status: 'delivered' } }
  ])
  await call('PUT', '/sources/203.0.113.9', { label: 'Ours', ignored: true })
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  t.match(alerts[1], { id, event: 'resolved', state: 'resolved' })
  t.equal(alerts.length, 2)
})

test('an onDmarcAlert that throws is called again later', async (t) => {
  let calls = 0
  const { host, call, upload } = await openWith(t, {
    onDmarcAlert() {
      calls++
      if (calls === 1) throw new Error('pager is down')
    }
  })
  await upload(reportXml({ records: failing }))
  await call('POST', '/alerts/evaluate', {})
  await host.clock.advance(60_000)
  const state = async () => (await call('GET', '/monitoring')).json.alerts[0]
  t.match(await state(), { isPending: true, lastDelivery: { problem: 'pager is down' } })
  await host.clock.advance(10 * 60_000)
  t.match(await state(), { isPending: false, lastDelivery: { status: 'delivered' } })
  t.equal(calls, 2)
})

/** A mail service that posts attachments in JSON. */
const jsonMail: Omit<DmarcHook, 'name'> = {
  parseInbound({ body }) {
    const { attachments } = (body ?? {}) as { attachments?: { name: string; data: string }[] }
    return attachments?.map(({ name, data }) => ({
      filename: name,
      buffer: Buffer.from(data, 'base64')
    }))
  }
}

test('parseInbound reads the form of another mail service, behind the same secret', async (t) => {
  const { host, inbound } = await openWith(t, jsonMail)
  const post = async (files: Record<string, string>, secret = SECRET) => {
    const attachments = Object.entries(files).map(([name, text]) => ({
      name,
      data: Buffer.from(text).toString('base64')
    }))
    const headers = { authorization: `Bearer ${secret}` }
    const url = '/m/inbound/dmarc'
    const answer = await host.app.inject({
      method: 'POST',
      url,
      headers,
      payload: { attachments }
    })
    return { status: answer.statusCode, json: answer.json() }
  }
  const report = reportXml({ id: 'a' })
  t.match(await post({ 'a.xml': report, 'logo.png': 'x' }), {
    status: 200,
    json: { ingested: [{ reportId: 'a' }], rejected: [] }
  })
  t.match(await post({ 'a.xml': report }, 'wrong'), { status: 401 })
  t.match(await post({ 'a.xml': reportXml({ domain: 'elsewhere.test' }) }), { status: 400 })
  t.match(await post({ '1.xml': report, '2.xml': report, '3.xml': report }), { status: 413 })
  t.match(await post({ 'a.xml': ' '.repeat(5_001) }), { status: 413 })
  const form = [{ field: 'attachment1', filename: 'b.xml', content: reportXml({ id: 'b' }) }]
  t.match(await inbound(form), { json: { ingested: [{ reportId: 'b' }] } }, 'the usual form, too')
})
