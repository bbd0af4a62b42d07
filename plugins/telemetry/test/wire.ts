// An ingest router on a new database, and batches to send to it.

import { randomUUID } from 'node:crypto'
import type { Clock } from '@keelson/sdk'
import { type TestDatabase, testDatabase } from '@keelson/sdk/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import { createIngest, type IngestOptions } from '../create-ingest.ts'
import { createTelemetry, type TelemetryOptions } from '../create-telemetry.ts'
import type { CreateKeyOptions } from '../schemas/system.ts'
import type { Telemetry } from '../telemetry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

type T = Parameters<typeof testDatabase>[0]
export const SHOP = 'https://shop.example'

export interface Wire extends TestDatabase {
  readonly app: FastifyInstance
  readonly telemetry: Telemetry
  mint(options?: Partial<CreateKeyOptions>): Promise<string>
  post(
    key: string | undefined,
    body: unknown,
    headers?: Record<string, string>,
    query?: string
  ): Promise<{ status: number; json: Record<string, unknown>; headers: Record<string, unknown> }>
  rows(filter?: object): Promise<Record<string, unknown>[]>
}

/** A clock that does not move: no minute of a key's rate ends while a test runs. */
export function stillClock(): Clock {
  const at = new Date()
  return { now: () => at }
}

export async function openWire(
  t: T,
  options: Partial<IngestOptions> = {},
  more: Partial<TelemetryOptions> = {}
): Promise<Wire> {
  const database = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: SAMPLE_SPEC,
    connection: database.db,
    gatherMs: 0,
    clock: stillClock(),
    ...more
  })
  await telemetry.syncIndexes()
  const app = Fastify()
  await app.register(createIngest({ telemetry, ...options }), { prefix: '/ingest' })
  t.teardown(() => app.close())
  return {
    ...database,
    app,
    telemetry,
    async mint(given = {}) {
      const base = { kind: 'secret', tenantMode: 'fixed', service: 'web', env: 'staging' } as const
      const tenant = given.tenantMode === undefined ? { tenantId: 'acme' } : {}
      return (await telemetry.createKey({ ...base, ...tenant, ...given })).key
    },
    async post(key, body, headers = {}, query = '') {
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
      const reply = await app.inject({
        method: 'POST',
        url: `/ingest${query}`,
        headers: {
          'content-type': 'application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...headers
        },
        payload: isRaw ? body : JSON.stringify(body)
      })
      return { status: reply.statusCode, json: reply.json(), headers: reply.headers }
    },
    rows: async (filter = {}) =>
      (await telemetry.scoped('acme').find(filter)) as Record<string, unknown>[]
  }
}

export const viewed = (more: object = {}) => ({
  _id: randomUUID(),
  name: 'page.viewed',
  subjects: [{ type: 'user', id: 'u1' }],
  attrs: { path: '/', source: 'ads' },
  ...more
})
export const batch = (...records: unknown[]) => ({ release: 'web@1', records })
