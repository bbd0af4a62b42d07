// A store of made-up records in memory that answers the reads, for pages in a browser.

import { startOf as bucketStart, type TimeUnit } from '@keelson/sdk/zoned-time'
import type { Envelope, Queries, RecordFilters, TimeRange } from '@keelson/telemetry'
import { type FakeStore, fakeStore } from './fake-store.ts'
import { journeyAnswers, spend, subjectAnswers, usageAnswers } from './sample-journeys.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The same numbers every time. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const event = (
  kind: string,
  attrKeys: string[],
  metricKeys: string[],
  rollups: unknown[] = []
) => ({
  kind,
  origin: 'any',
  subjects: ['user'],
  description: '',
  attrKeys,
  metricKeys,
  indexedAttrs: [],
  indexedMetrics: [],
  rollups
})

const milestone = (as: string, label: string) => ({
  as,
  by: ['subject'],
  bucket: null,
  sum: [],
  subjects: ['user'],
  label
})

export const SAMPLE_REGISTRY = {
  'page.viewed': event(
    'event',
    ['path', 'source'],
    ['load_ms'],
    [
      {
        as: 'daily_active',
        by: ['subject'],
        bucket: 'day',
        sum: [],
        subjects: ['user'],
        label: 'd'
      }
    ]
  ),
  'account.signed_up': event(
    'event',
    ['plan', 'source'],
    [],
    [{ ...milestone('signed_up', 'Signed up'), capture: ['attr:source', 'attr:plan'] }]
  ),
  'order.placed': event(
    'event',
    ['currency', 'plan'],
    ['amount_usd'],
    [milestone('first_order', 'First order')]
  ),
  'app.error': event(
    'error',
    ['code'],
    [],
    [
      {
        as: 'issues',
        by: ['field:error.fingerprint'],
        bucket: null,
        sum: [],
        subjects: [],
        label: 'i'
      }
    ]
  ),
  'http.request': event('span', ['method', 'route', 'status'], []),
  'ticket.status': event('state', [], []),
  'llm.tokens': event(
    'usage',
    ['model'],
    ['cost_usd'],
    [
      {
        as: 'spend',
        by: ['attr:model'],
        bucket: 'day',
        sum: ['cost_usd'],
        subjects: [],
        label: 'Spend by model'
      }
    ]
  )
}

const pick = <T>(values: readonly T[], random: () => number): T =>
  values[Math.floor(random() * values.length)] as T

const FAULTS = [
  ['TypeError', 'Cannot read properties of undefined (reading "card")'],
  ['TimeoutError', 'The payment provider did not answer in 10 s'],
  ['RangeError', 'Invalid time value'],
  ['SyntaxError', 'Unexpected end of JSON input'],
  ['StockError', 'Nothing left of item 118']
] as const

// The part of a record that its name decides.
type Made = Partial<Envelope> & Pick<Envelope, 'kind'>

const makers: Readonly<Record<string, (random: () => number, subject: string) => Made>> = {
  'page.viewed': (random) => ({
    kind: 'event',
    attrs: {
      path: pick(['/', '/pricing', '/docs/start'], random),
      source: pick(['ads', 'blog', 'direct'], random)
    },
    metrics: { load_ms: Math.round(80 + random() * 900) },
    ...(random() < 0.1 && { actor: 'admin:ann', actorType: 'admin' })
  }),
  'account.signed_up': (random) => ({
    kind: 'event',
    attrs: { plan: pick(['free', 'pro', 'team'], random), source: pick(['ads', 'blog'], random) }
  }),
  'order.placed': (random) => ({
    kind: 'event',
    attrs: { plan: 'pro', currency: 'USD' },
    metrics: { amount_usd: Math.round(random() * 9000) / 100 }
  }),
  'app.error': (random) => {
    const number = Math.floor(random() * random() * FAULTS.length)
    const [type, message] = FAULTS[number] ?? ['Error', '']
    return {
      kind: 'error',
      severity: 'error',
      attrs: { code: pick(['E_CARD', 'E_TIMEOUT'], random) },
      traceId: hex(32, random),
      error: {
        type,
        message,
        handled: false,
        fingerprint: `fp-${number}`,
        frames: [
          { fn: 'pay', filename: 'src/checkout/pay.ts', lineno: 42, colno: 11, inApp: true },
          { fn: 'submit', filename: 'src/checkout/form.ts', lineno: 8, colno: 3, inApp: true }
        ]
      }
    }
  },
  'http.request': (random) => ({
    kind: 'span',
    traceId: hex(32, random),
    spanId: hex(16, random),
    durationMs: Math.round(random() * 3000) / 10,
    attrs: {
      method: 'GET',
      route: pick(['/signup', '/api/items/:id', '/'], random),
      status: pick(['200', '201', '404'], random)
    }
  }),
  'ticket.status': () => ({ kind: 'state', state: { key: 'ticket', from: 'open', to: 'solved' } }),
  'llm.tokens': (_random, subject) => ({
    kind: 'usage',
    attrs: { model: 'small' },
    metrics: { cost_usd: 0.25 },
    usage: { meter: 'tokens', quantity: 100, unit: 'token', billedTo: subject }
  })
}
const NAMES = ['page.viewed', 'page.viewed', 'http.request', ...Object.keys(makers)]
const NOBODYS = new Set(['app.error', 'http.request'])

const hex = (length: number, random: () => number) =>
  Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

function makeRow(index: number, at: number, random: () => number): Envelope {
  const id = `u-${1000 + Math.floor(random() * 60)}`
  const subject = `user:${id}`
  const name = pick(NAMES, random)
  const made = makers[name]?.(random, subject)
  return {
    _id: `0197-${String(index).padStart(8, '0')}-${hex(8, random)}`,
    tenantId: random() < 0.5 ? 'acme' : 'globex',
    occurredAt: new Date(at),
    receivedAt: new Date(at + 40),
    name,
    severity: 'info',
    env: 'prod',
    service: 'web',
    release: '2.14.0',
    origin: 'server',
    attrs: {},
    metrics: {},
    sampleRate: 1,
    ...(NOBODYS.has(name) ? { subjects: [] } : { subject, subjects: [{ type: 'user', id }] }),
    kind: 'event',
    ...made
  }
}

/** One trace of six spans over three services, with an error and a log line in it; newest first. */
export function sampleTrace(traceId: string, at: number): Envelope[] {
  const base = makeRow(0, at, dice(3))
  const span = (
    id: string,
    parent: string | undefined,
    start: number,
    ms: number,
    name: string,
    service: string
  ) => ({
    ...base,
    _id: `trace-${traceId.slice(0, 8)}-${id}`,
    tenantId: 'acme',
    kind: 'span' as const,
    name: 'otlp.span',
    service,
    subjects: [],
    traceId,
    spanId: id,
    ...(parent !== undefined && { parentId: parent }),
    occurredAt: new Date(at + start),
    durationMs: ms,
    attrs: { 'span.name': name },
    metrics: {}
  })
  const fault = {
    ...span('f1', 'a3', 270, 0, '', 'payments'),
    kind: 'error' as const,
    name: 'otlp.exception',
    spanId: 'a3',
    severity: 'error' as const,
    error: { type: 'CardError', message: 'The card was declined', handled: true }
  }
  const rows: Envelope[] = [
    span('a1', undefined, 0, 340, 'POST /checkout', 'web'),
    span('a2', 'a1', 12, 60, 'SELECT cart', 'web'),
    { ...span('a3', 'a1', 80, 210, 'charge card', 'payments'), severity: 'error' },
    span('a4', 'a3', 95, 160, 'POST api.cards.example', 'payments'),
    fault,
    span('a5', 'a1', 292, 40, 'render receipt', 'web'),
    span('a6', 'a1', 20, 90, 'warm cache', 'cache')
  ]
  return rows.sort((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime())
}

/** Newest first; a day has its busy hours. */
export function sampleRows(count: number, now: number): Envelope[] {
  const random = dice(7)
  const rows: Envelope[] = []
  let at = now - 1500
  for (let index = 0; index < count; index++) {
    const busy = 1.3 + Math.sin(((now - at) / DAY) * 2 * Math.PI)
    rows.push(makeRow(count - index, at, random))
    at -= (random() * 24 * MINUTE) / busy
  }
  return rows
}

const fits = (
  row: Envelope,
  { attrs, metrics, excludeActors, exclude, isRoot, q, ...exact }: RecordFilters
): boolean => {
  if (isRoot === true && row.parentId !== undefined) return false
  if (q !== undefined && !JSON.stringify(row).includes(q)) return false
  const plain = Object.entries(exact).every(([key, value]) =>
    key === 'subject'
      ? row.subjects.some(({ type, id }) => `${type}:${id}` === value)
      : key === 'fingerprint'
        ? row.error?.fingerprint === value
        : row[(key === 'tenant' ? 'tenantId' : key) as 'name'] === value
  )
  const bounds = (metrics ?? []).every(({ key, op, value }) => {
    const figure = row.metrics[key]
    return figure !== undefined && (op === 'gte' ? figure >= value : figure <= value)
  })
  const isTaken = excludeActors?.includes(row.actorType ?? '') ?? false
  const isExcluded = (exclude ?? []).some(({ field, value }) =>
    field.startsWith('attrs.')
      ? row.attrs[field.slice(6)] === value
      : field === 'fingerprint'
        ? row.error?.fingerprint === value
        : row[field as 'name'] === value
  )
  return (
    plain &&
    !isExcluded &&
    bounds &&
    !isTaken &&
    [...(attrs ?? [])].every(([key, value]) => row.attrs[key] === value)
  )
}

interface Asked extends TimeRange {
  readonly filters?: RecordFilters
  readonly interval?: TimeUnit
  readonly measure?: string
  readonly limit?: number
  readonly cursor?: string
  readonly kind?: string
  readonly name?: string
  readonly service?: string
  readonly groupBy?: readonly ('kind' | 'name' | 'service')[]
}

const people = (found: readonly Envelope[]) =>
  new Set(found.flatMap((row) => row.subject ?? [])).size

function inBuckets(
  found: readonly Envelope[],
  interval: TimeUnit,
  count: (rows: Envelope[]) => number
): { at: Date; value: number }[] {
  const groups = new Map<number, Envelope[]>()
  for (const row of found) {
    const at = bucketStart(row.occurredAt.getTime(), interval)
    groups.set(at, [...(groups.get(at) ?? []), row])
  }
  const sorted = [...groups].sort((a, b) => a[0] - b[0])
  return sorted.map(([at, members]) => ({ at: new Date(at), value: count(members) }))
}

/** What is asked of rows: how many, or the sum of a metric. */
const measured =
  (measure = 'count') =>
  (rows: readonly Envelope[]): number => {
    if (measure === 'count') return rows.length
    const metric = measure.slice(measure.indexOf(':') + 1)
    return rows.reduce((sum, { metrics }) => sum + (metrics[metric] ?? 0), 0)
  }

function bars(figures: readonly number[]) {
  const width = Math.max(1, (figures.at(-1) ?? 0) / 20)
  return Array.from({ length: figures.length === 0 ? 0 : 20 }, (_, at) => ({
    min: at * width,
    max: (at + 1) * width,
    n: figures.filter((figure) => Math.min(19, Math.floor(figure / width)) === at).length
  }))
}

function distribution(figures: readonly number[]) {
  const at = (p: number) => figures[Math.floor((figures.length - 1) * p)]
  return {
    n: figures.length,
    truncated: false,
    histogram: bars(figures),
    dataSource: 'raw',
    ...(figures.length > 0 && { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) })
  }
}

/** Spans in groups of an attribute or a field, the slowest 95th percentile first. */
function durationGroups(spans: readonly Envelope[], by: string) {
  const shown = (row: Envelope) =>
    by.startsWith('attr:') ? row.attrs[by.slice(5)] : row[by as 'name' | 'service']
  const timed = spans.filter(({ durationMs }) => durationMs !== undefined)
  const groups = [...new Set(timed.map(shown))].map((value) => {
    const sorted = timed
      .filter((row) => shown(row) === value)
      .sort((a, b) => (a.durationMs ?? 0) - (b.durationMs ?? 0))
    const { p50 = 0, p95 = 0, max = 0 } = distribution(sorted.map((row) => row.durationMs ?? 0))
    const { _id: id = '', tenantId = '', traceId } = sorted.at(-1) ?? {}
    const failed = sorted.filter(({ severity }) => severity === 'error').length
    const slowest = { id, tenantId, ...(traceId !== undefined && { traceId }) }
    return { value: value ?? null, n: sorted.length, failed, p50, p95, max, slowest }
  })
  return {
    groups: groups.sort((a, b) => b.p95 - a.p95),
    values: groups.length,
    truncated: false,
    dataSource: 'raw'
  }
}

/** One issue per tenant and fingerprint, as the store counts them. */
function issues(found: readonly Envelope[], all: readonly Envelope[], interval?: TimeUnit) {
  const keyOf = (row: Envelope) => `${row.tenantId} ${row.error?.fingerprint}`
  const groups = new Map<string, Envelope[]>()
  for (const row of found) {
    if (row.error?.fingerprint === undefined) continue
    groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  }
  const list = [...groups].map(([key, members]) => {
    const ever = all.filter((row) => keyOf(row) === key)
    const [last] = members
    const first = ever.at(-1)
    return {
      tenantId: last?.tenantId,
      fingerprint: last?.error?.fingerprint,
      type: last?.error?.type,
      message: last?.error?.message,
      count: interval === undefined ? null : members.length,
      total: ever.length,
      people:
        interval === undefined ? null : new Set(members.flatMap((row) => row.subject ?? [])).size,
      firstAt: first?.occurredAt,
      lastAt: last?.occurredAt,
      firstTraceId: first?.traceId,
      ...(interval !== undefined && { buckets: inBuckets(members, interval, measured()) })
    }
  })
  return {
    issues: list,
    values: list.length,
    truncated: false,
    sampled: false,
    dataSource: interval === undefined ? 'rollups' : 'raw+rollups'
  }
}

function activityGroups(
  found: readonly Envelope[],
  groupBy: readonly ('kind' | 'name' | 'service')[],
  interval: TimeUnit | undefined
) {
  const groups = new Map<
    string,
    { group: object; at?: Date; count: number; sums: Record<string, number> }
  >()
  for (const row of found) {
    const group = Object.fromEntries(groupBy.map((by) => [by, row[by]]))
    const at = interval === undefined ? undefined : bucketStart(row.occurredAt.getTime(), interval)
    const key = JSON.stringify([group, at])
    const known = groups.get(key) ?? {
      group,
      ...(at !== undefined && { at: new Date(at) }),
      count: 0,
      sums: {}
    }
    known.count += 1
    for (const [metric, value] of Object.entries(row.metrics)) {
      known.sums[metric] = (known.sums[metric] ?? 0) + value
    }
    groups.set(key, known)
  }
  return [...groups.values()]
}

type GroupsAsked = Asked & { readonly by: string; readonly alsoBy?: string }

function groupsOf(
  found: readonly Envelope[],
  { by, alsoBy, interval = 'day', measure }: GroupsAsked
) {
  const valueIn = (row: Envelope, one: string) =>
    (one.startsWith('attr:') ? row.attrs[one.slice(5)] : row[one as 'name']) ?? null
  const groups = new Map<string, Envelope[]>()
  for (const row of found) {
    const also = alsoBy === undefined ? {} : { also: valueIn(row, alsoBy) }
    const key = JSON.stringify({ value: valueIn(row, by), ...also })
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const all = [...groups].map(([key, members]) => ({
    ...JSON.parse(key),
    count: members.length,
    figure: measured(measure)(members),
    buckets: inBuckets(members, interval, measured(measure))
  }))
  return {
    groups: all.sort((a, b) => b.count - a.count),
    values: all.length,
    total: all.reduce((sum, { figure }) => sum + figure, 0),
    truncated: false,
    sampled: false,
    dataSource: 'raw'
  }
}

function answersOver(rows: readonly Envelope[]) {
  const within = ({ from, to }: TimeRange, filters: RecordFilters = {}) =>
    rows
      .filter(({ occurredAt }) => occurredAt >= from && occurredAt < to)
      .filter((row) => fits(row, filters))
  return {
    records(_scope: string, asked: Asked) {
      const found = within(asked, asked.filters)
      const start = asked.cursor === undefined ? 0 : Number(asked.cursor)
      const end = start + (asked.limit ?? 50)
      const nextCursor = end < found.length ? String(end) : null
      return { items: found.slice(start, end), nextCursor, truncated: false, dataSource: 'raw' }
    },
    series(_scope: string, { interval = 'day', measure, ...asked }: Asked) {
      const buckets = inBuckets(within(asked, asked.filters), interval, measured(measure))
      return { buckets, truncated: false, sampled: false, dataSource: 'raw' }
    },
    activity(_scope: string, { kind, name, service, interval, groupBy = [], ...asked }: Asked) {
      const given = Object.entries({ kind, name, service }).filter(
        ([, value]) => value !== undefined
      )
      const found = within(asked, Object.fromEntries(given))
      return {
        groups: activityGroups(found, groupBy, interval),
        truncated: false,
        dataSource: 'rollups'
      }
    },
    trace(_scope: string, asked: string | readonly [traceId: string, limit: number]) {
      const [traceId] = [asked].flat()
      const found = rows.filter((row) => row.traceId === traceId)
      return { items: [...found].reverse(), truncated: false, dataSource: 'raw' }
    },
    rollupTotals: (_scope: string, { as, from, to }: TimeRange & { readonly as: string }) =>
      spend(as === 'spend' ? within({ from, to }, { kind: 'usage' }) : []),
    issues(scope: string, { interval, contains = '', ...asked }: Asked & { contains?: string }) {
      const own = (all: readonly Envelope[]) =>
        all.filter(({ tenantId }) => scope === '*' || tenantId === scope)
      const found = within(asked, { ...asked.filters, kind: 'error' }).filter(({ error }) =>
        `${error?.type} ${error?.message}`.toLowerCase().includes(contains)
      )
      return issues(own(found), own(rows), interval)
    },
    ...journeyAnswers(rows),
    ...subjectAnswers(rows),
    ...usageAnswers(rows),
    breakdown: (_scope: string, asked: GroupsAsked) =>
      groupsOf(within(asked, asked.filters), asked),
    durations: (_scope: string, asked: Asked & { readonly by: string }) =>
      durationGroups(within(asked, asked.filters), asked.by),
    distinctCount(_scope: string, { interval = 'day', ...asked }: Asked) {
      const found = within(asked, { name: 'page.viewed' })
      const buckets = inBuckets(found, interval, people)
      const distinct = people(found)
      return { buckets, distinct, interval, truncated: false, dataSource: 'rollups' }
    },
    distribution(_scope: string, { measure = 'durationMs', ...asked }: Asked) {
      const figure = (row: Envelope) =>
        (measure === 'durationMs' ? row.durationMs : row.metrics[measure]) ?? []
      return distribution(
        within(asked, asked.filters)
          .flatMap(figure)
          .sort((a, b) => a - b)
      )
    }
  } satisfies Partial<Record<keyof Queries, unknown>>
}

/** Answers over the rows; each answer of `overrides` takes the place of one of them. */
export function sampleStore(
  rows: readonly Envelope[],
  overrides: Readonly<Record<string, unknown>> = {}
): FakeStore {
  const store = fakeStore({ ...answersOver(rows), ...overrides })
  return {
    ...store,
    telemetry: Object.assign(store.telemetry, {
      clock: { now: () => new Date() },
      registry: { project: () => SAMPLE_REGISTRY }
    })
  }
}
