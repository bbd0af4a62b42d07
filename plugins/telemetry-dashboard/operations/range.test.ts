// Time ranges of requests: defaults, half-open ends, invalid dates.
import { test } from 'tap'
import { readOptionalRange, readRange } from './time-range.ts'

const now = new Date('2025-06-15T12:00:00.000Z')
const ends = (query: string) => Object.fromEntries(new URLSearchParams(query))
const range = (query: string) => readRange(ends(query), now)
const invalid = { ok: false, code: 'validation_failed', message: 'invalid time range' }
const between = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) })

test('without ends the range is the seven days up to now', async (t) => {
  t.same(range(''), between('2025-06-08T12:00:00Z', '2025-06-15T12:00:00Z'))
})

test('with only an end the range is the seven days before it', async (t) => {
  t.same(range('to=2025-01-08'), between('2025-01-01T00:00:00Z', '2025-01-08T00:00:00Z'))
})

test('with only a start the range ends now', async (t) => {
  t.same(
    range('from=2025-06-15T11:59:59.999Z'),
    between('2025-06-15T11:59:59.999Z', now.toISOString())
  )
})

test('a start that is not before the end is refused', async (t) => {
  t.same(range('from=2025-01-01&to=2025-01-01'), invalid)
  t.same(range('from=2025-01-02&to=2025-01-01'), invalid)
  t.same(range('from=2025-07-01'), invalid)
})

test('a date that is not ISO is refused at both ends', async (t) => {
  const bad = [
    'yesterday-ish',
    '2025-13-45',
    '2025-02-30',
    '2025-01-01T25:00:00Z',
    '2025-01-01T10:61Z',
    '1',
    '1735689600000',
    'Jan 1 2025',
    '+275760-09-13T00:00:00.001Z',
    '0000-00-00',
    'NaN'
  ]
  for (const text of bad) {
    t.same(range(`from=${encodeURIComponent(text)}`), invalid, `from ${text}`)
    t.same(range(`to=${encodeURIComponent(text)}`), invalid, `to ${text}`)
  }
})

test('an optional range is read only when an end was given', async (t) => {
  const optional = (query: string) => readOptionalRange(ends(query), now)
  t.same(optional(''), {})
  t.same(optional('to=2025-01-08'), between('2025-01-01T00:00:00Z', '2025-01-08T00:00:00Z'))
  t.same(optional('to=x'), invalid)
})
