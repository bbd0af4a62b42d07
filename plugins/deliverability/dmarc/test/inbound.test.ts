// The inbound route: its secret, its limits, and what it takes.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { openDmarc, SECRET } from './dmarc-host.ts'
import { mailWith, reportXml } from './report-xml.ts'

const file = (id: string, more: object = {}) => ({
  field: 'attachment1',
  filename: 'report.xml',
  content: reportXml({ id, ...more })
})
const fields = [
  { field: 'from', content: 'reporter@reporter.example' },
  { field: 'subject', content: 'Report' },
  { field: 'text', content: 'see attachment' }
]
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test('the secret is a Bearer token or a Basic password, and nothing else lets in', async (t) => {
  const { inbound, collections } = await openDmarc(t)
  const right = [`Bearer ${SECRET}`, `bearer ${SECRET}`, basic(`anyone:${SECRET}`)]
  for (const [n, authorization] of right.entries()) {
    t.match(await inbound([file(`${n}`)], { authorization }), { status: 200 })
  }
  const wrong = [
    `Bearer ${SECRET}x`,
    'Bearer',
    SECRET,
    basic('anyone:wrong'),
    basic(SECRET),
    basic(`${SECRET}:`)
  ]
  for (const authorization of wrong) {
    t.match(await inbound([file('no')], { authorization }), { status: 401 }, authorization)
  }
  t.match(await inbound([file('no')], {}), { status: 401 })
  t.equal(await collections.reports.countDocuments(), 3)
})

test('a wrong secret is answered before the body arrives', async (t) => {
  const { host } = await openDmarc(t)
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = host.app.server.address() as AddressInfo
  const status = await new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'multipart/form-data; boundary=never',
      'content-length': 5_000_000,
      authorization: 'Bearer wrong'
    }
    const call = request({ port, method: 'POST', path: '/m/inbound/dmarc', headers }, (answer) => {
      resolve(answer.statusCode)
      call.destroy()
    })
    call.on('error', reject)
    call.flushHeaders()
  })
  t.equal(status, 401)
})

test('without a secret there is no route', async (t) => {
  const { inbound } = await openDmarc(t, { config: {} })
  t.match(await inbound([file('a')]), { status: 404, json: { error: 'not_found' } })
})

test('a report is taken once, and answers what it was', async (t) => {
  const { inbound, domain } = await openDmarc(t)
  for (const duplicate of [false, true, true]) {
    t.match(await inbound([...fields, file('a')]), {
      status: 200,
      json: {
        ok: true,
        ingested: [{ reportId: 'a', domain: 'acme.test', duplicate }],
        rejected: []
      }
    })
  }
  t.match(await domain(), { reportCount: 1 })
})

test('a mail without anything that could be a report is fine', async (t) => {
  const { inbound, collections } = await openDmarc(t)
  const others = [
    { field: 'attachment1', filename: 'logo.png', content: Buffer.from([0x89, 0x50]) },
    { ...file('a'), filename: 'report.pdf' }
  ]
  for (const parts of [fields, [...fields, ...others]]) {
    t.match(await inbound(parts), { status: 200, json: { ok: true, ingested: 0 } })
  }
  t.equal(await collections.reports.countDocuments(), 0)
})

test('nothing usable is 400, also a report about a domain that is not ours', async (t) => {
  const { inbound, collections } = await openDmarc(t)
  const broken = { ...file('a'), content: 'not a report' }
  t.match(await inbound([broken]), { status: 400, json: { rejected: [{ code: 'DMR_FORMAT' }] } })
  const foreign = file('b', { domain: 'elsewhere.test' })
  t.match(await inbound([foreign]), { status: 400, json: { rejected: [{ code: 'DMR_DOMAIN' }] } })
  t.equal(await collections.reports.countDocuments(), 0)
  t.match(await inbound([broken, file('c')]), {
    status: 200,
    json: { ingested: [{ reportId: 'c' }], rejected: [{ code: 'DMR_FORMAT' }] }
  })
  for (const domain of ['acme.test', 'mail.acme.test']) {
    t.match(await inbound([file(`of ${domain}`, { domain })]), { status: 200 })
  }
})

test('the domains of the config take the place of the sender domains', async (t) => {
  const config = { inbound: { secret: SECRET, allowedDomains: ['Other.test'] } }
  const { inbound } = await openDmarc(t, { config })
  t.match(await inbound([file('a', { domain: 'other.test' })]), { status: 200 })
  t.match(await inbound([file('b')]), { status: 400 })
})

test('more files or larger ones than allowed are 413', async (t) => {
  const config = { inbound: { secret: SECRET, maxFiles: 2, maxFileSizeBytes: 5_000 } }
  const { inbound, collections } = await openDmarc(t, { config })
  t.match(await inbound([file('1'), file('2')]), { status: 200 })
  t.match(await inbound([file('3'), file('4'), file('5')]), { status: 413 })
  const large = { ...file('6'), content: Buffer.alloc(5_001, 0x20) }
  t.match(await inbound([large]), { status: 413, json: { error: 'upload_rejected' } })
  const many = Array.from({ length: 60 }, (_, n) => ({ field: `f${n}`, content: 'x' }))
  t.match(await inbound(many), { status: 413 })
  t.equal(await collections.reports.countDocuments(), 2)
})

test('a body that is not a form is 400', async (t) => {
  const { host } = await openDmarc(t)
  const call = (payload: string, type: string) =>
    host.app.inject({
      method: 'POST',
      url: '/m/inbound/dmarc',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': type },
      payload
    })
  t.equal((await call('{}', 'application/json')).statusCode, 400)
  const cut = '--b\r\nContent-Disposition: form-data; name="a"; filename="a.xml"\r\n\r\nhalf'
  t.equal((await call(cut, 'multipart/form-data; boundary=b')).statusCode, 400)
  t.equal((await call(cut, 'multipart/form-data')).statusCode, 400)
  t.equal((await call('', 'multipart/form-data; boundary=b')).statusCode, 200, 'an empty form')
})

test('a mail that comes whole in one field is read', async (t) => {
  const { inbound, domain } = await openDmarc(t)
  const mail = mailWith(gzipSync(reportXml()))
  t.match(await inbound([{ field: 'email', content: mail }]), {
    json: { ingested: [{ reportId: 'report-1' }] }
  })
  t.match(await domain(), { reportCount: 1 })
  const reply = 'From: a@b.test\r\nSubject: Out of office\r\n\r\nBack on Monday.'
  t.match(await inbound([{ field: 'email', content: reply }]), {
    status: 200,
    json: { ingested: 0 }
  })
})

const SEND = '0123456789abcdef01234567'
const original = `From: news@mail.acme.test\r\nTo: a@isp.example\r\nMessage-ID: <${SEND}.1@acme.test>\r\n\r\nx`
const complaint = (type: string, recipient = 'redacted@isp.example') => [
  {
    field: 'attachment1',
    filename: '',
    type: 'message/feedback-report',
    content: `Feedback-Type: ${type}\r\nOriginal-Rcpt-To: ${recipient}\r\nReported-Domain: acme.test\r\n`
  },
  { field: 'attachment2', filename: 'a.eml', type: 'message/rfc822', content: original }
]

test('a complaint reaches the mailer, with the mail that it is about', async (t) => {
  const { inbound, mailer } = await openDmarc(t)
  for (const duplicate of [false, true]) {
    t.match(await inbound(complaint('abuse')), {
      json: { ingested: [{ kind: 'failure', duplicate }] }
    })
  }
  const [first, second] = mailer.callsOf('recordFeedback')
  t.match(first, [{ type: 'complaint', messageId: `<${SEND}.1@acme.test>` }])
  t.notOk(first?.[0].email, 'the address is hidden')
  // What a crash may have cut off is done again, under the same id.
  t.equal(second?.[0].feedbackId, first?.[0].feedbackId)
})

test('an opt-out unsubscribes, and a failed check never touches the recipient', async (t) => {
  const { inbound, mailer } = await openDmarc(t)
  await inbound(complaint('opt-out', 'a@isp.example'))
  for (const type of ['auth-failure', 'not-spam', 'virus', 'something']) {
    t.match(await inbound(complaint(type, 'a@isp.example')), { status: 200 })
  }
  t.match(mailer.callsOf('recordFeedback'), [[{ type: 'unsubscribe', email: 'a@isp.example' }]])
  t.equal(mailer.callsOf('recordFeedback').length, 1)
  t.same(mailer.callsOf('suppress'), [])
})

test('a report that names no mail of ours is stored and shown, and changes nothing', async (t) => {
  const { inbound, mailer, call, collections } = await openDmarc(t, {
    core: { recordFeedback: async () => ({ sendId: null }) }
  })
  for (const type of ['abuse', 'opt-out']) {
    const [report] = complaint(type, 'victim@isp.example')
    if (report === undefined) throw new Error('no form')
    t.match(await inbound([report]), { status: 200, json: { ingested: [{ kind: 'failure' }] } })
    t.match(await inbound(complaint(type, 'other@isp.example')), { status: 200 })
  }
  const [first, ...others] = mailer.callsOf('recordFeedback')
  t.match(first, [{ messageId: `<${SEND}.1@acme.test>` }], 'only those that name a mail are asked')
  t.equal(others.length, 1)
  for (const act of ['suppress', 'unsubscribe'] as const) t.same(mailer.callsOf(act), [])
  const { failures } = (await call('GET', '/failures')).json
  t.equal(failures.length, 4)
  t.same(new Set(failures.map(({ effect }: { effect: unknown }) => effect)), new Set([null]))
  t.equal(
    failures.filter(({ recipients }: { recipients: string[] }) =>
      recipients.includes('victim@isp.example')
    ).length,
    2
  )
  t.equal(await collections.failures.countDocuments({ effect: { $exists: true } }), 0)
})

test('what followed for the recipient is listed', async (t) => {
  const { inbound, call } = await openDmarc(t)
  await inbound(complaint('abuse'))
  await inbound(complaint('opt-out'))
  const { failures } = (await call('GET', '/failures')).json
  const effects = failures.map((row: { feedbackType: string; effect: unknown }) => row.effect)
  t.same(effects.sort(), ['complaint', 'unsubscribe'])
})

test('a complaint about a domain that is not ours is refused', async (t) => {
  const { inbound, mailer } = await openDmarc(t)
  const [report, mail] = complaint('abuse')
  if (report === undefined || mail === undefined) throw new Error('no form')
  const foreign = { ...report, content: report.content.replace('acme.test', 'elsewhere.test') }
  t.match(await inbound([foreign, mail]), { status: 400 })
  t.same(mailer.callsOf('recordFeedback'), [])
})

test('of a TLS report about several domains the inbound route takes those that are ours', async (t) => {
  const { inbound, call } = await openDmarc(t)
  const policy = (domain: string | undefined, count: number) => ({
    policy: { 'policy-type': 'sts', 'policy-domain': domain },
    summary: { 'total-successful-session-count': count }
  })
  const send = (id: string, ...policies: readonly object[]) => {
    const range = {
      'start-datetime': '2026-11-20T00:00:00Z',
      'end-datetime': '2026-11-21T00:00:00Z'
    }
    const report = JSON.stringify({ 'report-id': id, 'date-range': range, policies })
    return inbound([{ field: 'a', filename: 'r.json.gz', content: gzipSync(report) }])
  }
  t.match(await send('mixed', policy('mail.acme.test', 3), policy('other.example', 9)), {
    status: 200
  })
  t.match(await send('nameless', policy(undefined, 5)), { status: 200 })
  t.match(await send('foreign', policy('other.example', 9)), { status: 400 })
  const { reports } = (await call('GET', '/tls')).json
  const sums = reports.map(
    (one: { totalSuccessfulSessionCount: number }) => one.totalSuccessfulSessionCount
  )
  t.same(sums.sort(), [3, 5])
})
