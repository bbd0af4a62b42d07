// What the feeds of SNDS say.
import fc from 'fast-check'
import { test } from 'tap'
import { momentOf, rateOf, readDataFeed } from './read-data-feed.ts'
import { readStatusFeed } from './read-status-feed.ts'

const ROW =
  '192.0.2.25,11/20/2026 7:00 AM,11/20/2026 11:00 PM,1894,1802,1793,GREEN,< 0.1%,11/20/2026 7:20 AM,11/20/2026 10:40 PM,41,mail.acme.test,bounce@acme.test,'

test('the 14 columns are read, times of the US Pacific coast as UTC', async (t) => {
  const feed = readDataFeed(`${ROW}\r\n`)
  t.equal(feed?.refused, 0)
  t.same(feed?.rows, [
    {
      ip: '192.0.2.25',
      activityStart: new Date('2026-11-20T15:00:00Z'),
      activityEnd: new Date('2026-11-21T07:00:00Z'),
      rcptCommands: 1894,
      dataCommands: 1802,
      messageRecipients: 1793,
      filterResult: 'GREEN',
      complaintRate: 0.001,
      trapMessageStart: new Date('2026-11-20T15:20:00Z'),
      trapMessageEnd: new Date('2026-11-21T06:40:00Z'),
      trapMessageCount: 41,
      sampleHelo: 'mail.acme.test',
      sampleMailFrom: 'bounce@acme.test',
      comments: null
    }
  ])
})

test('empty fields are null, and quoted ones may hold commas', async (t) => {
  const row = '192.0.2.26,11/20/2026 7:00 AM,11/20/2026 11:00 PM,,,,purple,-,,,,"a, ""b""",,one,two'
  t.match(readDataFeed(row)?.rows, [
    {
      rcptCommands: null,
      filterResult: 'UNKNOWN',
      complaintRate: null,
      trapMessageStart: null,
      trapMessageCount: null,
      sampleHelo: 'a, "b"',
      comments: 'one, two'
    }
  ])
})

test('lines that are not rows are counted, and a text without a row is refused', async (t) => {
  const short = ROW.split(',').slice(0, 7).join(',')
  t.match(readDataFeed(`${ROW}\n${short}\nnot,a,row`), { rows: { length: 1 }, refused: 2 })
  t.equal(readDataFeed('<html>Sign in</html>'), undefined)
  t.same(readDataFeed('\r\n'), { rows: [], refused: 0 })
})

test('a complaint rate is a fraction, a range its upper end', async (t) => {
  const cases: [string, number | null][] = [
    ['< 0.1%', 0.001],
    ['0.3%', 0.003],
    ['0.1% - 0.5%', 0.005],
    ['0.1-0.5%', 0.005],
    ['> 5%', 0.05],
    ['-', null],
    ['n/a', null],
    ['', null],
    ['300%', null]
  ]
  for (const [text, rate] of cases) t.equal(rateOf(text), rate, text)
})

test('summer time and midnight are read right, dates that do not exist are not', async (t) => {
  t.same(momentOf('7/1/2026 12:00 AM'), new Date('2026-07-01T07:00:00Z'))
  t.same(momentOf('1/1/2026 12:30 PM'), new Date('2026-01-01T20:30:00Z'))
  for (const text of ['2/30/2026 1:00 AM', '1/1/2026 13:00 PM', '1/1/26 1:00 AM', 'today', '']) {
    t.equal(momentOf(text), null, text)
  }
})

test('blocked ranges are read with their reason', async (t) => {
  const feed =
    '192.0.2.0,192.0.2.255,Yes,Blocked due to user complaints, or other evidence\r\n192.0.3.1,192.0.3.1,No,\r\n'
  t.same(readStatusFeed(feed), [
    {
      firstIp: '192.0.2.0',
      lastIp: '192.0.2.255',
      isBlocked: true,
      reason: 'Blocked due to user complaints, or other evidence'
    },
    { firstIp: '192.0.3.1', lastIp: '192.0.3.1', isBlocked: false, reason: null }
  ])
  t.same(readStatusFeed(''), [])
  t.equal(readStatusFeed('<html>'), undefined)
  t.equal(readStatusFeed('192.0.2.0,2001:db8::1,Yes,mixed'), undefined)
})

test('any text gives rows with their types, or is refused', async (t) => {
  const piece = fc.oneof(
    fc.constantFrom(...ROW.split(','), '"', '\n', '\r', '""', ',', '\u0000'),
    fc.string()
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join(',')
      const feed = readDataFeed(text)
      readStatusFeed(text)
      return (
        feed === undefined ||
        feed.rows.every(
          ({ activityStart, complaintRate, trapMessageCount }) =>
            !Number.isNaN(activityStart.getTime()) &&
            (complaintRate === null || (complaintRate >= 0 && complaintRate <= 1)) &&
            (trapMessageCount === null || Number.isInteger(trapMessageCount))
        )
      )
    })
  )
  fc.assert(
    fc.property(fc.nat(ROW.length), fc.string({ maxLength: 4 }), (at, change) => {
      const { rows = [], refused = 0 } =
        readDataFeed(`${ROW.slice(0, at)}${change}${ROW.slice(at + 1)}\n${ROW}`) ?? {}
      return rows.length >= 1 && rows.length + refused <= 2 + change.length
    })
  )
  t.pass()
})
