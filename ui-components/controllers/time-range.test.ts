// The range of a page: its address, its fixed end, what a change closes.
import { test } from 'tap'
import { FakePage } from '../test/fake-page.ts'
import { TimeRange, type TimeRangeOptions } from './time-range.ts'

const FROM = '2025-06-01T00:00:00.000Z'
const TO = '2025-06-02T00:00:00.000Z'
const HOUR = 3_600_000

function openRange(query = '', options: TimeRangeOptions = {}) {
  const page = new FakePage(query)
  const range = new TimeRange(page.page, options)
  page.connect()
  return { page, range }
}

test('the address names a range or two dates; otherwise the usual range counts', async (t) => {
  t.same(openRange('range=24h').range.value, { range: '24h' })
  t.same(openRange(`from=${FROM}&to=${TO}&range=24h`).range.value, { from: FROM, to: TO })
  for (const query of ['', 'range=soon', 'range=0d', `from=${TO}&to=${FROM}`, `from=${FROM}`]) {
    t.same(openRange(query).range.value, { range: '7d' }, query)
    t.same(openRange(query, { usual: '30d' }).range.value, { range: '30d' }, query)
  }
})

test('two dates do not move; a range ends at one moment for all requests', async (t) => {
  const fixed = openRange(`from=${FROM}&to=${TO}`).range
  t.same(fixed.span, { from: Date.parse(FROM), to: Date.parse(TO) })
  t.equal(fixed.isMoving, false)
  const { page, range } = openRange('range=24h')
  const before = range.span
  t.equal(before.to - before.from, 24 * HOUR)
  await new Promise((resolve) => setTimeout(resolve, 3))
  page.go({ record: 'x' })
  t.same(range.span, before)
})

test('the end moves when the range or what is asked changes, and on advance', async (t) => {
  const clock = Date.now
  t.teardown(() => {
    Date.now = clock
  })
  let now = 1_000_000
  Date.now = () => now
  const page = new FakePage('')
  const range = new TimeRange(page.page, { asked: () => page.params.get('q') ?? '' })
  page.connect()
  const changes = [() => page.go({ range: '1h' }), () => page.go({ q: 'x' }), () => range.advance()]
  for (const change of changes) {
    now += HOUR
    change()
    t.equal(range.span.to, now)
    t.equal(range.now, now)
  }
})

test('a change of range closes what is open, and the usual range needs no parameter', async (t) => {
  const { page, range } = openRange('record=1&from=x&to=y', { closes: { record: null } })
  range.set({ range: '30d' })
  range.set({ range: '7d' })
  range.set({ from: FROM, to: TO })
  const dates = new URLSearchParams({ from: FROM, to: TO })
  t.same(page.visited, ['/page?range=30d', '/page?', `/page?${dates}`])
})

test('links to other pages name the range, even the usual one', async (t) => {
  t.same(openRange().range.params, { range: '7d' })
  t.same(openRange(`from=${FROM}&to=${TO}`).range.params, { from: FROM, to: TO })
})

test('a stretch of a chart becomes the range', async (t) => {
  const { page, range } = openRange()
  const detail = { from: Date.parse(FROM), to: Date.parse(TO) }
  range.onBrush(new CustomEvent('keelson-brush', { detail }))
  t.same(range.value, { from: FROM, to: TO })
  t.equal(page.visited.length, 1)
})
