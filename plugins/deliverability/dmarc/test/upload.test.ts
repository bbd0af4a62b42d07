// Uploads and what they leave behind: answers, duplicates, rows, audit.
import { test } from 'tap'
import { formOf, openDmarc } from './dmarc-host.ts'
import { reportXml, zipOf } from './report-xml.ts'

const two = [
  { ip: '192.0.2.1', count: 7 },
  { ip: '203.0.113.66', count: 3, dkim: 'fail', spf: 'fail' }
]

test('an upload answers the sums of its report, and a second one that it is known', async (t) => {
  const { upload, mailer, collections } = await openDmarc(t)
  const first = await upload(reportXml({ records: two }))
  t.match(first, {
    status: 200,
    json: {
      ok: true,
      kind: 'aggregate',
      reportId: 'report-1',
      domain: 'acme.test',
      totalMessages: 10,
      passCount: 7,
      failCount: 3,
      duplicate: false,
      recovered: false,
      additionalReports: [],
      rejected: []
    }
  })
  t.match(await upload(reportXml({ records: two })), { json: { duplicate: true } })
  t.equal(await collections.records.countDocuments(), 2)
  t.match(mailer.callsOf('audit')[0], [
    { action: 'dmarc.ingest', actor: 'human:user:ada', resource: { collection: 'dmarc_reports' } }
  ])
})

test('the same id from another organisation or about another domain is another report', async (t) => {
  const { upload, collections } = await openDmarc(t)
  for (const change of [{}, { org: 'another.example' }, { domain: 'b.test' }]) {
    t.match(await upload(reportXml(change)), { json: { duplicate: false } })
  }
  t.equal(await collections.reports.countDocuments(), 3)
})

test('a form that ends early or has no boundary answers 400, and stores nothing', async (t) => {
  const { host, collections } = await openDmarc(t)
  const form = formOf([{ field: 'file', filename: 'report.xml', content: reportXml() }])
  const post = async (payload: Buffer, headers: Record<string, string> = form.headers) => {
    const url = '/admin/mailer/api/dmarc/upload'
    const answer = await host.app.inject({ method: 'POST', url, payload, headers })
    return { status: answer.statusCode, json: answer.json() }
  }
  const refused = { status: 400, json: { error: 'validation_failed', fields: [{ path: 'body' }] } }
  t.match(await post(form.payload.subarray(0, 400)), refused)
  t.match(await post(form.payload, { 'content-type': 'multipart/form-data' }), refused)
  t.equal(await collections.reports.countDocuments(), 0)
})

test('two records of one address in one report are both kept', async (t) => {
  const { upload, overview, collections } = await openDmarc(t)
  const record = { ip: '203.0.113.5', dkim: 'fail', spf: 'fail' }
  await upload(
    reportXml({
      records: [
        { ...record, count: 4 },
        { ...record, count: 5 }
      ]
    })
  )
  t.equal(await collections.records.countDocuments(), 2)
  t.match((await overview()).sources, [{ sourceIp: '203.0.113.5', totalMessages: 9 }])
})

test('ten uploads of one report at the same time store it once', async (t) => {
  const { upload, domain } = await openDmarc(t)
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(reportXml())))
  t.equal(answers.filter(({ json }) => json.duplicate === false).length, 1)
  t.match(await domain(), { reportCount: 1, totalMessages: 1 })
})

test('an archive with several reports answers all of them and what was rejected', async (t) => {
  const { upload } = await openDmarc(t)
  const archive = zipOf([
    { name: '1.xml', data: reportXml({ id: '1' }) },
    { name: 'bad.xml', data: '<feedback/>' },
    { name: '2.xml', data: reportXml({ id: '2' }) }
  ])
  t.match(await upload(archive, 'reports.zip'), {
    json: {
      reportId: '1',
      additionalReports: [{ reportId: '2', duplicate: false }],
      rejected: [{ filename: 'bad.xml', code: 'DMR_REPORT' }]
    }
  })
})

test('an upload without a report is refused with its reason, and stores nothing', async (t) => {
  const { upload, call, collections, mailer } = await openDmarc(t)
  t.match(await upload(reportXml(), 'report.xml', 'other'), {
    status: 400,
    json: { error: 'no_file' }
  })
  t.match(await call('POST', '/upload', {}), { status: 400, json: { error: 'no_file' } })
  const files = ['this is not a report', '', reportXml({ domain: 'not a domain' }), zipOf([])]
  for (const content of files) {
    const { status, json } = await upload(content)
    t.match([status, json.error, typeof json.message], [400, 'ingest_failed', 'string'])
  }
  t.match(await upload(Buffer.alloc(10_485_761, 0x20)), { status: 413 })
  t.equal(await collections.reports.countDocuments(), 0)
  t.equal(await collections.records.countDocuments(), 0)
  t.same(mailer.callsOf('audit'), [])
})

test('who may not publish cannot upload', async (t) => {
  const { upload, mailer } = await openDmarc(t)
  mailer.permissions.delete('publish')
  t.match(await upload(reportXml()), { status: 403 })
})

test('a report is read with its records, page by page', async (t) => {
  const { upload, call, overview } = await openDmarc(t)
  const records = Array.from({ length: 250 }, (_, n) => ({ ip: '192.0.2.1', count: n }))
  await upload(reportXml({ records }))
  const [{ key }] = (await overview()).recentReports
  const counts: number[] = []
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const { json } = await call('GET', `/reports/${key}?limit=100&cursor=${cursor}`)
    counts.push(...json.records.map(({ count }: { count: number }) => count))
    cursor = json.nextCursor
  }
  t.same(counts, [...counts.keys()])
  t.equal(counts.length, 250)
  t.match(await call('GET', '/reports/none'), { status: 404 })
})

test('failure reports and TLS reports are stored once and listed', async (t) => {
  const { upload, call } = await openDmarc(t)
  const failure = [
    'From: a@gateway.example',
    '',
    'Sender Domain: acme.test',
    'Sender IP Address: 192.0.2.4'
  ].join('\n')
  const tls = JSON.stringify({
    'organization-name': 'Company-X',
    'report-id': 'a',
    'date-range': {
      'start-datetime': '2026-04-01T00:00:00Z',
      'end-datetime': '2026-04-02T00:00:00Z'
    },
    policies: [
      {
        policy: { 'policy-domain': 'acme.test' },
        summary: { 'total-successful-session-count': 5, 'total-failure-session-count': 1 }
      }
    ]
  })
  for (const duplicate of [false, true]) {
    t.match(await upload(failure, 'mail.eml'), {
      json: { kind: 'failure', sourceIp: '192.0.2.4', reportedDomain: 'acme.test', duplicate }
    })
    t.match(await upload(tls, 'report.json'), {
      json: {
        kind: 'tls',
        reportId: 'a',
        organizationName: 'Company-X',
        totalSuccessfulSessionCount: 5,
        totalFailureSessionCount: 1,
        duplicate
      }
    })
  }
  const { failures } = (await call('GET', '/failures')).json
  t.match([failures.length, failures[0].sourceIp], [1, '192.0.2.4'])
  const { reports } = (await call('GET', '/tls')).json
  t.match([reports.length, reports[0].policies[0].policyDomain], [1, 'acme.test'])
})
