// Words and files of the pages: times, figures, exports.
import { createFormat, csvOf, timeText } from '@keelson/ui'
import { test } from 'tap'
import events from './events/texts.de.json' with { type: 'json' }
import { figureText, keyHeading } from './figures.ts'
import journeys from './journeys/texts.de.json' with { type: 'json' }
import metrics from './metrics/texts.de.json' with { type: 'json' }
import { recordCells } from './records/export.ts'
import type { RecordRow } from './records/record.ts'
import usage from './usage/texts.de.json' with { type: 'json' }

const format = createFormat('en', 'UTC')
const now = Date.parse('2025-06-15T12:00:00Z')

test('times are relative up to a day, and absolute after', async (t) => {
  const text = (at: string) => timeText(at, now, format)
  t.equal(text('2025-06-15T11:59:57Z'), '3s ago')
  t.equal(text('2025-06-15T11:51:00Z'), '9m ago')
  t.equal(text('2025-06-14T13:00:00Z'), '23h ago')
  t.match(text('2025-06-14T11:00:00Z'), /^Jun 14/)
  t.match(text('2024-06-14T11:00:00Z'), /^Jun 14, 2024$/)
  t.equal(text('never'), 'never')
  const german = timeText('2025-06-15T11:51:00Z', now, createFormat('de', 'UTC'))
  t.equal(german, 'vor 9 Min.', 'not “vor 9 m”')
})

test('figures are written by their unit', async (t) => {
  const text = (key: string, value: number) => figureText(key, value, format)
  t.equal(text('durationMs', 96), '96 ms')
  t.equal(text('amount_usd', 12.5), '$12.50')
  t.equal(text('cost_usd', 0.000012), '$0.000012')
  t.equal(text('cost_usd', 0), '$0.00')
  t.equal(text('size_bytes', 48_200), '48 kB')
  t.equal(text('tokens', 12_345), '12.3K')
})

test('the head of a column names a key of the registry in words', async (t) => {
  t.equal(keyHeading('model'), 'Model')
  t.equal(keyHeading('cost_usd'), 'Cost (USD)')
  t.equal(keyHeading('load_ms'), 'Load (ms)')
  t.equal(keyHeading('durationMs'), 'Duration')
})

test('a German heading quotes what a host has named in its own language', async (t) => {
  for (const heading of [
    usage['usage.byLabel'],
    usage['usage.attr'],
    metrics['metrics.by'],
    events['group.heading'],
    journeys['funnel.groups']
  ])
    t.match(heading, /„\{(name|key)\}“/)
})

const toCsv = (rows: readonly RecordRow[]) => csvOf(recordCells(rows))

const row = (more: Partial<RecordRow>): RecordRow => ({
  _id: 'a',
  tenantId: 'acme',
  occurredAt: '2025-06-15T12:00:00.000Z',
  receivedAt: '2025-06-15T12:00:00.100Z',
  kind: 'event',
  name: 'page.viewed',
  severity: 'info',
  env: 'prod',
  service: 'web',
  release: '1',
  origin: 'server',
  subjects: [],
  attrs: {},
  metrics: {},
  sampleRate: 1,
  ...more
})

test('a file of rows has a column for each attribute and metric', async (t) => {
  const csv = toCsv([
    row({ attrs: { plan: 'pro' } }),
    row({ _id: 'b', attrs: { note: 'a "b", c' }, metrics: { load_ms: -2 } })
  ])
  const [header, first, second] = csv.split('\r\n')
  t.match(header, /,attrs\.note,attrs\.plan,metrics\.load_ms$/)
  t.match(first, /,pro,$/)
  t.match(second, /,"a ""b"", c",,-2$/)
})

test('a text that a spreadsheet would run is made harmless', async (t) => {
  for (const value of ['=1+1', '+1', '-1', '@x', '\tx']) {
    t.match(toCsv([row({ attrs: { v: value } })]).split('\r\n')[1], `,'${value}`)
  }
})
