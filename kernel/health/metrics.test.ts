// The text that Prometheus reads.
import { test } from 'tap'
import { createMetrics } from './metrics.ts'

test('a counter adds up by its labels', async (t) => {
  const metrics = createMetrics()
  const counter = metrics.counter('keelson_things_total', 'Things.')
  counter.inc({ kind: 'a' })
  counter.inc({ kind: 'a' }, 2)
  counter.inc({ kind: 'b' })
  t.equal(
    metrics.text(),
    '# HELP keelson_things_total Things.\n# TYPE keelson_things_total counter\nkeelson_things_total{kind="a"} 3\nkeelson_things_total{kind="b"} 1\n'
  )
})

test('a gauge keeps the latest value and is read when the text is made', async (t) => {
  const metrics = createMetrics()
  const gauge = metrics.gauge('keelson_now', 'Now.')
  metrics.onCollect(() => gauge.set(7))
  gauge.set(1)
  t.match(metrics.text(), /\nkeelson_now 7\n/)
})

test('the buckets of a histogram are cumulative', async (t) => {
  const metrics = createMetrics()
  const histogram = metrics.histogram('keelson_wait', 'Wait.', [1, 2])
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value, { q: 'x' })
  const lines = metrics.text().split('\n').slice(2, -1)
  t.same(lines, [
    'keelson_wait_bucket{q="x",le="1"} 2',
    'keelson_wait_bucket{q="x",le="2"} 3',
    'keelson_wait_bucket{q="x",le="+Inf"} 4',
    'keelson_wait_sum{q="x"} 12',
    'keelson_wait_count{q="x"} 4'
  ])
})

test('a histogram without labels has only its bounds', async (t) => {
  const metrics = createMetrics()
  metrics.histogram('keelson_wait', 'Wait.', [1]).observe(3)
  t.match(
    metrics.text(),
    'keelson_wait_bucket{le="+Inf"} 1\nkeelson_wait_sum 3\nkeelson_wait_count 1\n'
  )
})

test('asking again for a name gives the same metric', async (t) => {
  const metrics = createMetrics()
  metrics.counter('keelson_x_total', 'X.').inc()
  metrics.counter('keelson_x_total', 'X.').inc()
  t.match(metrics.text(), 'keelson_x_total 2')
})

test('the metrics of a plugin carry its name', async (t) => {
  const metrics = createMetrics()
  const own = metrics.forPlugin('list-hygiene')
  own.counter('checks_total', 'Checks.').inc()
  own.gauge('open', 'Open.').set(2)
  own.histogram('seconds', 'Seconds.').observe(0.02)
  t.match(metrics.text(), 'keelson_list_hygiene_checks_total 1')
  t.match(metrics.text(), 'keelson_list_hygiene_open 2')
  t.match(metrics.text(), 'keelson_list_hygiene_seconds_count 1')
})

test('label values are escaped', async (t) => {
  const metrics = createMetrics()
  metrics.counter('keelson_x_total', 'A \\ and\na line.').inc({ text: 'a "b"\n\\' })
  t.match(metrics.text(), 'keelson_x_total{text="a \\"b\\"\\n\\\\"} 1')
  t.match(metrics.text(), '# HELP keelson_x_total A \\\\ and\\na line.')
})

test('too many label values end in one series', async (t) => {
  const metrics = createMetrics()
  const counter = metrics.counter('keelson_x_total', 'X.')
  for (let number = 0; number < 2100; number++) counter.inc({ id: String(number) })
  t.match(metrics.text(), 'keelson_x_total{id="other"} 100')
})
