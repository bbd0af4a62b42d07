// Numbers and dates for people.
import { test } from 'tap'
import { createFormat } from './format.ts'

const english = createFormat('en-GB', 'UTC')
const AT = new Date('2026-11-21T14:02:11.408Z')
/** Intl uses narrow and other spaces that change between versions. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

test('figures are grouped, and short from ten thousand on', async (t) => {
  t.equal(english.number(1284), '1,284')
  t.equal(english.compact(9999.96), '10,000')
  t.equal(english.compact(1284.25), '1,284.3')
  t.equal(createFormat('en', 'UTC').compact(12_840), '12.8K')
  t.equal(createFormat('de', 'UTC').number(1284.5), '1.284,5')
})

test('fractions and money are written as the language does', async (t) => {
  t.equal(english.percent(0.6184), '61.8%')
  t.equal(english.percent(0.6184, 0), '62%')
  t.equal(english.percent(0.98, 1, 1), '98.0%', 'as wide as others of its column')
  t.equal(plain(createFormat('de', 'UTC').percent(0.5)), '50 %')
  t.equal(english.money(12.4, 'USD'), 'US$12.40')
})

test('durations have the unit that fits', async (t) => {
  const texts = [96, 3100, 720_000, 11_160_000, 345_600_000].map((ms) =>
    plain(english.duration(ms))
  )
  t.same(texts, ['96 ms', '3.1 secs', '12 mins', '3.1 hrs', '4 days'])
  const short = [0, 0.03, 0.0004, 0.999, -0.25, 1].map((ms) => plain(english.duration(ms)))
  t.same(short, ['0 ms', '30 µs', '0 µs', '999 µs', '-250 µs', '1 ms'])
})

test('bytes have the unit that fits', async (t) => {
  t.same(
    [0, 999, 48_200, 3_000_000, 2e15].map((value) => plain(english.bytes(value))),
    ['0 byte', '999 byte', '48 kB', '3 MB', '2,000 TB']
  )
})

test('moments are shown as date, time or both', async (t) => {
  t.equal(english.date(AT), '21 Nov 2026')
  t.equal(english.time(AT), '14:02:11')
  t.equal(english.dateTime(AT.getTime()), '21 Nov 2026, 14:02:11')
  t.equal(english.dateTime(AT.toISOString(), { millis: true }), '21 Nov 2026, 14:02:11.408')
  t.equal(english.date('no date'), '–')
})

test('a moment is relative up to a day, then told in full', async (t) => {
  const ago = (ms: number) => english.relative(new Date(AT.getTime() - ms), AT)
  t.equal(ago(5000), '5 seconds ago')
  t.equal(ago(3 * 60_000), '3 minutes ago')
  t.equal(ago(5 * 3_600_000), '5 hours ago')
  t.equal(ago(3_599_000), '59 minutes ago', 'never 60 minutes')
  t.equal(ago(86_399_000), '23 hours ago', 'never 24 hours')
  t.equal(ago(-120_000), 'in 2 minutes')
  t.equal(ago(86_400_000), '20 Nov 2026, 14:02:11')
})

test('a list of names reads as one', async (t) => {
  t.equal(english.list(['a', 'b', 'c']), 'a, b and c')
})

test('a language that Intl does not know falls back to English', async (t) => {
  t.equal(createFormat('xx-nonsense-').locale, 'en')
  t.equal(createFormat('tlh').locale, 'en')
})
