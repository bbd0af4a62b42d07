// Uploads of DMARC reports for measurements.
import { gzipSync } from 'node:zlib'

/** One report about acme.test. */
export interface MeasuredReport {
  readonly id: string
  readonly org?: string
  /** Each from an address of its own. */
  readonly records: number
  /** Every so many records fail; the others pass. Default: all fail. */
  readonly failEvery?: number
}

/** The report as the form that an upload takes. */
export function reportForm(report: MeasuredReport) {
  return formOf(gzipSync(reportOf(report)))
}

function reportOf({
  id,
  org = 'reporter.example',
  records,
  failEvery = 1
}: MeasuredReport): string {
  const record = (n: number) => {
    const result = n % failEvery === 0 ? 'fail' : 'pass'
    return (
      `<record><row><source_ip>10.${n >> 16}.${(n >> 8) & 255}.${n & 255}</source_ip><count>${1 + (n % 9)}</count>` +
      `<policy_evaluated><disposition>none</disposition><dkim>${result}</dkim><spf>${result}</spf></policy_evaluated></row>` +
      '<identifiers><header_from>acme.test</header_from></identifiers><auth_results><dkim><domain>acme.test</domain>' +
      `<selector>s1</selector><result>${result}</result></dkim><spf><domain>acme.test</domain><result>${result}</result></spf>` +
      '</auth_results></record>'
    )
  }
  return [
    `<feedback><report_metadata><org_name>${org}</org_name><email>d@${org}</email><report_id>${id}</report_id>`,
    '<date_range><begin>1763942400</begin><end>1764028799</end></date_range></report_metadata>',
    '<policy_published><domain>acme.test</domain><p>none</p></policy_published>',
    ...Array.from({ length: records }, (_, n) => record(n)),
    '</feedback>'
  ].join('')
}

function formOf(bytes: Buffer) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="r.xml.gz"\r\n\r\n'
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' }
  }
}
