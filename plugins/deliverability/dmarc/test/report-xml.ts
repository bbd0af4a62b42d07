// Aggregate reports as reporters write them, for tests.
import { crc32, deflateRawSync } from 'node:zlib'

export interface SampleRecord {
  readonly ip: string
  readonly count?: number | string
  readonly dkim?: string
  readonly spf?: string
  readonly disposition?: string
  readonly headerFrom?: string
  /** XML within <policy_evaluated>. */
  readonly reasons?: string
  /** XML within <auth_results>. */
  readonly results?: string
}

export interface SampleReport {
  readonly id?: string
  readonly org?: string
  readonly email?: string
  readonly domain?: string
  readonly begin?: Date
  readonly end?: Date
  readonly policy?: Readonly<Record<string, string | number>>
  readonly records?: readonly SampleRecord[]
  readonly generator?: string
  readonly namespace?: string
}

const seconds = (date: Date) => String(Math.floor(date.getTime() / 1000))

const tags = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')

/** One report as XML. */
export function reportXml({
  id = 'report-1',
  org = 'reporter.example',
  email = `dmarc@${org}`,
  domain = 'acme.test',
  begin = new Date('2026-11-20T00:00:00Z'),
  end = new Date('2026-11-20T23:59:59Z'),
  policy = { p: 'none', pct: 100 },
  records = [{ ip: '192.0.2.1' }],
  generator,
  namespace
}: SampleReport = {}): string {
  const head = tags({ org_name: org, email, report_id: id })
  const range = `<date_range>${tags({ begin: seconds(begin), end: seconds(end) })}</date_range>`
  const extra = generator === undefined ? '' : tags({ generator })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feedback${namespace === undefined ? '' : ` xmlns="${namespace}"`}>`,
    `<report_metadata>${head}${range}${extra}</report_metadata>`,
    `<policy_published><domain>${domain}</domain>${tags(policy)}</policy_published>`,
    ...records.map((record) => recordXml(record, domain)),
    '</feedback>'
  ].join('\n')
}

/** One record as XML. */
export function recordXml(
  {
    ip,
    count = 1,
    dkim = 'pass',
    spf = 'pass',
    disposition = 'none',
    headerFrom,
    reasons = '',
    results
  }: SampleRecord,
  domain = 'acme.test'
): string {
  const evaluated = `<policy_evaluated>${tags({ disposition, dkim, spf })}${reasons}</policy_evaluated>`
  const auth =
    results ??
    `<dkim>${tags({ domain, selector: 's1', result: dkim })}</dkim><spf>${tags({ domain, result: spf })}</spf>`
  return (
    `<record><row>${tags({ source_ip: ip, count })}${evaluated}</row>` +
    `<identifiers>${tags({ header_from: headerFrom ?? domain })}</identifiers>` +
    `<auth_results>${auth}</auth_results></record>`
  )
}

export interface ZipEntry {
  readonly name: string
  readonly data: string | Buffer
  /** What the headers say in place of the truth. */
  readonly declaredSize?: number
}

/** A zip archive. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const packs = new Map<ZipEntry['data'], Buffer>()
  let offset = 0
  for (const { name, data, declaredSize } of entries) {
    const raw = Buffer.from(data)
    const packed = packs.get(data) ?? deflateRawSync(raw)
    packs.set(data, packed)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(0x800, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(raw), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(declaredSize ?? raw.length, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    parts.push(local)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), head, tail, Buffer.from(name))
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, index, Buffer.from('PK\x05\x06'), end])
}

/** A mail with one attached file. */
export function mailWith(
  bytes: Buffer,
  { name = 'report.xml.gz', type = 'application/gzip' } = {}
): string {
  return [
    'From: reporter@reporter.example',
    'To: dmarc@acme.test',
    'Subject: Report domain: acme.test',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'A report is attached.',
    '--b',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    bytes.toString('base64').replace(/.{76}/g, '$&\r\n'),
    '--b--',
    ''
  ].join('\r\n')
}
