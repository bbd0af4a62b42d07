// Ranges of time.
import { test } from 'tap'
import { createFormat } from '../format.ts'
import { translate } from '../locales/catalog.ts'
import {
  customRange,
  localField,
  rangeBounds,
  rangeLength,
  rangeParams,
  rangeText,
  readRange
} from './range.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const FROM = '2026-11-01T00:00:00.000Z'
const TO = '2026-11-02T00:00:00.000Z'

test('a named range ends now; one with its own times is exactly what it says', async (t) => {
  t.same(rangeBounds({ range: '1h' }, NOW).from, new Date('2026-11-21T11:00:00.000Z'))
  t.same(rangeBounds({ range: 'what' }, NOW).from, new Date('2026-11-20T12:00:00.000Z'))
  t.same(rangeBounds({ from: FROM, to: TO }, NOW), { from: new Date(FROM), to: new Date(TO) })
})

test('names are a number and a unit', async (t) => {
  t.same(['15m', '24h', '90d', '0d', '1y', '', 'h'].map(rangeLength), [
    900_000,
    86_400_000,
    7_776_000_000,
    undefined,
    undefined,
    undefined,
    undefined
  ])
})

test('an address holds a range or two moments in order, or neither', async (t) => {
  const read = (query: string) => readRange(new URLSearchParams(query))
  t.same(read('range=7d'), { range: '7d' })
  t.same(read(`from=${FROM}&to=${TO}&range=7d`), { from: FROM, to: TO })
  t.same(read(`from=${TO}&to=${FROM}&range=7d`), { range: '7d' })
  t.equal(read('range=tomorrow'), undefined)
  t.same(rangeParams({ range: '7d' }), { range: '7d', from: null, to: null })
  t.same(rangeParams({ from: FROM, to: TO }), { range: null, from: FROM, to: TO })
})

test('typed text becomes a range, or the reason why it is invalid', async (t) => {
  const [from, to] = ['2026-11-01T00:00', '2026-11-02T00:00']
  t.same(customRange(from, to, 'UTC'), {
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z'
  })
  t.same(customRange(from, to, 'America/Los_Angeles'), {
    from: '2026-11-01T07:00:00.000Z',
    to: '2026-11-02T08:00:00.000Z'
  })
  t.equal(customRange('', to, 'UTC'), 'range.missing')
  t.equal(customRange(to, to, 'UTC'), 'range.order')
})

test('a range in words', async (t) => {
  const words = (key: string, values?: Record<string, string | number>) =>
    translate('en', key, values)
  const format = createFormat('en-GB', 'UTC')
  t.equal(rangeText({ range: '1h' }, format, words), 'last hour')
  t.equal(rangeText({ range: '7d' }, format, words), 'last 7 days')
  t.equal(rangeText({ range: '15m' }, format, words), '15m')
  t.equal(
    rangeText({ from: FROM, to: TO }, format, words),
    '1 Nov 2026, 00:00:00 – 2 Nov 2026, 00:00:00'
  )
})

test('a date field gets what clocks of the time zone show, to the minute', async (t) => {
  const at = new Date('2026-11-21T20:15:30Z')
  t.equal(localField(at, 'UTC'), '2026-11-21T20:15')
  t.equal(localField(at, 'Asia/Kolkata'), '2026-11-22T01:45')
})
