// Files with reports: containers by content, their limits, and reports that are not quite right.
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import { type FileReading, readFile } from '../reading/read-file.ts'
import { mailWith, recordXml, reportXml, zipOf } from './report-xml.ts'

const MIB = 1_048_576

const read = (content: string | Uint8Array, filename = 'report.xml') =>
  readFile({ filename, bytes: Buffer.from(content) })

function only({ reports, rejected }: FileReading): {
  readonly report: AggregateReport
  readonly rows: readonly AggregateRecord[]
} {
  const [found] = reports
  if (found?.kind !== 'aggregate' || reports.length !== 1 || rejected.length > 0) {
    throw new Error(`expected one aggregate report: ${JSON.stringify({ reports, rejected })}`)
  }
  return { report: found.report, rows: found.rows ?? [] }
}

const readOne = async (content: string | Uint8Array, filename?: string) =>
  only(await read(content, filename))

test('the content decides what a file is, not its name', async (t) => {
  const xml = reportXml()
  const files = {
    'plain.zip': xml,
    'gzip.xml': gzipSync(xml),
    'zip.gz': zipOf([{ name: 'a.txt', data: xml }]),
    'mail.xml': mailWith(gzipSync(xml), { name: 'report.bin', type: 'image/png' }),
    'gzip in zip.dat': zipOf([{ name: 'a.xml', data: gzipSync(xml) }])
  }
  for (const [name, content] of Object.entries(files)) {
    t.match((await readOne(content, name)).report, { reportId: 'report-1', totalMessages: 1 }, name)
  }
})

test('bytes after a gzip stream are ignored, and several members are read', async (t) => {
  const xml = reportXml()
  const padded = Buffer.concat([gzipSync(xml), Buffer.from('\r\n')])
  t.equal((await readOne(padded)).report.totalMessages, 1)
  const halves = [xml.slice(0, 100), xml.slice(100)].map((half) => gzipSync(half))
  t.equal((await readOne(Buffer.concat(halves))).report.totalMessages, 1)
})

test('a gzip stream whose checksum is wrong is refused', async (t) => {
  const bytes = gzipSync(reportXml())
  bytes.writeUInt32LE(1, bytes.length - 8)
  await t.rejects(read(bytes), { code: 'DMR_DAMAGED' })
  await t.rejects(read(gzipSync(reportXml()).subarray(0, -20)), { code: 'DMR_DAMAGED' })
})

test('a large report that compresses well is read, a bomb is refused', async (t) => {
  const records = Array.from({ length: 4000 }, (_, n) => ({
    ip: `10.${n % 200}.${n % 150}.${n % 100}`,
    count: (n * 7919) % 1000
  }))
  const xml = reportXml({ records })
  const packed = gzipSync(xml, { level: 9 })
  t.ok(xml.length > MIB && xml.length / packed.length > 20)
  t.equal((await readFile({ filename: 'r.gz', bytes: packed })).reports.length, 1)
  const alike = Array.from({ length: 6000 }, (_, n) => ({ ip: `10.0.${n >> 8}.${n & 255}` }))
  const dense = gzipSync(reportXml({ records: alike }))
  t.equal((await readFile({ filename: 'r.gz', bytes: dense })).reports.length, 1)
  const bomb = Buffer.alloc(8 * MIB, 0x20)
  bomb.write('<feedback>')
  await t.rejects(read(gzipSync(bomb)), { code: 'DMR_RATIO' })
  await t.rejects(read(zipOf([{ name: 'a.xml', data: bomb }])), { code: 'DMR_RATIO' })
})

test('50 MiB is the limit for all that a file unpacks to', async (t) => {
  const noise = Buffer.alloc(18 * MIB)
  // Hex digits of a generator: about 2 to 1, far from a bomb's ratio.
  for (let at = 0, seed = 1; at < noise.length; at += 8) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    noise.write(seed.toString(16).padStart(8, '0'), at)
  }
  noise.write('<feedback>')
  const entries = ['a', 'b', 'c'].map((name) => ({ name, data: noise }))
  await t.rejects(read(zipOf(entries)), { code: 'DMR_TOO_LARGE' })
})

test('an archive that declares other sizes than it has is refused', async (t) => {
  const lies = [10, 40 * MIB].map((declaredSize) => ({
    name: 'a',
    data: reportXml(),
    declaredSize
  }))
  for (const lie of lies) {
    const { reports, rejected } = await read(zipOf([lie]))
    t.same(reports, [])
    t.match(rejected, [{ code: 'DMR_DAMAGED' }])
  }
  const beyond = { name: 'a', data: reportXml(), declaredSize: 60 * MIB }
  await t.rejects(read(zipOf([beyond])), { code: 'DMR_TOO_LARGE' })
})

test('an entry with an unsafe name is refused alone, and one without a name is read', async (t) => {
  for (const name of ['../up.xml', '/root.xml', 'c:/a.xml', 'a/../../b.xml', 'a\0.xml', '..\\a']) {
    const archive = zipOf([
      { name: 'fine.xml', data: reportXml() },
      { name, data: reportXml({ id: 'slipped' }) }
    ])
    const { reports, rejected } = await read(archive)
    t.match(reports, [{ filename: 'fine.xml' }], JSON.stringify(name))
    t.match(rejected, [{ filename: name, code: 'DMR_ENTRY_NAME' }])
    t.equal(reports.length, 1)
  }
  const nameless = zipOf([{ name: '', data: gzipSync(reportXml()) }])
  t.match((await read(nameless)).reports, [{ filename: 'entry 1' }])
})

test('an archive with too many entries is refused whole', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({ name: `${n}.xml`, data: '' }))
  await t.rejects(read(zipOf(many)), { code: 'DMR_ENTRIES' })
})

test('bytes after an archive are ignored, as gateways add line ends', async (t) => {
  const archive = zipOf([{ name: 'a.xml', data: reportXml() }])
  for (const tail of ['\r\n', '\n\n', '\0'.repeat(70_000)]) {
    const padded = Buffer.concat([archive, Buffer.from(tail)])
    t.equal((await readOne(padded)).report.totalMessages, 1)
  }
})

test('archives in archives in archives are refused', async (t) => {
  let nested: Buffer = zipOf([{ name: 'a.xml', data: reportXml() }])
  for (let depth = 0; depth < 4; depth++) nested = zipOf([{ name: 'a.zip', data: nested }])
  await t.rejects(read(nested), { code: 'DMR_NESTED' })
})

test('a bad file in an archive does not lose the others', async (t) => {
  const archive = zipOf([
    { name: 'bad.xml', data: '<feedback></feedback>' },
    { name: 'text.txt', data: 'hello' },
    { name: 'one.xml', data: reportXml({ id: '1' }) },
    { name: 'two.xml', data: reportXml({ id: '2' }) }
  ])
  const { reports, rejected } = await read(archive)
  t.match(reports, [{ report: { reportId: '1' } }, { report: { reportId: '2' } }])
  t.match(rejected, [
    { filename: 'bad.xml', code: 'DMR_REPORT' },
    { filename: 'text.txt', code: 'DMR_FORMAT' }
  ])
})

test('a document type declaration is refused: no entity expands, no external file is read', async (t) => {
  const declared = (declaration: string) =>
    reportXml().replace('<feedback>', `${declaration}<feedback>`)
  const laughs = '<!DOCTYPE f [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
  await t.rejects(read(declared(laughs)), { code: 'DMR_DOCTYPE' })
  const external = '<!DOCTYPE feedback SYSTEM "file:///etc/passwd">'
  await t.rejects(read(declared(external)), { code: 'DMR_DOCTYPE' })
  const { report } = await readOne(reportXml({ org: '&xxe; &lt;b&gt;' }))
  t.equal(report.orgName, '&xxe; <b>')
})

test('authentication results and override reasons are kept', async (t) => {
  const reasons =
    '<reason><type>forwarded</type><comment>a list</comment></reason><reason><type></type></reason>'
  const results =
    '<dkim><domain>A.test</domain><selector>k1</selector><result>pass</result><human_result>ok</human_result></dkim>' +
    '<dkim><domain>b.test</domain><result>fail</result></dkim>' +
    '<spf><domain>a.test</domain><scope>mfrom</scope><result>softfail</result></spf>'
  const record = { ip: '192.0.2.1', dkim: 'fail', spf: 'fail', reasons, results }
  const { rows } = await readOne(reportXml({ records: [record] }))
  t.match(rows, [
    {
      aligned: false,
      reasons: [{ type: 'forwarded', comment: 'a list' }],
      dkimAuth: [
        { domain: 'a.test', selector: 'k1', result: 'pass', humanResult: 'ok' },
        { domain: 'b.test', selector: null, result: 'fail', humanResult: null }
      ],
      spfAuth: [{ domain: 'a.test', scope: 'mfrom', result: 'softfail' }]
    }
  ])
  t.equal(rows[0]?.reasons.length, 1)
})

test('reports of RFC 9990 are known by their namespace or their new fields', async (t) => {
  const policy = { p: 'quarantine', np: 'reject', testing: 'y', discovery_method: 'treewalk' }
  const records = [{ ip: '192.0.2.1', disposition: 'pass' }]
  const { report, rows } = await readOne(reportXml({ policy, records, generator: 'Reporter 1.2' }))
  t.match(report, {
    format: 'rfc9990',
    generator: 'Reporter 1.2',
    policy: { p: 'quarantine', np: 'reject', pct: null, testing: true, discoveryMethod: 'treewalk' }
  })
  t.equal(rows[0]?.disposition, 'pass')
  const named = await readOne(reportXml({ namespace: 'urn:ietf:params:xml:ns:dmarc-2.0' }))
  t.equal(named.report.format, 'rfc9990')
  t.equal((await readOne(reportXml())).report.format, 'rfc7489')
})

test('a reporter without a name is named by the domain of its address', async (t) => {
  const { report } = await readOne(reportXml({ org: '', email: 'a@mail.reporter.co.uk' }))
  t.equal(report.orgName, 'reporter.co.uk')
})

test('words in another case, prefixes and attributes change nothing', async (t) => {
  const xml = reportXml({ records: [{ ip: '192.0.2.1', dkim: 'Pass', disposition: 'None' }] })
    .replaceAll('row>', 'ROW>')
    .replaceAll(/<(\/?)(report_metadata|org_name)/g, '<$1ns:$2')
    .replace('<domain>', '<domain lang="en">')
  const { report, rows } = await readOne(xml)
  t.match(report, { orgName: 'reporter.example', passCount: 1, recovered: false })
  t.match(rows, [{ dkim: 'pass', disposition: 'none' }])
})

test('invalid XML is read as well as it can be, and flagged', async (t) => {
  const xml = reportXml()
  const broken = {
    'an unclosed wrapper': xml.replace('<feedback>', '<xs:schema xmlns:xs="x"><feedback>'),
    'a stray element': xml.replace('<email>', '<email><bad@x.test>'),
    'text between elements': xml.replace('<pct>', '11<pct>'),
    'a sign in a text': xml.replace('<header_from>acme', '<header_from>a<cme')
  }
  for (const [what, content] of Object.entries(broken)) {
    t.match((await readOne(content)).report, { totalMessages: 1, recovered: true }, what)
  }
  const bytes = Buffer.from(reportXml({ records: [{ ip: '192.0.2.1', headerFrom: 'b@d' }] }))
  bytes[bytes.indexOf('b@d') + 1] = 0xff
  t.match((await readOne(bytes)).report, { totalMessages: 1, recovered: true })
  t.equal((await readOne(xml)).report.recovered, false)
})

test('empty elements are valid', async (t) => {
  const xml = reportXml()
    .replace('</spf></auth', '<scope/></spf></auth')
    .replace('<email>', '<x/><email>')
  t.equal((await readOne(xml)).report.recovered, false)
  await t.rejects(read('<feedback/>'), { code: 'DMR_REPORT' })
  await t.rejects(read('<feedback>'), { code: 'DMR_REPORT' })
})

test('reports in other encodings are read', async (t) => {
  const xml = reportXml({ org: 'Société' })
  const latin = Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')
  const wide = Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  for (const bytes of [latin, wide, Buffer.from(`\ufeff${xml}`)]) {
    t.match((await readOne(bytes)).report, { orgName: 'Société', recovered: false })
  }
})

test('a report that is not whole or not true is refused', async (t) => {
  const xml = reportXml({ records: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }] })
  const wrong = {
    'cut off': xml.slice(0, xml.lastIndexOf('<record>')),
    'without a count': xml.replace('<count>1</count>', ''),
    'with a count that is not a number': xml.replace('<count>1</count>', '<count>-1</count>'),
    'without an id': xml.replace('<report_id>report-1</report_id>', ''),
    'without a domain': reportXml({ domain: 'not a domain' }),
    'without a range': xml.replace(/<begin>\d+<\/begin>/, ''),
    'with two reports': xml + xml,
    'without feedback': '<html></html>',
    'too deep': xml.replace('<email>', '<email>'.repeat(40))
  }
  for (const [what, content] of Object.entries(wrong)) {
    await t.rejects(read(content), { code: 'DMR_REPORT' }, what)
  }
  for (const content of ['', 'this is not a report', Buffer.alloc(100)]) {
    await t.rejects(read(content), { code: 'DMR_FORMAT' })
  }
})

test('a record with an unknown source counts in the totals', async (t) => {
  const { report, rows } = await readOne(reportXml({ records: [{ ip: 'unknown', count: 5 }] }))
  t.equal(report.totalMessages, 5)
  t.equal(rows[0]?.sourceIp, null)
})

test('addresses get their usual form', async (t) => {
  const ips = ['2001:0DB8::0:1', '::ffff:192.0.2.9', '192.0.2.7']
  const { rows } = await readOne(reportXml({ records: ips.map((ip) => ({ ip })) }))
  t.same(
    rows.map(({ sourceIp }) => sourceIp),
    ['2001:db8::1', '192.0.2.9', '192.0.2.7']
  )
})

test('the records of a large report come in batches and in order', async (t) => {
  const records = Array.from({ length: 2500 }, (_, n) => ({ ip: '192.0.2.1', count: n }))
  const bytes = gzipSync(reportXml({ records }))
  const found = await readFile({ filename: 'r.gz', bytes })
  t.match(found.reports, [{ rows: undefined, report: { records: 2500 } }])
  const counts: number[] = []
  const sizes: number[] = []
  await readFile(
    { filename: 'r.gz', bytes },
    {
      wanted: {
        index: 0,
        batch: 1000,
        async take(batch) {
          sizes.push(batch.length)
          counts.push(...batch.map(({ count }) => count))
        }
      }
    }
  )
  t.same(sizes, [1000, 1000, 500])
  t.same(counts, [...counts.keys()])
})

test('more results in one record than the standard allows are cut and flagged', async (t) => {
  const results = '<dkim><domain>a.test</domain><result>fail</result></dkim>'.repeat(150)
  const xml = reportXml().replace('<record>', `${recordXml({ ip: '192.0.2.5', results })}<record>`)
  const { report, rows } = await readOne(xml)
  t.equal(report.recovered, true)
  t.equal(rows[0]?.dkimAuth.length, 100)
})
