// The metrics of the traffic: they say what its records say, and sums only grow.
import { test } from 'tap'
import { chanceFrom } from './story/random.ts'
import { tellStory } from './story/story.ts'
import { metricsExport } from './traffic-metrics.ts'

const HOUR_MS = 3_600_000
const startMs = Date.parse('2026-11-27T09:00:00Z')
const records = tellStory(chanceFrom(7), {
  from: new Date(startMs),
  to: new Date(startMs + HOUR_MS),
  visitorsPerHour: 400,
  userPrefix: 't'
})

interface Point {
  readonly asInt?: string
  readonly count?: string
  readonly bucketCounts?: readonly string[]
}

const total = (texts: readonly (string | undefined)[]) =>
  texts.reduce((sum, text) => sum + Number(text ?? 0), 0)

function exported(count: number) {
  const body = metricsExport({
    startMs,
    untilMs: startMs + HOUR_MS,
    records: records.slice(0, count)
  })
  const { resourceMetrics } = body as {
    resourceMetrics: [{ scopeMetrics: [{ metrics: Record<string, { dataPoints: Point[] }>[] }] }]
  }
  const [requests, orders] = resourceMetrics[0].scopeMetrics[0].metrics
  return {
    requests: requests?.['histogram']?.dataPoints ?? [],
    orders: orders?.['sum']?.dataPoints ?? []
  }
}

test('points count the requests and orders of the records, each in one bucket', (t) => {
  const { requests, orders } = exported(records.length)
  const named = (name: string) => records.filter((one) => one.name === name).length
  t.equal(total(requests.map(({ count }) => count)), named('http.request'))
  t.equal(total(orders.map(({ asInt }) => asInt)), named('order.placed'))
  for (const { count, bucketCounts = [] } of requests) t.equal(total(bucketCounts), Number(count))
  t.end()
})

test('what was counted stays counted in the next export', (t) => {
  let before = 0
  for (let count = 0; count <= records.length; count += 200) {
    const now = total(exported(count).requests.map((point) => point.count))
    t.ok(now >= before)
    before = now
  }
  t.ok(before > 0)
  t.end()
})
