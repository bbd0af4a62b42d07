// A store at the seam: records what was asked, answers what a test gives it, keeps views in memory.
import type { Viewer } from '@keelson/sdk'
import type { Queries, Telemetry } from '@keelson/telemetry'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Collection, Document } from 'mongodb'
import { createDashboard, type DashboardOptions } from '../dashboard.ts'

export const NOW = new Date('2025-06-15T12:00:00.000Z')

export interface Asked {
  readonly op: string
  readonly scope: string
  readonly params: unknown
}

/** A collection that knows what the saved views ask of it. */
export function fakeViews(): Collection & { readonly docs: Document[] } {
  const docs: Document[] = []
  const fits = (doc: Document, filter: Document): boolean =>
    Object.entries(filter).every(([key, value]) =>
      key === '$or' ? (value as Document[]).some((part) => fits(doc, part)) : doc[key] === value
    )
  const fake = {
    docs,
    find: (filter: Document) => ({
      sort: () => ({
        limit: (most: number) => ({
          toArray: async () => docs.filter((doc) => fits(doc, filter)).slice(0, most)
        })
      })
    }),
    findOne: async (filter: Document) => docs.find((doc) => fits(doc, filter)) ?? null,
    insertOne: async (doc: Document) => docs.push(doc),
    updateOne: async (filter: Document, { $set }: { readonly $set: Document }) => {
      const found = docs.find((doc) => fits(doc, filter))
      if (found !== undefined) Object.assign(found, $set)
      return { matchedCount: found === undefined ? 0 : 1 }
    },
    deleteOne: async (filter: Document) => {
      const index = docs.findIndex((doc) => fits(doc, filter))
      if (index >= 0) docs.splice(index, 1)
      return { deletedCount: index >= 0 ? 1 : 0 }
    }
  }
  return fake as unknown as Collection & { readonly docs: Document[] }
}

export const REGISTRY = {
  'page.viewed': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    description: 'A page was seen.',
    attrKeys: ['path', 'source'],
    metricKeys: ['load_ms'],
    indexedAttrs: ['source'],
    indexedMetrics: [],
    rollups: [
      {
        as: 'daily_active',
        by: ['subject'],
        bucket: 'day',
        sum: [],
        subjects: ['user'],
        label: 'x'
      }
    ]
  }
}

/** The host of a store, as far as the dashboard adds its plugin to it. */
export const hostWith = (views: object) => ({
  add: () => ({ collection: () => views }),
  open: async () => undefined
})

export interface FakeStore {
  readonly telemetry: Telemetry
  readonly queries: Queries
  readonly asked: Asked[]
  readonly views: ReturnType<typeof fakeViews>
}

/** The alerts at the seam; each operation is called `alerts.<name>`. */
const alertsOf = (answerOf: (op: string, scope: string, params: unknown) => Promise<unknown>) => ({
  list: (viewer: Viewer) => answerOf('alerts.list', viewer.tenantId, undefined),
  save: (viewer: Viewer, spec: unknown, id?: string) =>
    answerOf('alerts.save', viewer.tenantId, { spec, ...(id !== undefined && { id }) }),
  remove: (viewer: Viewer, id: string) => answerOf('alerts.remove', viewer.tenantId, id),
  history: (viewer: Viewer, options: unknown) =>
    answerOf('alerts.history', viewer.tenantId, options),
  preview: (viewer: Viewer, spec: unknown, range: object) =>
    answerOf('alerts.preview', viewer.tenantId, { spec, ...range })
})

/** Answers that are numbers. */
const COUNTS: Readonly<Record<string, number>> = { indexCount: 14 }

/** Empty answers, as the schemas of the routes ask for them. */
export const EMPTY: Readonly<Record<string, object>> = {
  records: { items: [], nextCursor: null, truncated: false, dataSource: 'raw' },
  series: { buckets: [], truncated: false, sampled: false, dataSource: 'raw' },
  distribution: { n: 0, truncated: false, histogram: [], dataSource: 'raw' },
  activity: { groups: [], truncated: false, dataSource: 'rollups' },
  rollups: { rows: [], bucketed: false, truncated: false, dataSource: 'rollups' },
  rollupTotals: {
    totals: [],
    values: 0,
    documents: 0,
    bucket: 'day',
    truncated: false,
    dataSource: 'rollups'
  },
  trace: { items: [], truncated: false, dataSource: 'raw' },
  journey: { records: [], milestones: [], truncated: false, dataSource: 'raw+rollups' },
  distinctCount: {
    buckets: [],
    distinct: 0,
    interval: 'day',
    truncated: false,
    dataSource: 'rollups'
  },
  funnel: {
    cohortSubjects: 0,
    first: 0,
    stages: [],
    exits: [],
    slices: null,
    truncated: false,
    cohort: { from: NOW.toISOString(), to: NOW.toISOString(), endInclusive: false, anchor: 'x' },
    dataSource: 'rollups'
  },
  breakdown: {
    groups: [],
    values: 0,
    total: 0,
    truncated: false,
    sampled: false,
    dataSource: 'raw'
  },
  durations: { groups: [], values: 0, truncated: false, dataSource: 'raw' },
  usageTotals: {
    groups: [],
    values: 0,
    total: { count: 0, unbilled: 0, quantities: {}, amounts: {}, sums: {} },
    truncated: false,
    dataSource: 'raw'
  },
  issues: { issues: [], values: 0, truncated: false, sampled: false, dataSource: 'rollups' },
  retention: { cohorts: [], interval: 'week', truncated: false, dataSource: 'rollups' },
  funnelPeople: { people: [], total: 0, truncated: false, dataSource: 'rollups' },
  eventFunnel: {
    people: 0,
    stages: [],
    order: 'strict',
    windowMs: null,
    cohort: { from: NOW.toISOString(), to: NOW.toISOString() },
    truncated: false,
    dataSource: 'raw'
  },
  eventRetention: { cohorts: [], interval: 'week', truncated: false, dataSource: 'raw' },
  metrics: { metrics: [], values: 0, truncated: false, dataSource: 'raw' },
  metricSeries: {
    name: 'x',
    type: '',
    unit: '',
    temporality: '',
    monotonic: false,
    measure: 'avg',
    groups: [],
    values: 0,
    exemplars: [],
    truncated: false,
    dataSource: 'raw'
  },
  seenKeys: {},
  'alerts.list': { rules: [] },
  'alerts.history': { changes: [] },
  'alerts.save': { id: 'rule-1' },
  'alerts.remove': { removed: 1 },
  'alerts.preview': { fired: 0, changes: [], points: [], stepMinutes: 60, truncated: false },
  quarantine: [],
  erasures: [],
  backfills: [],
  storageUse: { collections: [], kinds: [] },
  historyUse: {
    state: 'off',
    hotRows: 0,
    mirroredRows: 0,
    sealedRows: 0,
    segments: 0,
    bytes: 0,
    cacheBytes: 0,
    engine: 'none',
    lastSealedAt: null,
    damaged: []
  }
}

/** `answers` by operation: a value, or a function that makes it or throws. */
export function fakeStore(answers: Readonly<Record<string, unknown>> = {}): FakeStore {
  const asked: Asked[] = []
  const views = fakeViews()
  const answerOf = async (op: string, scope: string, params: unknown) => {
    asked.push({ op, scope, params })
    const answer = answers[op]
    return typeof answer === 'function'
      ? answer(scope, params)
      : (answer ?? EMPTY[op] ?? COUNTS[op] ?? { op })
  }
  const queries: Queries = new Proxy({} as Queries, {
    get: (_target, op: string) =>
      op === 'within'
        ? () => queries
        : (scope: string, params: unknown, more?: unknown) =>
            answerOf(op, scope, more === undefined ? params : [params, more])
  })
  const telemetry = {
    clock: { now: () => NOW },
    registry: { project: () => REGISTRY },
    host: hostWith(views),
    counters: {
      rejected: 1,
      sampled: 0,
      capped: 0,
      deduped: 0,
      truncated: 0,
      defaulted: 0,
      rollupSkipped: 0
    },
    quarantine: (scope: string, limit: number) => answerOf('quarantine', scope, limit),
    alerts: alertsOf(answerOf),
    indexCount: () => answerOf('indexCount', '', undefined),
    storageUse: (scope: string) => answerOf('storageUse', scope, undefined),
    historyUse: () => answerOf('historyUse', '', undefined),
    erasures: (scope: string) => answerOf('erasures', scope, undefined),
    backfills: () => answerOf('backfills', '', undefined),
    forget: (scope: string, ref: string, order: unknown) =>
      answerOf('forget', scope, { ref, order }),
    listKeys: (scope: string) => answerOf('listKeys', scope, undefined),
    createKey: (options: unknown) => answerOf('createKey', '', options),
    revokeKey: (id: string, scope: string) => answerOf('revokeKey', scope, id)
  } as unknown as Telemetry
  return { telemetry, queries, asked, views }
}

export const ADMIN: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ann' }
export const PERSON: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:bob' }
export const PLATFORM: Viewer = { tenantId: '*', role: 'admin', viewerRef: 'user:root' }

/** A plain Fastify app with the dashboard; the header `x-viewer` carries who is looking, as JSON. */
export async function dashboardApp(
  store: FakeStore,
  options: Partial<DashboardOptions> = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  const viewerAdapter = {
    resolveViewer(request: FastifyRequest) {
      const header = request.headers['x-viewer']
      return typeof header === 'string' ? (JSON.parse(header) as Viewer) : null
    }
  }
  const dashboard = createDashboard({
    telemetry: store.telemetry,
    queries: store.queries,
    mountPath: '/telemetry',
    viewerAdapter,
    ...options
  })
  await app.register(dashboard, { prefix: '/telemetry' })
  await app.ready()
  return app
}

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Asks the API as a viewer; null is signed out. */
export async function ask(
  app: FastifyInstance,
  viewer: Viewer | null,
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT',
  path: string,
  body?: unknown
): Promise<Answer> {
  const isText = typeof body === 'string'
  const response = await app.inject({
    method,
    url: `/telemetry/api${path}`,
    headers: {
      ...(viewer !== null && { 'x-viewer': JSON.stringify(viewer) }),
      ...(body !== undefined && { 'content-type': 'application/json' })
    },
    ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) })
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: response.headers['content-type']?.toString().startsWith('application/json')
      ? response.json()
      : {}
  }
}
