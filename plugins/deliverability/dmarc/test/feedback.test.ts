// Mails that report one mail: DMARC failures and complaints; and SMTP TLS reports.
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { readFile } from '../reading/read-file.ts'
import { mailWith, reportXml } from './report-xml.ts'

const SEND = '0123456789abcdef01234567'
const ORIGINAL = [
  'From: Acme <news@acme.test>',
  'To: someone@isp.example',
  'Subject: News',
  `Message-ID: <${SEND}.1@acme.test>`
].join('\r\n')

const reportMail = (fields: readonly string[], { original = ORIGINAL, kind = 'report' } = {}) =>
  [
    'From: reports@isp.example',
    'To: dmarc@acme.test',
    'Subject: report',
    'MIME-Version: 1.0',
    `Content-Type: multipart/${kind}; report-type=feedback-report; boundary="b"`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'A report.',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    ...fields,
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    original,
    '',
    'body',
    '--b--',
    ''
  ].join('\r\n')

async function read(content: string | Buffer) {
  const { reports } = await readFile({ filename: 'mail.eml', bytes: Buffer.from(content) })
  return reports
}

test('a failure report says which check failed for which source and domain', async (t) => {
  const fields = [
    'Feedback-Type: auth-failure',
    'User-Agent: Lua/1.0',
    'Version: 1.0',
    'Original-Mail-From: bounce@acme.test',
    'Arrival-Date: Mon, 01 Oct 2018 11:20:27 +0000 (UTC)',
    'Source-IP: 10.10.10.10 (mail.example)',
    'Reported-Domain: Acme.test',
    'Auth-Failure: dmarc',
    'Authentication-Results: dmarc=fail (p=none;',
    ' dis=none) header.from=acme.test'
  ]
  for (const mail of [reportMail(fields), reportMail(fields, { kind: 'mixed' })]) {
    t.match(await read(mail), [
      {
        kind: 'failure',
        report: {
          feedbackType: 'auth-failure',
          sourceIp: '10.10.10.10',
          reportedDomain: 'acme.test',
          authFailure: ['dmarc'],
          envelopeFrom: 'bounce@acme.test',
          subject: 'News',
          messageId: `<${SEND}.1@acme.test>`,
          arrivedAt: new Date('2018-10-01T11:20:27Z')
        }
      }
    ])
  }
  const lf = reportMail(fields).replaceAll('\r\n', '\n')
  t.match(await read(lf), [{ report: { sourceIp: '10.10.10.10' } }])
})

test('a failure report that is only text is read', async (t) => {
  const mail = [
    'From: postmaster@gateway.example',
    'Subject: DMARC failure',
    '',
    'A mail that claims to be from you failed the DMARC policy of your domain.',
    '',
    'Sender Domain: acme.test',
    'Sender IP Address: 192.0.2.4',
    'SPF Alignment: no',
    'DKIM Alignment: no',
    'DMARC Results: Quarantine'
  ].join('\n')
  t.match(await read(mail), [
    {
      report: {
        feedbackType: 'auth-failure',
        sourceIp: '192.0.2.4',
        reportedDomain: 'acme.test',
        authFailure: ['spf', 'dkim'],
        deliveryResult: 'quarantine'
      }
    }
  ])
})

test('a complaint names its mail even when the recipient is hidden', async (t) => {
  const fields = ['Feedback-Type: abuse', 'Original-Rcpt-To: redacted@isp.example']
  const [found] = await read(reportMail(fields))
  t.match(found, {
    report: { feedbackType: 'abuse', recipient: null, messageId: `<${SEND}.1@acme.test>` }
  })
  const named = reportMail(['Feedback-Type: ABUSE', 'Original-Rcpt-To: <A@isp.example>'])
  t.match(await read(named), [{ report: { feedbackType: 'abuse', recipient: 'a@isp.example' } }])
})

test('a complaint about a mail to several people names all of them', async (t) => {
  const fields = [
    'Feedback-Type: abuse',
    'Original-Rcpt-To: <a@isp.example>',
    'Original-Rcpt-To: B@isp.example, c@isp.example',
    'Removal-Recipient: redacted@isp.example',
    'Removal-Recipient: a@isp.example'
  ]
  const recipients = ['a@isp.example', 'b@isp.example', 'c@isp.example']
  const [found] = await read(reportMail(fields))
  t.match(found, { report: { recipient: 'a@isp.example', messageId: `<${SEND}.1@acme.test>` } })
  t.strictSame(found?.kind === 'failure' && found.report.recipients, recipients)
  const many = Array.from({ length: 5_000 }, (_, n) => `Original-Rcpt-To: a${n}@isp.example`)
  const [large] = await read(reportMail(['Feedback-Type: abuse', ...many]))
  t.equal(large?.kind === 'failure' && large.report.recipients.length, 100)
})

test('notices without a feedback part are read: the recipient is in a header of the mail', async (t) => {
  const mail = reportMail([], {
    original: `${ORIGINAL}\r\nX-HmXmrOriginalRecipient: b@hotmail.test`
  }).replace(/--b\r\nContent-Type: message\/feedback-report[\s\S]*?(?=--b)/, '')
  t.match(await read(mail), [{ report: { feedbackType: 'abuse', recipient: 'b@hotmail.test' } }])
})

test('the unsubscribe mail of Apple is an opt-out of its sender', async (t) => {
  const mail = 'From: C <c@icloud.test>\r\nX-Apple-Unsubscribe: true\r\n\r\nPlease remove me.'
  t.match(await read(mail), [
    { report: { feedbackType: 'opt-out', recipient: 'c@icloud.test', messageId: null } }
  ])
  const answer = mail.replace('\r\n\r\n', `\r\nIn-Reply-To: <${SEND}.1@acme.test>\r\n\r\n`)
  t.match(await read(answer), [{ report: { messageId: `<${SEND}.1@acme.test>` } }])
})

test('a mail without any report is refused', async (t) => {
  const mail = 'From: a@b.test\r\nSubject: Out of office\r\n\r\nBack on Monday.'
  await t.rejects(read(mail), { code: 'DMR_FORMAT' })
})

const tls = (changes: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    'organization-name': 'Company-X',
    'date-range': {
      'start-datetime': '2026-04-01T00:00:00Z',
      'end-datetime': '2026-04-01T23:59:59Z'
    },
    'contact-info': 'sts@company-x.example',
    'report-id': '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: testing'],
          'policy-domain': 'Company-Y.example',
          'mx-host': ['*.mail.company-y.example']
        },
        summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 303 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '2001:db8:abcd:0012::1',
            'receiving-mx-hostname': 'mx1.mail.company-y.example',
            'failed-session-count': 100
          }
        ]
      },
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'b.example' },
        summary: { 'total-successful-session-count': '4', 'total-failure-session-count': 0 }
      }
    ],
    ...changes
  })

test('a TLS report is read with its sums, from JSON and from its mail', async (t) => {
  const mail = mailWith(gzipSync(tls()), { name: 'r.json.gz', type: 'application/tlsrpt+gzip' })
  for (const content of [tls(), `\ufeff${tls()}`, mail]) {
    t.match(await read(content), [
      {
        kind: 'tls',
        report: {
          reportId: '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
          organizationName: 'Company-X',
          totalSuccessfulSessionCount: 5330,
          totalFailureSessionCount: 303,
          policies: [
            {
              policyType: 'sts',
              policyDomain: 'company-y.example',
              failures: [{ resultType: 'certificate-expired', sendingMtaIp: '2001:db8:abcd:12::1' }]
            },
            { policyString: [], mxHosts: [], failures: [] }
          ]
        }
      }
    ])
  }
})

test('a TLS report that is not whole is refused', async (t) => {
  const wrong = [
    '{',
    '{}',
    tls({ 'report-id': 5 }),
    tls({ 'date-range': {} }),
    tls({ policies: [] }),
    tls({ policies: [{ policy: { 'policy-domain': 'not a domain' } }] }),
    tls().replace('303', '-1'),
    tls().replace('303', '1.5')
  ]
  for (const content of wrong) await t.rejects(read(content), { code: 'DMR_REPORT' }, content)
})

test('a TLS report without a policy domain is read with its sessions', async (t) => {
  const policy = { 'policy-type': 'no-policy-found' }
  const summary = { 'total-successful-session-count': 7, 'total-failure-session-count': 1 }
  const [found] = await read(tls({ policies: [{ policy, summary }] }))
  t.match(found, {
    report: { policies: [{ policyDomain: null }], totalSuccessfulSessionCount: 7 }
  })
})

test('a report whose range ends before it begins is read the other way round', async (t) => {
  const day = (n: number) => new Date(`2026-11-0${n}T00:00:00Z`)
  const range = { rangeStart: day(1), rangeEnd: day(2) }
  t.match(await read(reportXml({ begin: day(2), end: day(1) })), [
    { report: { ...range, recovered: true } }
  ])
  const turned = { 'start-datetime': day(2).toISOString(), 'end-datetime': day(1).toISOString() }
  t.match(await read(tls({ 'date-range': turned })), [{ report: range }])
})

test('a domain in letters of its language is the one that DNS has', async (t) => {
  const [found] = await read(reportXml({ domain: 'Bücher.example' }))
  t.match(found, { report: { policy: { domain: 'xn--bcher-kva.example' } } })
})
