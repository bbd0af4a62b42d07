// Pages of records look at a limited number of rows, and say where they stopped.

import { testDatabase } from '@keelson/sdk/testing'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { findNewest, scanPipeline, servedTerms } from '../queries/bounded-scan.ts'
import { DEFAULT_LIMITS, type Reader } from '../queries/reader.ts'
import { recordsFilter } from '../queries/records.ts'
import { rowFilter } from '../queries/row-filter.ts'
import { documentRows, NEWEST_FIRST } from '../queries/row-source.ts'
import { defineRegistry } from '../registry/registry.ts'
import type { Envelope } from '../schemas/envelope.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { SAMPLE_SPEC, sampleRegistry } from './sample-registry.ts'

const NOW = Date.now()
const range = { from: new Date(NOW - 86_400_000), to: new Date(NOW + 1) }
const ROWS = 600
const CAP = 40
const ROOTS: RecordFilters = { kind: 'span', isRoot: true }

type T = Parameters<typeof testDatabase>[0]

/** Spans of which every 50th is a root; five have each time. */
async function openSpans(t: T) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: SAMPLE_SPEC,
    connection: db,
    history: { enabled: false }
  })
  await telemetry.syncIndexes()
  await Promise.all(
    Array.from({ length: ROWS }, (_, n) =>
      telemetry.emit('http.request', {
        tenantId: n % 4 === 3 ? 'globex' : 'acme',
        service: `s${n % 3}`,
        occurredAt: NOW - Math.floor(n / 5) * 1000,
        traceId: `trace-${Math.floor(n / 50)}`,
        spanId: `span-${n}`,
        durationMs: n,
        ...(n % 50 !== 0 && { parentId: 'p' })
      })
    )
  )
  await telemetry.flush()
  const queries = createQueries({ telemetry, cacheMs: 0, limits: { distribution: CAP } })
  return { rows: db.collection('telemetry'), telemetry, queries }
}

async function everyPage(t: T, filters: RecordFilters, limit: number) {
  const { queries } = await openSpans(t)
  const items: Envelope[] = []
  const pages: { readonly items: number; readonly truncated: boolean; readonly isLast: boolean }[] =
    []
  let cursor: string | undefined
  do {
    const page = await queries.records('*', {
      ...range,
      filters,
      limit,
      ...(cursor !== undefined && { cursor })
    })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
    pages.push({
      items: page.items.length,
      truncated: page.truncated,
      isLast: cursor === undefined
    })
  } while (cursor !== undefined)
  return { items, pages }
}

test('root spans are those without a parent', async (t) => {
  const { items } = await everyPage(t, ROOTS, 200)
  t.equal(items.length, ROWS / 50)
  t.ok(items.every(({ parentId }) => parentId === undefined))
})

test('a page that its limit of rows ended says so, and its cursor goes on from there', async (t) => {
  const { items, pages } = await everyPage(t, ROOTS, 5)
  t.ok(pages.length >= ROWS / CAP, 'no page looks at more rows than the limit')
  for (const page of pages) t.equal(page.truncated, page.items < 5 && !page.isLast)
  const spans = items.map(({ spanId }) => Number(spanId?.slice(5)))
  t.same(
    spans,
    Array.from({ length: ROWS / 50 }, (_, n) => n * 50)
  )
})

test('rows of one time are on one page each, whatever row ended the scan', async (t) => {
  const { items } = await everyPage(t, { service: 's1' }, 7)
  t.equal(items.length, ROWS / 3)
  t.equal(new Set(items.map(({ _id }) => _id)).size, ROWS / 3)
})

test('a page that is full reads no further, and is not marked', async (t) => {
  const { queries } = await openSpans(t)
  const page = await queries.records('*', { ...range, filters: { service: 's1' }, limit: 5 })
  t.match(page, { truncated: false, nextCursor: String })
  t.equal(page.items.length, 5)
})

test('what an index serves is read without a limit of rows', async (t) => {
  const { queries } = await openSpans(t)
  for (const filters of [{}, { name: 'http.request' }, { traceId: 'trace-1' }]) {
    const page = await queries.records('*', { ...range, filters, limit: 100 })
    t.equal(page.truncated, false)
    t.equal(page.items.length, Math.min(100, 'traceId' in filters ? 50 : ROWS))
  }
})

test('rows that are deleted during a read leave no gap behind its page', async (t) => {
  const { rows, telemetry } = await openSpans(t)
  const filter = rowFilter('*', range, { service: 's1' })
  let isLate = true
  const reader = {
    limits: { ...DEFAULT_LIMITS, distribution: CAP },
    registry: () => telemetry.registry,
    rows: documentRows(
      new Proxy(rows, {
        get(target, key: keyof typeof rows) {
          const method = target[key]
          if (typeof method !== 'function') return method
          return (...given: unknown[]) => {
            const answer = Reflect.apply(method, target, given) as unknown
            if (key !== 'aggregate' || !isLate) return answer
            isLate = false
            const { toArray } = answer as { toArray(): Promise<unknown> }
            return {
              async toArray() {
                const found = await Reflect.apply(toArray, answer, [])
                await rows.deleteMany({ occurredAt: new Date(NOW - 1000) })
                return found
              }
            }
          }
        }
      }) as unknown as Parameters<typeof documentRows>[0]
    )
  } as unknown as Reader
  const { found, stoppedAt } = await findNewest(reader, filter, 50)
  const all = await rows.find(filter).sort(NEWEST_FIRST).toArray()
  const before = all.filter((row) => row['occurredAt'] >= (stoppedAt?.occurredAt ?? 0))
  t.same(
    found.map(({ spanId }) => spanId),
    before.map((row) => row['spanId'])
  )
})

test('of several terms with an index one bounds the scan', async (t) => {
  const registry = sampleRegistry()
  const served = (filters: RecordFilters, scope = 'acme') =>
    Object.keys(servedTerms(rowFilter(scope, range, filters), registry)).join(' ')
  const attrs = new Map([['source', 'a']])
  t.equal(served({ kind: 'span', service: 's' }), 'tenantId occurredAt')
  t.equal(served(ROOTS, '*'), 'occurredAt')
  t.equal(served({ kind: 'error', service: 's' }), 'tenantId occurredAt rareKind')
  t.equal(served({ kind: 'error', name: 'app.error' }), 'tenantId occurredAt name')
  t.equal(served({ name: 'app.error', subject: 'user:u' }), 'tenantId occurredAt subjectKeys')
  t.equal(served({ name: 'page.viewed', attrs }), 'tenantId occurredAt name attrs.source')
  t.equal(served({ name: 'page.viewed', attrs }, '*'), 'occurredAt name')
  t.equal(served({ attrs }), 'tenantId occurredAt')
  t.equal(servedTerms(rowFilter('*', range, { name: 'x' }), defineRegistry({}))['name'], 'x')
})

/** Names of the stages of the chosen plan, and how many documents they read. */
function workOf(explained: Document): { stages: Set<string>; documents: number } {
  const stages = new Set<string>()
  let documents = 0
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'rejectedPlans') continue
      if (key === 'stage' && typeof inner === 'string') stages.add(inner)
      if (key === 'totalDocsExamined') documents = Math.max(documents, Number(inner))
      walk(inner)
    }
  }
  walk(explained)
  return { stages, documents }
}

test('a bounded scan and the search for its end read in order from an index', async (t) => {
  const { rows, telemetry } = await openSpans(t)
  const cases: readonly RecordFilters[] = [
    ROOTS,
    { kind: 'span', service: 's9' },
    { name: 'http.request', isRoot: true },
    { kind: 'error', service: 's9' }
  ]
  for (const scope of ['acme', '*']) {
    for (const filters of cases) {
      const filter = recordsFilter(scope, { ...range, filters })
      const served = servedTerms(filter, telemetry.registry)
      const pipeline = scanPipeline(filter, served, { limit: 51, cap: CAP })
      const scan = workOf(await rows.aggregate(pipeline).explain('executionStats'))
      const label = JSON.stringify([scope, filters])
      t.notOk(scan.stages.has('COLLSCAN') || scan.stages.has('SORT'), `scan: ${label}`)
      t.ok(scan.documents <= CAP, `${scan.documents} rows: ${label}`)
      const end = workOf(
        await rows
          .find(served, { projection: { occurredAt: 1 } })
          .sort(NEWEST_FIRST)
          .skip(CAP - 1)
          .limit(1)
          .explain('executionStats')
      )
      t.notOk(end.stages.has('COLLSCAN') || end.stages.has('SORT'), `end: ${label}`)
      t.ok(end.documents <= CAP, `${end.documents} rows: end of ${label}`)
    }
  }
})
