// Limits on a mail from outside: counted before it is read, and other senders' reports do not wait for it.
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { createLine } from '../reading/fair-line.ts'
import { readFile } from '../reading/read-file.ts'
import { createReader } from '../reading/reader.ts'
import { openDmarc, SECRET } from './dmarc-host.ts'
import { mailWith, reportXml, zipOf } from './report-xml.ts'

const MULTIPART = 'Content-Type: multipart/mixed; boundary=a\r\n\r\n'
const gzip = gzipSync('')
const zip = (count: number) =>
  zipOf(Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, data: 'x' })))

/** Files that took long, or would, with what they are refused for. */
const HOSTILE: readonly (readonly [name: string, bytes: Buffer | string, code: string])[] = [
  ['100,000 parts', `${MULTIPART}${'--a\r\n'.repeat(100_000)}`, 'DMR_MAIL_SIZE'],
  ['500,000 parts', `${MULTIPART}${'--a\n'.repeat(500_000)}`, 'DMR_MAIL_SIZE'],
  [
    'parts of a boundary that is declared in pieces',
    `Content-Type: multipart/mixed; boundary*0=a; boundary*1=b\r\n\r\n${'--ab\r\n'.repeat(9_000)}`,
    'DMR_MAIL_SIZE'
  ],
  ['lines', `Subject: a\r\n\r\n${'\n'.repeat(1_000_000)}`, 'DMR_MAIL_SIZE'],
  ['quoted lines', `Subject: a\r\n\r\n${'> a\r\n'.repeat(400_000)}`, 'DMR_MAIL_SIZE'],
  ['header lines', `${'a: b\r\n'.repeat(20_000)}\r\nx`, 'DMR_MAIL_SIZE'],
  ['headers of parts', `${MULTIPART}--a\r\n${'a: b\r\n'.repeat(80_000)}\r\nx`, 'DMR_DAMAGED'],
  ['gzip members', Buffer.concat(Array<Buffer>(100_000).fill(gzip)), 'DMR_ENTRIES'],
  ['zip entries', zip(1_001), 'DMR_ENTRIES'],
  ['zip entries in several archives', mailOf([zip(600), zip(600)]), 'DMR_ENTRIES'],
  [
    'lines of several mails',
    zipOf(
      [1, 2, 3].map((n) => ({
        name: `${n}.eml`,
        data: `Subject: ${n}\r\n\r\n${'a\r\n'.repeat(100_000)}`
      }))
    ),
    'DMR_MAIL_SIZE'
  ]
]

function mailOf(files: readonly Buffer[]): string {
  const parts = files.map(
    (file) =>
      `--a\r\nContent-Type: application/zip\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${file.toString('base64')}\r\n`
  )
  return `${MULTIPART}${parts.join('')}--a--\r\n`
}

for (const [name, bytes, code] of HOSTILE) {
  test(`too many ${name} are refused before they are read`, async (t) => {
    await t.rejects(readFile({ filename: 'file', bytes: Buffer.from(bytes) }), { code })
  })
}

test('what real mails have is read: many headers, several gzip members, hyphens', async (t) => {
  const xml = reportXml()
  const members = Buffer.concat([gzipSync(xml.slice(0, 100)), gzipSync(xml.slice(100))])
  const mail = mailWith(gzipSync(xml))
  const mails = [
    mailWith(members),
    mail.replace('Subject:', `${'X-A: b\r\n'.repeat(500)}Subject:`),
    mail.replace('A report is attached.', '--------\r\n'.repeat(500))
  ]
  for (const bytes of mails) {
    const { reports } = await readFile({ filename: 'a.eml', bytes: Buffer.from(bytes) })
    t.match(reports, [{ kind: 'aggregate' }])
  }
})

const LIMITS = { places: 1, waiting: 4, waitingOfOne: 2, waitingBytes: 100 }

test('senders take turns, and each holds one place at most', async (t) => {
  const line = createLine({ ...LIMITS, places: 2, waiting: 10, waitingOfOne: 10 })
  const order: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = (sender: string, n: number) =>
    line.enter(sender, 1).then((leave) => {
      order.push(`${sender}${n}`)
      leaves.set(sender, leave)
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  for (const n of [1, 2, 3]) void enter('flood', n)
  void enter('genuine', 1)
  await settle()
  t.same(order, ['flood1', 'genuine1'], 'a free place is not for the second file of a sender')
  void enter('other', 1)
  leaves.get('flood')?.()
  await settle()
  t.same(order, ['flood1', 'genuine1', 'flood2'])
  leaves.get('flood')?.()
  await settle()
  t.same(order.at(-1), 'other1', 'others come before its third')
  leaves.get('genuine')?.()
  await settle()
  t.same(order.at(-1), 'flood3')
})

test('a full line refuses: too many, too many of one sender, too many bytes', async (t) => {
  const busy = { code: 'DMR_BUSY' }
  const line = createLine(LIMITS)
  const leave = await line.enter('a', 1)
  const waiting = [line.enter('b', 60), line.enter('b', 1)]
  await t.rejects(line.enter('b', 1), busy, 'of one sender')
  await t.rejects(line.enter('c', 50), busy, 'bytes')
  waiting.push(line.enter('c', 1), line.enter('c', 1))
  await t.rejects(line.enter('d', 1), busy, 'in all')
  leave()
  await waiting[0]
  // There is room again.
  waiting.push(line.enter('d', 1))
  await Promise.all(waiting.map((place) => place.then((leaveIt) => leaveIt())))
})

test('a slow file gives its place to others, and is read behind them', async (t) => {
  const reader = createReader({ quickMs: 1, timeMs: 30_000 })
  t.teardown(() => reader.close())
  const bytes = Buffer.from(
    reportXml({ records: Array.from({ length: 900 }, () => ({ ip: '192.0.2.1' })) })
  )
  const { reports } = await reader.open({ filename: 'a.xml', bytes }, 'a', (open) => open.read())
  t.match(reports, [{ kind: 'aggregate', report: { records: 900 } }])
})

test('a mail that finds the line full is answered 503 with Retry-After', async (t) => {
  const { host, upload } = await openDmarc(t)
  const form = (n: number) => {
    const content = reportXml({ id: `${n}` })
    const lines = ['--b', 'Content-Disposition: form-data; name="f"; filename="a.xml"', '', content]
    return [...lines, '--b--', ''].join('\r\n')
  }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      host.app.inject({
        method: 'POST',
        url: '/m/inbound/dmarc',
        headers: {
          authorization: `Bearer ${SECRET}`,
          'content-type': 'multipart/form-data; boundary=b'
        },
        payload: form(n)
      })
    )
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  t.equal(refused.length + answers.filter(({ statusCode }) => statusCode === 200).length, 60)
  t.ok(refused.length > 0)
  t.match(refused[0]?.json(), { error: 'busy' })
  t.equal(refused[0]?.headers['retry-after'], '10')
  t.match(await upload(reportXml({ id: 'later' })), { status: 200 })
})
