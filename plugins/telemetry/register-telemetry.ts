// The store on a host, of the kernel or without it: what it offers, its jobs and its queue.
import type { Health, Host, MigrationHost } from '@keelson/sdk'
import type { AlertMailer } from './alerts/alert-mail.ts'
import { createAlerts } from './alerts/create-alerts.ts'
import { backfill, listBackfills } from './backfill/backfill.ts'
import { checkShapes } from './backfill/family-shapes.ts'
import type { EventSpec } from './contracts/telemetry-registry.ts'
import { telemetryRegistry } from './contracts/telemetry-registry.ts'
import { checkpointOf } from './emit/checkpoint.ts'
import { emitRecord } from './emit/emit.ts'
import { readQuarantine } from './emit/quarantine.ts'
import type { EmitRecord } from './envelope/types.ts'
import { listErasures } from './erasure/erasure-log.ts'
import { forgetSubject, type PepperOptions, pepperOf } from './erasure/forget.ts'
import { completeErasures } from './erasure/requests.ts'
import { errors } from './errors.ts'
import { telemetryHandle } from './handle.ts'
import type { DuckDBSource } from './history/duckdb.ts'
import type { History } from './history/history.ts'
import { type Internals, rememberInternals } from './internals.ts'
import { createKeyStore } from './keys/key-store.ts'
import { DEFAULT_LIMITS, type Reader } from './queries/reader.ts'
import { scopedReads } from './queries/scoped.ts'
import { readStorageUse } from './queries/storage-usage.ts'
import { openRecords, type Records, type RecordsOptions } from './records.ts'
import { regroup } from './regroup/regroup.ts'
import { payloadIndexesOf, readIndexes } from './storage/payload-indexes.ts'
import { rememberRegistry } from './storage/remember-registry.ts'
import {
  countIndexes,
  storageOfHost,
  type TelemetryStorage,
  type ViewsCollection
} from './storage/storage.ts'
import type { Telemetry, TelemetryCollections } from './telemetry.ts'

/** What an instance is made from. */
export interface TelemetrySetup extends RecordsOptions, PepperOptions {
  readonly alerts: {
    /** Hosts, `host` or `host:port`, that webhooks may go to. */
    readonly webhookHosts: readonly string[]
    /** The address of the page of rules. Default: where the dashboard has it, below the public address. */
    readonly pageUrl?: string
    /** The mailer, when there is one. */
    readonly mailer: () => AlertMailer | undefined
  }
  /** Default: the collections of the host. */
  readonly storage?: TelemetryStorage
  /** Default: the package that is installed. */
  readonly duckdb?: DuckDBSource
  /** Names that the host adds when all plugins have contributed theirs. */
  readonly ownEvents?: (isKnown: (name: string) => boolean) => Readonly<Record<string, EventSpec>>
}

/** What differs without the kernel. */
export type Lifecycle = Pick<Telemetry, 'host' | 'syncIndexes' | 'start' | 'close'>

/**
 * Registers everything but routes. Nothing is read or written until the host is ready.
 *
 * @throws TEL_REGISTRY_INVALID, TEL_INDEX_BUDGET, TEL_OPTION_INVALID.
 */
export function registerTelemetry(
  host: Host,
  setup: TelemetrySetup,
  lifecycle: Partial<Lifecycle> = {}
): Telemetry {
  const { clock, log } = host
  const storage = setup.storage ?? storageOfHost(host)
  const internals: Internals = {
    ...openRecords(setup, { storage, clock, log, duckdb: setup.duckdb }),
    onKeyRevoked: new Set(),
    limit: (name, options) => host.limit(name, options),
    completeRegistry: () => completeRegistry(host, internals, setup)
  }
  const telemetry: Telemetry = assembleTelemetry(host, setup, internals, lifecycle)
  rememberInternals(telemetry, internals)
  host.provide(telemetryHandle, telemetry)
  host.job('alerts', async ({ signal }) => {
    await completeErasures(telemetry, storage.collections)
    await telemetry.alerts.evaluate(signal)
  })
  host.health('history', () => healthOf(internals.history))
  host.job('seal', async ({ signal }) => {
    await host.lease('seal', { seconds: 60, signal }, (lease) =>
      internals.history.sealWhenOn(lease.signal)
    )
  })
  host.onClose(async () => {
    await internals.recorder.close()
    await internals.history.close()
  })
  return telemetry
}

function healthOf(history: Pick<History, 'damage' | 'cacheProblem'>): Health {
  const [range, ...others] = history.damage()
  if (range === undefined) {
    const reason = history.cacheProblem()
    return reason === undefined ? { state: 'ok' } : { state: 'degraded', reason }
  }
  const more = others.length === 0 ? '' : ` and at ${others.length} other times`
  return {
    state: 'failing',
    reason: `Sealed records are missing or damaged, from ${range.from.toISOString()} to ${range.to.toISOString()}${more}: restore them from a backup.`
  }
}

function assembleTelemetry(
  host: Host,
  setup: TelemetrySetup,
  internals: Internals,
  lifecycle: Partial<Lifecycle>
): Telemetry {
  const { clock } = host
  const { storage, recorder, history } = internals
  const { collections } = storage
  const tellRevoked = (id: string) => {
    for (const listener of internals.onKeyRevoked) listener(id)
  }
  return {
    emit: (name: string, record: EmitRecord) => emitRecord(recorder, name, record),
    flush: () => recorder.drain(),
    get registry() {
      return recorder.registry
    },
    get counters() {
      return recorder.counters.snapshot()
    },
    clock,
    collections: collections as unknown as TelemetryCollections,
    ...createKeyStore(collections.keys, clock, tellRevoked),
    quarantine: (scope, limit = 50) => readQuarantine(storage, scope, limit),
    indexCount: () => countIndexes(collections.rows),
    storageUse: (scope) =>
      readStorageUse(collections, scope, { clock, retention: setup.retention }),
    alerts: alertsOf(host, setup, internals),
    seal: (given) => history.seal(given),
    historyUse: () => history.use(),
    backfills: () => listBackfills(collections),
    forget: (tenantId, ref, order) =>
      forgetSubject(internals, tenantId, ref, { order, ...pepperOf(setup) }),
    erasures: (scope, limit = 20) => listErasures(collections, scope, limit),
    backfill: (given) =>
      backfill({ storage, history, registry: recorder.registry, now: () => clock.now() }, given),
    regroup: (given) =>
      regroup({ storage, history, registry: recorder.registry, now: () => clock.now() }, given),
    scoped: (tenantId) => scopedReads(collections, history.rows, tenantId),
    checkpoint: (key) => checkpointOf(collections.checkpoints, key),
    syncIndexes: async () => undefined,
    start: async () => undefined,
    useViews(views) {
      collections.views = views as unknown as ViewsCollection
    },
    extendRegistry: (more) => internals.extendRegistry(more),
    async close() {
      await recorder.close()
      await history.close()
    },
    ...lifecycle
  }
}

const alertsOf = (
  host: Host,
  { alerts }: TelemetrySetup,
  { storage, recorder, history }: Internals
) =>
  createAlerts({
    ...alerts,
    pageUrl: alerts.pageUrl ?? pageOfDashboard(host),
    storage,
    reader: readerOf({ storage, recorder, history }, host),
    logger: host.log,
    lease: host.lease,
    notify: host.notify,
    openQueue: (handler) => host.queue('alert-deliveries', handler),
    now: () => host.clock.now()
  })

const pageOfDashboard = ({ publicUrl, prefix }: Pick<Host, 'publicUrl' | 'prefix'>) =>
  publicUrl && `${publicUrl}${prefix}/telemetry/alerts`

const readerOf = (
  { storage, recorder, history }: Pick<Records, 'storage' | 'recorder' | 'history'>,
  { clock }: Pick<MigrationHost, 'clock'>
): Reader => ({
  rows: history.rows,
  rollups: storage.collections.rollups,
  aliases: storage.collections.aliases,
  anonymousTypes: recorder.anonymousTypes,
  registry: () => recorder.registry,
  limits: DEFAULT_LIMITS,
  now: () => clock.now()
})

/** Adds what other plugins contribute, and makes the indexes it asks for. */
async function completeRegistry(
  host: Host,
  { storage, recorder, history, extendRegistry }: Records,
  { ownEvents = () => ({}) }: TelemetrySetup
): Promise<void> {
  const more: Record<string, EventSpec> = {}
  for (const contribution of host.contributions(telemetryRegistry)) {
    for (const [name, spec] of Object.entries(contribution)) {
      if (Object.hasOwn(more, name) || recorder.registry.event(name) !== undefined) {
        throw errors.TEL_REGISTRY_INVALID({ path: name, problem: 'it is declared twice' })
      }
      more[name] = spec
    }
  }
  const isKnown = (name: string) =>
    Object.hasOwn(more, name) || recorder.registry.event(name) !== undefined
  const added = { ...more, ...ownEvents(isKnown) }
  if (Object.keys(added).length > 0) extendRegistry(added)
  await history.chooseIndexes((areFew) =>
    host.payloadIndexes('telemetry', [
      ...payloadIndexesOf(recorder.registry),
      ...(areFew ? [] : readIndexes)
    ])
  )
  await rememberRegistry(storage.collections, recorder.registry, host.clock.now())
  await history.look()
  await checkShapes(storage.collections, recorder.registry, host.clock.now())
}
