// Reports that receivers send about the mail of the shop: DMARC and TLS once a day, and complaints. Pure.
import { gzipSync } from 'node:zlib'

export interface ReportDay {
  /** The day that is reported, at midnight UTC. */
  readonly from: Date
  readonly mails: number
}

/** A file as it is attached to a report mail. */
export interface ReportFile {
  readonly filename: string
  readonly type: string
  readonly content: Uint8Array<ArrayBuffer>
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const zipped = (text: string) => new Uint8Array(gzipSync(text))

const DAY_MS = 86_400_000
const DOMAIN = 'acme.test'
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
const endOf = ({ from }: ReportDay) => new Date(from.getTime() + DAY_MS - 1000)
const tag = (name: string, value: string | number) => `<${name}>${value}</${name}>`

/** Own servers, a newsletter service that signs, and one unknown machine. */
const SOURCES = [
  { ip: '192.0.2.10', share: 0.9, dkim: 'pass', spf: 'pass' },
  { ip: '198.51.100.7', share: 0.08, dkim: 'pass', spf: 'fail' },
  { ip: '203.0.113.66', share: 0.02, dkim: 'fail', spf: 'fail' }
] as const

const REPORTERS = [
  { org: 'google.com', share: 0.6 },
  { org: 'outlook.com', share: 0.4 }
] as const

/** The aggregate reports of a day, one of each reporter. */
export const aggregateReports = (day: ReportDay): readonly ReportFile[] =>
  REPORTERS.map(({ org, share }) => {
    const name = `${org}!${DOMAIN}!${seconds(day.from)}!${seconds(endOf(day))}`
    const records = SOURCES.map(({ ip, share: ofSource, dkim, spf }) => {
      const count = Math.max(1, Math.round(day.mails * share * ofSource))
      const evaluated = tag('disposition', 'none') + tag('dkim', dkim) + tag('spf', spf)
      const row = `${tag('source_ip', ip)}${tag('count', count)}<policy_evaluated>${evaluated}</policy_evaluated>`
      const results = `<dkim>${tag('domain', DOMAIN)}${tag('selector', 's1')}${tag('result', dkim)}</dkim><spf>${tag('domain', DOMAIN)}${tag('result', spf)}</spf>`
      return `<record><row>${row}</row><identifiers>${tag('header_from', DOMAIN)}</identifiers><auth_results>${results}</auth_results></record>`
    })
    const range = `<date_range>${tag('begin', seconds(day.from))}${tag('end', seconds(endOf(day)))}</date_range>`
    const head = `${tag('org_name', org)}${tag('email', `dmarc@${org}`)}${tag('report_id', name)}${range}`
    const policy = `${tag('domain', DOMAIN)}${tag('p', 'none')}${tag('pct', 100)}`
    const content = `<?xml version="1.0" encoding="UTF-8"?><feedback><report_metadata>${head}</report_metadata><policy_published>${policy}</policy_published>${records.join('')}</feedback>`
    return { filename: `${name}.xml`, type: 'text/xml', content: bytes(content) }
  })

/** The SMTP TLS report of a day (RFC 8460). */
export function tlsReport(day: ReportDay): ReportFile {
  const failed = day.from.getUTCDay() === 3 ? 2 : 0
  const summary = {
    'total-successful-session-count': day.mails,
    'total-failure-session-count': failed
  }
  const details = {
    'result-type': 'certificate-expired',
    'sending-mta-ip': '192.0.2.10',
    'receiving-mx-hostname': `mx.${DOMAIN}`,
    'failed-session-count': failed
  }
  const report = {
    'organization-name': 'google.com',
    'date-range': {
      'start-datetime': day.from.toISOString(),
      'end-datetime': endOf(day).toISOString()
    },
    'contact-info': 'smtp-tls-reporting@google.com',
    'report-id': `${day.from.toISOString()}_${DOMAIN}`,
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': DOMAIN, 'mx-host': [`*.${DOMAIN}`] },
        summary,
        'failure-details': failed > 0 ? [details] : []
      }
    ]
  }
  const content = zipped(JSON.stringify(report))
  return { filename: 'tls-report.json.gz', type: 'application/tlsrpt+gzip', content }
}

/** What the feedback loop of a mailbox service sends when a reader reports a mail as spam (RFC 5965). */
export const complaint = (messageId: string, to: string): string =>
  [
    'From: feedback@isp.example',
    `To: dmarc@${DOMAIN}`,
    'Subject: Complaint',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'A reader reported this mail as spam.',
    '--part',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Isp/1.0',
    'Version: 1',
    `Original-Rcpt-To: <${to}>`,
    '',
    '--part',
    'Content-Type: message/rfc822',
    '',
    `From: Acme <hello@${DOMAIN}>`,
    `To: ${to}`,
    'Subject: Reported',
    `Message-ID: ${messageId}`,
    '',
    '--part--',
    ''
  ].join('\r\n')
