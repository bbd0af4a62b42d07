// createTelemetry: one telemetry instance on a database.
import {
  type Clock,
  createNotify,
  environmentOf,
  type Notify,
  type NotifyFetch,
  openLeases,
  type TakeLease
} from '@keelson/sdk'
import { createPublicFetch, namedAddresses } from '@keelson/sdk/network'
import type { Db, MongoClient } from 'mongodb'
import type { AlertMailer } from './alerts/alert-mail.ts'
import { createAlerts } from './alerts/create-alerts.ts'
import type { DeliveriesContext } from './alerts/deliveries.ts'
import { backfill, listBackfills } from './backfill/backfill.ts'
import { checkShapes } from './backfill/family-shapes.ts'
import type { EventSpec, Kind, RegistrySpec } from './contracts/telemetry-registry.ts'
import { checkpointOf } from './emit/checkpoint.ts'
import type { OnCount } from './emit/counters.ts'
import { emitRecord } from './emit/emit.ts'
import { readQuarantine } from './emit/quarantine.ts'
import { Recorder } from './emit/recorder.ts'
import { scopedReads } from './emit/scoped.ts'
import { type RetentionOptions, recordSettings, type SettingsOptions } from './emit/settings.ts'
import type { EmitRecord } from './envelope/types.ts'
import { listErasures } from './erasure/erasure-log.ts'
import { forgetSubject } from './erasure/forget.ts'
import { errors } from './errors.ts'
import { type Internals, rememberInternals } from './internals.ts'
import { createKeyStore } from './keys/key-store.ts'
import type { TelemetryLogger } from './logger.ts'
import manifest from './plugin.json' with { type: 'json' }
import { DEFAULT_LIMITS, type Reader } from './queries/reader.ts'
import { countKinds, measureStorage } from './queries/storage-usage.ts'
import { DEFAULT_RETENTION_DAYS } from './registry/check.ts'
import { defineRegistry, specOf } from './registry/registry.ts'
import type { Registry } from './registry/types.ts'
import { bucketStart, DAY_MS } from './rollups/bucket.ts'
import type { StorageUse } from './schemas/system.ts'
import { moveStoredIdsOnce } from './storage/move-stored-ids.ts'
import { payloadIndexesOf } from './storage/payload-indexes.ts'
import { rememberRegistry } from './storage/remember-registry.ts'
import {
  countIndexes,
  storageOf,
  type TelemetryStorage,
  type ViewsCollection
} from './storage/storage.ts'
import type { Telemetry, TelemetryCollections } from './telemetry.ts'

export interface TelemetryOptions extends SettingsOptions {
  /** Event names to specs, or the result of defineRegistry. */
  readonly registry: RegistrySpec | Registry
  /** The driver's Db, or a MongoClient whose default database is used. A replica set or sharded cluster. */
  readonly connection?: Db | MongoClient
  /** Instead of a connection: collections and transactions from elsewhere. */
  readonly storage?: TelemetryStorage
  /** Base name of the collections. Default `telemetry`. */
  readonly collection?: string
  /** Mixed into the pseudonyms of erased subjects. Default: the variable TELEMETRY_PEPPER. */
  readonly pepper?: string
  /** Subject refs name the same party in every tenant: erasure then reaches platform-scoped views. Default false. */
  readonly globalSubjectRefs?: boolean
  readonly logger?: TelemetryLogger
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Milliseconds a write waits for company. Default 5. */
  readonly gatherMs?: number
  /** Records that may wait in memory. Default 10,000. */
  readonly maxQueued?: number
  /** Called with every count, for metrics of the host. */
  readonly onCount?: OnCount
  readonly alerts?: AlertOptions
}

export interface AlertOptions {
  /** Hosts, `host` or `host:port`, that webhooks of alerts may go to. Default none. */
  readonly webhookHosts?: readonly string[]
  /** Default: one for public addresses, and for addresses that `webhookHosts` lists with their port. */
  readonly fetch?: NotifyFetch
  /** Opens the queue that sends messages; given by the kernel plugin. Default: each tick sends. */
  readonly openQueue?: DeliveriesContext['openQueue']
  /** The mailer, when there is one. */
  readonly mailer?: () => AlertMailer | undefined
  /** `host.lease`, where `storage` is given. Default: leases in the database of `connection`. */
  readonly lease?: TakeLease
  /** `host.notify`, where `storage` is given. Default: a sender without quotas, by `fetch`. */
  readonly notify?: Notify
}

const SILENT: TelemetryLogger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined
}
const SYSTEM_CLOCK: Clock = { now: () => new Date() }
const NAME = /^[a-z][a-z0-9_]{0,90}$/

/**
 * Makes a telemetry instance. Nothing is read or written until it is used; on a plain host call
 * `syncIndexes()` once at start.
 *
 * @throws TEL_REGISTRY_INVALID, TEL_INDEX_BUDGET, TEL_OPTION_INVALID.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const clock = options.clock ?? SYSTEM_CLOCK
  const logger = options.logger ?? SILENT
  let registry = checkedRegistry(options.registry)
  warnOfLosses(registry, logger)
  const storage = openStorage(options)
  const { collections } = storage
  const recorder = new Recorder({
    storage,
    registry: () => registry,
    settings: recordSettings(options),
    clock,
    logger,
    gatherMs: options.gatherMs ?? 5,
    maxQueued: options.maxQueued ?? 10_000,
    onCount: options.onCount
  })
  const internals: Internals = {
    storage,
    recorder,
    onKeyRevoked: new Set(),
    onErased: new Set([() => recorder.ledger.forget()])
  }
  const reader = readerOf(storage, recorder, clock)
  const alerts = createAlerts({
    storage,
    reader,
    clock,
    logger,
    ...alertParts(options, storage, clock)
  })
  const tellRevoked = (id: string) => {
    for (const listener of internals.onKeyRevoked) listener(id)
  }
  const telemetry: Telemetry = {
    emit: (name: string, record: EmitRecord) => emitRecord(recorder, name, record),
    flush: () => recorder.drain(),
    get registry() {
      return registry
    },
    get counters() {
      return recorder.counters.snapshot()
    },
    clock,
    collections: collections as unknown as TelemetryCollections,
    ...createKeyStore(collections.keys, clock, tellRevoked),
    quarantine: (scope, limit = 50) => readQuarantine(storage, scope, limit),
    indexCount: () => countIndexes(collections.rows),
    storageUse: (scope) => storageUse(storage, scope, { clock, retention: options.retention }),
    alerts,
    backfills: () => listBackfills(collections),
    ...erasing(internals, options),
    backfill: (given) => backfill({ storage, registry, now: () => clock.now() }, given),
    scoped: (tenantId) => scopedReads(collections, tenantId),
    checkpoint: (key) => checkpointOf(collections.checkpoints, key),
    syncIndexes: () => syncStorage(storage, registry, clock),
    syncCollections: async (manifest) => storage.sync?.(manifest),
    useViews(views) {
      storage.collections.views = views as unknown as ViewsCollection
    },
    extendRegistry(more: Readonly<Record<string, EventSpec>>) {
      registry = checkedRegistry({ ...specOf(registry), ...more })
      warnOfLosses(registry, logger)
    },
    close: () => recorder.close()
  }
  rememberInternals(telemetry, internals)
  return telemetry
}

/** Erasures and their log. */
function erasing(
  internals: Internals,
  { pepper, globalSubjectRefs }: TelemetryOptions
): Pick<Telemetry, 'forget' | 'erasures'> {
  return {
    forget: (tenantId, ref, order) =>
      forgetSubject(internals, tenantId, ref, {
        order,
        pepper: pepper ?? environmentOf(process.env)['TELEMETRY_PEPPER'],
        isGlobal: globalSubjectRefs === true
      }),
    erasures: (scope, limit = 20) => listErasures(internals.storage.collections, scope, limit)
  }
}

/** Rules are written by users, so what a host's name resolves to is checked. */
const webhookFetch = (hosts: readonly string[]): NotifyFetch =>
  createPublicFetch({
    allow: namedAddresses(hosts),
    caller: { caller: 'A webhook of an alert' }
  }) as NotifyFetch

const USE_DAYS = 30

async function storageUse(
  { collections }: TelemetryStorage,
  scope: string,
  { clock, retention = {} }: { clock: Clock; retention: RetentionOptions | undefined }
): Promise<StorageUse> {
  const from = new Date(bucketStart(clock.now().getTime() - USE_DAYS * DAY_MS, 'day'))
  const daysOf = (kind: Kind) => {
    const days = retention[kind]
    return days === undefined ? (DEFAULT_RETENTION_DAYS[kind] ?? null) : days
  }
  return {
    collections: await measureStorage(collections),
    kinds: await countKinds(collections, scope, from, daysOf)
  }
}

async function syncStorage(
  storage: TelemetryStorage,
  registry: Registry,
  clock: Clock
): Promise<void> {
  await storage.sync?.(manifest, payloadIndexesOf(registry))
  await moveStoredIdsOnce(storage, clock)
  await rememberRegistry(storage.collections, registry, clock.now())
  await checkShapes(storage.collections, registry, clock.now())
}

const readerOf = (
  { collections: { rows, rollups, aliases } }: TelemetryStorage,
  recorder: Recorder,
  clock: Clock
): Reader => ({
  rows,
  rollups,
  aliases,
  anonymousTypes: recorder.anonymousTypes,
  registry: () => recorder.registry,
  limits: DEFAULT_LIMITS,
  now: () => clock.now()
})

/** Storage from elsewhere, without the parts of a host: no rule is evaluated, and nothing is sent. */
const NO_LEASE: TakeLease = async () => ({ held: false })
const NO_NOTIFY: Notify = async () => ({ state: 'again', problem: 'the host sends nothing' })

function alertParts(
  { alerts = {}, collection: owner = 'telemetry' }: TelemetryOptions,
  { db }: TelemetryStorage,
  clock: Clock
) {
  const { webhookHosts = [], fetch = webhookFetch(webhookHosts), mailer, openQueue } = alerts
  const lease = alerts.lease ?? (db === undefined ? NO_LEASE : openLeases({ db, clock, owner }))
  const own = () =>
    db === undefined ? NO_NOTIFY : createNotify({ db, clock, owner, fetch, lease })
  return {
    webhookHosts,
    lease,
    notify: alerts.notify ?? own(),
    mailer: mailer ?? (() => undefined),
    openQueue,
    now: () => clock.now()
  }
}

function checkedRegistry(given: RegistrySpec | Registry): Registry {
  const registry = isRegistry(given) ? given : defineRegistry(given)
  payloadIndexesOf(registry)
  return registry
}

const isRegistry = (given: RegistrySpec | Registry): given is Registry =>
  typeof given === 'object' && given !== null && given['events'] instanceof Map

function openStorage(options: TelemetryOptions): TelemetryStorage {
  if (options.storage !== undefined) return options.storage
  const base = options.collection ?? 'telemetry'
  if (!NAME.test(base)) {
    throw errors.TEL_OPTION_INVALID({
      path: 'collection',
      problem: 'a name has lower-case letters, digits and _'
    })
  }
  if (options.connection === undefined || options.connection === null) {
    throw errors.TEL_OPTION_INVALID({ path: 'connection', problem: 'it is missing' })
  }
  return storageOf(options.connection, base)
}

// Data is kept as long as its row: whoever declares it should have decided how long that is.
function warnOfLosses(registry: Registry, logger: TelemetryLogger): void {
  for (const { name, spec, retentionDays } of registry.events.values()) {
    const isUndecided = spec.retentionDays === undefined && retentionDays !== undefined
    if (spec.data === undefined || spec.data === false || !isUndecided) continue
    logger.warn(
      { event: name, retentionDays },
      `${name} declares data, which goes with its rows after ${retentionDays} days. Set retentionDays.`
    )
  }
}
