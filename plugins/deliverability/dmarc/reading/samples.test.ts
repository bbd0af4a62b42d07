// The reports of real reporters, in a folder that the environment variable DMARC_SAMPLES names.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { readFile } from './read-file.ts'

const folder = process.env['DMARC_SAMPLES']
const skip =
  folder !== undefined && existsSync(join(folder, 'aggregate'))
    ? false
    : 'set DMARC_SAMPLES to the folder of the sample reports'

/** Messages, those that pass, records, and whether the file had to be repaired. */
const SAMPLES: Readonly<Record<string, readonly [number, number, number, boolean]>> = {
  '!example.com!1538204542!1538463818.xml': [1, 0, 1, false],
  '!large-example.com!1711897200!1711983600.xml': [2286, 0, 2286, false],
  'Report domain- borschow.com Submitter- google.com Report-ID- 949348866075514174.eml': [
    1,
    0,
    1,
    false
  ],
  'addisonfoods.com!example.com!1536105600!1536191999.xml': [1, 0, 1, false],
  'empty_reason.xml': [2, 2, 1, false],
  'estadocuenta1.infonacot.gob.mx!example.com!1536853302!1536939702!2940.xml.zip': [1, 0, 1, false],
  'example.net!example.com!1529366400!1529452799.xml': [1, 0, 1, true],
  'fastmail.com!example.com!1516060800!1516147199!102675056.xml.gz': [1, 0, 1, false],
  'ikea.com!example.de!1538690400!1538776800.xml': [1, 0, 1, true],
  'invalid_utf_8.xml': [1, 0, 1, true],
  'invalid_xml.xml': [1, 0, 1, true],
  'mimecast-weird-gzip.eml': [1, 1, 1, false],
  'old_draft_from_wiki.xml': [2, 2, 1, false],
  'protection.outlook.com!example.com!1711756800!1711843200.xml': [1, 0, 1, false],
  'rfc9990-example.net!example.com!1700000000!1700086399.xml': [7, 5, 2, false],
  'rfc9990-sample.xml': [123, 123, 1, false],
  'twilight.eml': [1, 1, 1, false],
  'usssa.com!example.com!1538784000!1538870399.xml': [2, 0, 2, false],
  'veeam.com!example.com!1530133200!1530219600.xml': [1, 0, 1, false]
}

const bytesOf = (name: string) => readFileSync(join(folder ?? '', name))

for (const [filename, [messages, passed, records, recovered]] of Object.entries(SAMPLES)) {
  test(`the sample ${filename} is read with its exact totals`, { skip }, async (t) => {
    const bytes = bytesOf(join('aggregate', filename))
    const { reports, rejected } = await readFile({ filename, bytes })
    t.same(rejected, [])
    t.equal(reports.length, 1)
    t.match(reports[0], {
      kind: 'aggregate',
      report: {
        totalMessages: messages,
        passCount: passed,
        failCount: messages - passed,
        records,
        recovered
      }
    })
  })
}

test('the empty sample is refused', { skip }, async (t) => {
  const given = { filename: 'empty.xml', bytes: bytesOf('empty.xml') }
  await t.rejects(readFile(given), { code: 'DMR_FORMAT' })
})
