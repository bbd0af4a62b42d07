// Any change of a file that is a report gives a whole report or a named refusal.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { KeelsonError } from '@keelson/sdk'
import fc from 'fast-check'
import { test } from 'tap'
import { readFile } from '../reading/read-file.ts'
import { mailWith, reportXml, zipOf } from './report-xml.ts'

const xml = reportXml({
  records: [
    { ip: '192.0.2.1', count: 3 },
    { ip: '2001:db8::1', count: 4, dkim: 'fail' }
  ]
})
const tls = JSON.stringify({
  'report-id': 'a',
  'date-range': {
    'start-datetime': '2026-04-01T00:00:00Z',
    'end-datetime': '2026-04-02T00:00:00Z'
  },
  policies: [{ policy: { 'policy-domain': 'b.example' }, summary: {} }]
})
const arf = [
  'Content-Type: multipart/report; boundary=b',
  '',
  '--b',
  'Content-Type: message/feedback-report',
  '',
  'Feedback-Type: abuse',
  'Source-IP: 192.0.2.1',
  '',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'From: a@b.test',
  '',
  'x',
  '--b--'
].join('\r\n')

function samples(): Buffer[] {
  const own = [
    xml,
    gzipSync(xml),
    zipOf([{ name: 'a.xml', data: xml }]),
    mailWith(gzipSync(xml)),
    tls,
    arf
  ]
  const folder = join(process.env['DMARC_SAMPLES'] ?? '', 'aggregate')
  const given = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  const read = given.map((path) => readFileSync(path)).filter(({ length }) => length < 50_000)
  return [...own.map((content) => Buffer.from(content)), ...read]
}

const cut = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), drop: fc.nat(200) })
const insert = fc.uint8Array({ maxLength: 40 })
const pieces = fc.constantFrom(
  '<',
  '>',
  '</',
  '<record>',
  '</record>',
  '</feedback>',
  '<feedback>',
  '<!DOCTYPE a>',
  '&a;',
  '<![CDATA[',
  '<!--',
  '\0',
  '99999999999999999999',
  '{',
  '"',
  '\r\n\r\n',
  '--b'
)
const change = fc.tuple(cut, fc.oneof(insert, pieces))

function changed(
  bytes: Buffer,
  changes: readonly (readonly [{ at: number; drop: number }, string | Uint8Array])[]
) {
  return changes.reduce((from, [{ at, drop }, put]) => {
    const start = Math.floor(at * from.length)
    return Buffer.concat([from.subarray(0, start), Buffer.from(put), from.subarray(start + drop)])
  }, bytes)
}

test('a changed file is read whole or refused by name', async (t) => {
  const given = fc.constantFrom(...samples())
  await fc.assert(
    fc.asyncProperty(
      given,
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (from, changes) => {
        const bytes = changed(from, changes)
        try {
          const { reports, rejected } = await readFile({ filename: 'file', bytes })
          for (const found of reports) checkWhole(found)
          for (const { code } of rejected) if (!code.startsWith('DMR_')) throw new Error(code)
        } catch (error) {
          if (KeelsonError.is(error) && error.code.startsWith('DMR_')) return
          throw error
        }
      }
    ),
    { numRuns: 1500 }
  )
  t.pass('every change ended in an answer or a named refusal')
})

function checkWhole(found: Awaited<ReturnType<typeof readFile>>['reports'][number]): void {
  if (found.kind !== 'aggregate') return
  const { report, rows } = found
  const sum = (rows ?? []).reduce((total, { count }) => total + count, 0)
  const isWhole =
    report.reportId !== '' &&
    report.policy.domain !== '' &&
    rows?.length === report.records &&
    sum === report.totalMessages &&
    report.passCount + report.failCount === report.totalMessages
  if (!isWhole) throw new Error(`a partial report: ${JSON.stringify(report)}`)
}
