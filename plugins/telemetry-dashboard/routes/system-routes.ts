// The routes of the System page: counters, quarantine, index budget, ingest keys.
import { INDEX_BUDGET } from '@keelson/telemetry'
import { mayMint, readKeyRequest } from './read-key-request.ts'
import { type ApiRequest, type ApiRoute, FORBIDDEN, ok } from './route.ts'

/** Rows of quarantine in one answer. */
const QUARANTINE_ROWS = 50

/** What is read, or the substitute when it cannot be: the page is for when something is wrong. */
async function orElse<T>(read: Promise<T>, substitute: T, log: ApiRequest['log']): Promise<T> {
  try {
    return await read
  } catch (error) {
    log.warn({ err: error }, 'a part of the system page could not be read')
    return substitute
  }
}

export const systemRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/api/system',
    summary: 'Counters, quarantine, index budget and ingest keys',
    async answer({ viewer, log }, { telemetry }) {
      const isAdmin = viewer.role === 'admin'
      const [quarantine, indexCount, keys] = await Promise.all([
        orElse(telemetry.quarantine(viewer.tenantId, QUARANTINE_ROWS), [], log),
        orElse(telemetry.indexCount(), 0, log),
        isAdmin ? telemetry.listKeys(viewer.tenantId) : []
      ])
      return ok({
        counters: telemetry.counters,
        quarantine,
        indexCount,
        indexBudget: INDEX_BUDGET,
        keys,
        role: viewer.role
      })
    }
  },
  {
    method: 'POST',
    path: '/api/system/keys',
    summary: 'Mint an ingest key; it is shown this once',
    async answer({ viewer, body }, { telemetry }) {
      if (viewer.role !== 'admin') return FORBIDDEN
      const options = readKeyRequest(body)
      if (!options.ok) return { status: 400, body: { error: options.error } }
      if (!mayMint(viewer, options.value)) return FORBIDDEN
      return { status: 201, body: await telemetry.createKey(options.value) }
    }
  },
  {
    method: 'POST',
    path: '/api/system/keys/:id/revoke',
    summary: 'Revoke an ingest key',
    async answer({ viewer, subject }, { telemetry }) {
      if (viewer.role !== 'admin') return FORBIDDEN
      return ok(await telemetry.revokeKey(subject, viewer.tenantId))
    }
  }
]
