// What the Events page asks for, and what it says when there is nothing.
import type { RegistryEntry } from '@keelson/telemetry'
import { createFormat, registerCatalog, translate } from '@keelson/ui'
import { test } from 'tap'
import { whyEmpty } from './empty.ts'
import texts from './events/texts.en.json' with { type: 'json' }
import { tileView } from './events/tile-view.ts'
import { planTiles } from './events/tiles.ts'
import { attrKeys, eventNames, metricKeys, namesByKind, type RegistryAnswer } from './registry.ts'
import { countsPath, readCounts, recordsPath } from './requests.ts'
import { registerTexts } from './texts.ts'
import { widerRange } from './wider-range.ts'

const entry = (more: Partial<RegistryEntry>): RegistryEntry => ({
  kind: 'event',
  origin: 'any',
  subjects: [],
  description: '',
  attrKeys: [],
  metricKeys: [],
  indexedAttrs: [],
  indexedMetrics: [],
  rollups: [],
  ...more
})
const people = {
  as: 'daily',
  by: ['subject'],
  bucket: 'day' as const,
  sum: [],
  subjects: ['user'],
  label: 'd'
}
const registry: RegistryAnswer = {
  registry: {
    'page.viewed': entry({
      attrKeys: ['path', 'source'],
      metricKeys: ['load_ms'],
      rollups: [people]
    }),
    'account.left': entry({ attrKeys: ['reason'] }),
    'http.request': entry({ kind: 'span', attrKeys: ['route'] })
  },
  kinds: ['event', 'error', 'span'],
  role: 'viewer',
  scope: 'acme',
  platform: false
}
const span = { from: Date.parse('2025-06-08T12:00:00Z'), to: Date.parse('2025-06-15T12:00:00Z') }
const PLANNED = { registry, span, timeZone: 'UTC' }
const ids = (query: Record<string, string>) =>
  planTiles(new URLSearchParams(query), { registry, span, timeZone: 'UTC' }).map(({ id }) => id)

test('names stand under their kinds, in order', async (t) => {
  t.same(eventNames(registry), ['account.left', 'http.request', 'page.viewed'])
  t.same(namesByKind(registry), [
    { kind: 'event', names: ['account.left', 'page.viewed'] },
    { kind: 'span', names: ['http.request'] }
  ])
})

test('keys are those of the event, or of all without one', async (t) => {
  t.same(attrKeys(registry, 'page.viewed'), ['path', 'source'])
  t.same(attrKeys(registry, null), ['path', 'reason', 'route', 'source'])
  t.same(metricKeys(registry, 'unknown'), [])
})

test('unfiltered counts come from rollups, filtered ones from the rows', async (t) => {
  const path = (query: Record<string, string>) =>
    countsPath(new URLSearchParams(query), span, { interval: 'day', timeZone: 'UTC' }).split('?')[0]
  t.equal(path({}), '/api/activity')
  t.equal(path({ name: 'a', kind: 'event', service: 'web' }), '/api/activity')
  t.equal(path({ name: 'a', attrs: 'b:c' }), '/api/series')
})

test('buckets of another zone than UTC are asked for by its name', async (t) => {
  const asked = (timeZone: string) =>
    new URLSearchParams(
      countsPath(new URLSearchParams(), span, { interval: 'day', timeZone }).split('?')[1]
    ).get('timeZone')
  t.same([asked('UTC'), asked('Asia/Kolkata')], [null, 'Asia/Kolkata'])
})

test('a request holds the filters, both ends and the cursor', async (t) => {
  const path = recordsPath(new URLSearchParams({ name: 'a' }), span, 'next')
  t.same(Object.fromEntries(new URLSearchParams(path.split('?')[1])), {
    name: 'a',
    from: '2025-06-08T12:00:00.000Z',
    to: '2025-06-15T12:00:00.000Z',
    limit: '40',
    cursor: 'next'
  })
  t.notMatch(recordsPath(new URLSearchParams(), span, null), /cursor/)
})

test('counts read the same from either answer', async (t) => {
  const at = '2025-06-08T00:00:00.000Z'
  t.same(readCounts({ groups: [{ at, count: 3 }], truncated: false }), {
    buckets: [{ at, value: 3 }],
    source: 'rollup',
    truncated: false,
    sampled: false
  })
  t.same(readCounts({ buckets: [{ at, value: 3 }], truncated: true, sampled: true }), {
    buckets: [{ at, value: 3 }],
    source: 'raw',
    truncated: true,
    sampled: true
  })
})

test('people are counted where a family counts them and no other filter is set', async (t) => {
  t.same(ids({}), ['people', 'errors'])
  t.same(ids({ name: 'page.viewed' }), ['people', 'median'])
  t.same(ids({ name: 'account.left' }), [])
  t.same(ids({ attrs: 'a:b' }), ['errors'])
})

test('people of less than their buckets are not counted: a day is counted whole', async (t) => {
  const plan = (hours: number) => {
    const asked = { from: span.to - hours * 3_600_000, to: span.to }
    return planTiles(new URLSearchParams(), { registry, span: asked, timeZone: 'UTC' }).map(
      ({ id }) => id
    )
  }
  t.same(plan(1), ['errors'])
  t.same(plan(47), ['errors'])
  t.same(plan(48), ['people', 'errors'])
})

test('a span is measured by its duration', async (t) => {
  const [median] = planTiles(new URLSearchParams({ name: 'http.request' }), PLANNED)
  t.match(median, { id: 'median', measure: 'durationMs' })
  t.match(median?.path(span), /^\/api\/distribution\?name=http\.request&.*measure=durationMs/)
})

test('a median is labelled in words, and its note begins with what the change is against', async (t) => {
  registerTexts()
  registerCatalog('en', texts)
  const format = createFormat('en', 'UTC')
  const words = {
    format,
    t: (key: string, values?: Record<string, string | number>) => translate('en', key, values)
  }
  const [median] = planTiles(new URLSearchParams({ name: 'http.request' }), PLANNED)
  const answer = (p50: number, p95: number) => ({ p50, p95, n: 9, truncated: false })
  const pair = { now: answer(174, 900), before: answer(90, 400) }
  const view = median && tileView(median, { status: 'fulfilled', value: pair }, span, words)
  t.match(view, { label: 'Duration, median', value: '174 ms', against: 'vs 90 ms · p95 900 ms' })
  const first = { ...pair, before: { n: 0, truncated: false } }
  const alone = median && tileView(median, { status: 'fulfilled', value: first }, span, words)
  t.match(alone, { change: null, against: 'p95 900 ms' })
  const lost = median && tileView(median, { status: 'rejected', reason: 'x' }, span, words)
  t.match(lost, { label: 'Duration, median', value: '–' })
})

test('errors keep the other filters', async (t) => {
  const [errors] = planTiles(new URLSearchParams({ service: 'web', attrs: 'a:b' }), PLANNED)
  t.match(errors?.path(span), /^\/api\/series\?service=web&attrs=a%3Ab&kind=error&/)
})

test('the next longer range is offered, and none beyond a year or with fixed ends', async (t) => {
  t.equal(widerRange({ range: '1h' }), '24h')
  t.equal(widerRange({ range: '7d' }), '30d')
  t.equal(widerRange({ range: '365d' }), undefined)
  t.equal(widerRange({ from: 'a', to: 'b' }), undefined)
})

const why = (filters: { field: string; value: string }[], range = '7d') =>
  whyEmpty(filters, { range }, registry)

test('an unfiltered list is empty because nothing was recorded', async (t) => {
  t.match(why([]), {
    heading: 'empty.none',
    actions: [{ label: 'empty.widen', values: { range: '30d' } }]
  })
  t.same(why([], '365d').actions, [])
})

test('a filtered list offers a longer range and each filter to take away', async (t) => {
  const reason = why([
    { field: 'name', value: 'page.viewed' },
    { field: 'attrs.source', value: 'ads' }
  ])
  t.equal(reason.heading, 'empty.filtered')
  t.match(reason.actions, [
    { label: 'empty.widen' },
    {
      label: 'empty.remove',
      values: { value: 'page.viewed' },
      changes: { name: null, attrs: 'source:ads' }
    },
    { label: 'empty.remove', values: { value: 'ads' }, changes: { attrs: null } },
    { label: 'empty.clear', changes: { name: null, attrs: null } }
  ])
})

test('a filter that can match nothing is named', async (t) => {
  t.match(why([{ field: 'name', value: 'page.seen' }]), { heading: 'empty.unknown' })
  t.match(
    why([
      { field: 'name', value: 'page.viewed' },
      { field: 'kind', value: 'error' }
    ]),
    { heading: 'empty.kind', values: { name: 'page.viewed', kind: 'event', asked: 'error' } }
  )
  t.match(
    why([
      { field: 'name', value: 'page.viewed' },
      { field: 'attrs.plan', value: 'pro' }
    ]),
    { heading: 'empty.attr', values: { key: 'plan' }, actions: [{ changes: { attrs: null } }] }
  )
})

test('a built-in name is known, and without a registry nothing is known', async (t) => {
  t.match(why([{ field: 'name', value: 'otlp.span' }]), { heading: 'empty.filtered' })
  t.match(whyEmpty([{ field: 'name', value: 'x' }], { range: '7d' }, undefined), {
    heading: 'empty.filtered'
  })
})
