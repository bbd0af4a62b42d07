// Mails around reports: forwarded ones, and exports of a whole mailbox.
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { splitMailbox } from '../containers/split-mailbox.ts'
import { readFile } from '../reading/read-file.ts'
import { openDmarc } from './dmarc-host.ts'
import { mailWith, reportXml } from './report-xml.ts'

const read = (content: string) => readFile({ filename: 'a.eml', bytes: Buffer.from(content) })
const reportMail = (id = 'report-1') => mailWith(gzipSync(reportXml({ id })))
const PLAIN = 'From: a@acme.test\r\nSubject: Hello\r\n\r\nHello.\r\n'

/** A mail with another one attached. */
const forwarded = (mail: string) =>
  [
    'From: colleague@acme.test',
    'Subject: Fwd: report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: text/plain',
    '',
    'See below.',
    '--outer',
    'Content-Type: message/rfc822',
    '',
    mail,
    '--outer--',
    ''
  ]
    .join('\r\n')
    .replaceAll('outer', `outer-${mail.length}`)

const mailbox = (...mails: readonly string[]) =>
  mails.map((mail) => `From MAILER-DAEMON Mon Oct 27 10:00:00 2025\n${mail}\n\n`).join('')

const ids = async (content: string) =>
  (await read(content)).reports.map((found) => found.kind === 'aggregate' && found.report.reportId)

test('a report that was forwarded as an attachment is read, also forwarded again', async (t) => {
  let mail = reportMail()
  for (let times = 0; times < 5; times++) {
    mail = forwarded(mail)
    t.same(await ids(mail), ['report-1'], `${times + 1} times`)
  }
  await t.rejects(read(forwarded(mail)), { code: 'DMR_FORMAT' }, 'six times')
  await t.rejects(read(forwarded(PLAIN)), { code: 'DMR_FORMAT' }, 'a mail without a report')
})

test('a complaint that was forwarded is read as one', async (t) => {
  const complaint = [
    'From: abuse@isp.example',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="r"',
    '',
    '--r',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse\r\nOriginal-Rcpt-To: user@example.test',
    '--r',
    'Content-Type: message/rfc822',
    '',
    'Message-ID: <1@acme.test>\r\n\r\nHello',
    '--r--',
    ''
  ].join('\r\n')
  const { reports } = await read(forwarded(complaint))
  t.match(reports, [{ kind: 'failure', report: { feedbackType: 'abuse' } }])
})

test('every mail of a mailbox export is read, and one without a report is named', async (t) => {
  const { reports, rejected } = await read(
    mailbox(reportMail('1'), PLAIN, forwarded(reportMail('2')))
  )
  t.match(reports, [{ report: { reportId: '1' } }, { report: { reportId: '2' } }])
  t.match(rejected, [{ filename: 'a.eml, mail 2', code: 'DMR_FORMAT' }])
  t.equal(reports.length, 2)
  t.same(await ids(mailbox(reportMail())), ['report-1'])
  await t.rejects(read(mailbox(...Array.from({ length: 1_001 }, () => PLAIN))), {
    code: 'DMR_ENTRIES'
  })
})

test('a line "From" within a mail does not divide it', (t) => {
  const separators = [
    'From a@b.test Mon Oct 27 10:00:00 2025',
    'From - Mon Oct  7 10:00:00 2025',
    'From a@b.test Mon Oct 27 10:00 CET 2025'
  ]
  for (const line of separators) {
    const box = Buffer.from(`${line}\nA: 1\n\none\n\n${line}\nA: 2\n\ntwo`)
    t.same(splitMailbox(box).map(String), ['A: 1\n\none\n', 'A: 2\n\ntwo'], line)
  }
  const inside = `${separators[0]}\nA: 1\n\nFrom me to you\nFrom a@b.test Mon Oct 27 10:00:00 2025\n`
  t.equal(splitMailbox(Buffer.from(inside)).length, 1)
  t.end()
})

test('the upload stores every report of a mailbox, and the inbound route a forwarded one', async (t) => {
  const { upload, inbound, collections } = await openDmarc(t)
  const box = mailbox(reportMail('1'), reportMail('2'), reportMail('3'))
  t.match(await upload(box, 'reports.mbox'), {
    status: 200,
    json: { reportId: '1', additionalReports: [{ reportId: '2' }, { reportId: '3' }], rejected: [] }
  })
  const raw = [{ field: 'email', content: forwarded(reportMail('4')) }]
  t.match(await inbound(raw), { status: 200, json: { ingested: [{ reportId: '4' }] } })
  const type = 'message/rfc822'
  const attached = [{ field: 'a', filename: 'fwd.eml', type, content: reportMail('5') }]
  t.match(await inbound(attached), { status: 200, json: { ingested: [{ reportId: '5' }] } })
  t.equal(await collections.reports.countDocuments(), 5)
})
