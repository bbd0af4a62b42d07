// createTelemetry: the plugin on a database, without the kernel.
import {
  plainLog,
  type StandaloneHost,
  type StandaloneOptions,
  standaloneHost
} from '@keelson/kernel/standalone'
import { type Clock, definePlugin } from '@keelson/sdk'
import type { Db, MongoClient } from 'mongodb'
import type { AlertMailer } from './alerts/alert-mail.ts'
import type { PepperOptions } from './erasure/forget.ts'
import { errors } from './errors.ts'
import type { DuckDBSource } from './history/duckdb.ts'
import { internalsOf } from './internals.ts'
import type { TelemetryLogger } from './logger.ts'
import manifest from './plugin.json' with { type: 'json' }
import { pluginConfig } from './plugin-config.ts'
import type { RecordsOptions } from './records.ts'
import { registerTelemetry } from './register-telemetry.ts'
import { moveStoredIdsOnce } from './storage/move-stored-ids.ts'
import { storageOfHost, type TelemetryStorage } from './storage/storage.ts'
import type { Telemetry } from './telemetry.ts'

export interface TelemetryOptions extends RecordsOptions, PepperOptions {
  /** The driver's Db, or a MongoClient whose default database is used. A replica set or sharded cluster. */
  readonly connection: Db | MongoClient
  /** Base name of the collections. Default `telemetry`. */
  readonly collection?: string
  readonly logger?: TelemetryLogger
  /** Default: the system clock. */
  readonly clock?: Clock
  readonly alerts?: AlertOptions
}

export interface AlertOptions {
  /**
   * Hosts, `host` or `host:port`, that webhooks of alerts may go to. Default none. Names must resolve to public
   * addresses; an address of your own network is listed with its port.
   */
  readonly webhookHosts?: readonly string[]
  /** The address of the page of alerts, which messages link to. Default: messages have no link. */
  readonly pageUrl?: string
  /** The mailer, when there is one. */
  readonly mailer?: () => AlertMailer | undefined
}

/** Parts that a test replaces. */
export interface TelemetryParts extends Pick<StandaloneOptions, 'outboundMock'> {
  /** Changes how the store reaches its collections. */
  readonly change?: (storage: TelemetryStorage) => TelemetryStorage
  /** Where DuckDB is loaded from. */
  readonly duckdb?: DuckDBSource
}

/** An instance that tests drive. */
export interface OpenedTelemetry {
  readonly telemetry: Telemetry
  /** Where it runs: its job and its queue. */
  readonly host: StandaloneHost
}

const NAME = /^[a-z][a-z0-9_]{0,90}$/
const DEFAULT_NAME = 'telemetry'

/**
 * Makes a telemetry instance. Nothing is read or written until it is used. Call `syncIndexes()` once at start,
 * and `start()` in the processes that evaluate alerts and send their messages.
 *
 * @throws TEL_REGISTRY_INVALID, TEL_INDEX_BUDGET, TEL_OPTION_INVALID.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  return openTelemetry(options).telemetry
}

/** The same with the host that it runs on. */
export function openTelemetry(
  options: TelemetryOptions,
  { outboundMock, change = (storage) => storage, duckdb }: TelemetryParts = {}
): OpenedTelemetry {
  const { collection: base = DEFAULT_NAME, clock, alerts = {} } = options
  const { webhookHosts = [], mailer = () => undefined, pageUrl } = alerts
  const page = { ...(pageUrl !== undefined && { pageUrl }) }
  const db = databaseOf(options, base)
  const standalone = standaloneHost({
    db,
    log: plainLog(options.logger),
    namespace: base === DEFAULT_NAME ? '' : `${base}.`,
    ...(clock !== undefined && { clock }),
    ...(outboundMock !== undefined && { outboundMock })
  })
  const host = standalone.add(plainPlugin, {
    collectionPrefix: base,
    config: { alerts: { webhookHosts, ...page } },
    configPath: 'options'
  })
  const own = storageOfHost(host)
  const setup = {
    ...options,
    storage: change(own),
    alerts: { webhookHosts, mailer, ...page },
    ...(duckdb !== undefined && { duckdb })
  }
  const telemetry = registerTelemetry(host, setup, {
    host: {
      add: (plugin, given) => standalone.add(plugin, { collectionPrefix: base, ...given }),
      open: () => standalone.open()
    },
    async syncIndexes() {
      await standalone.open()
      await moveStoredIdsOnce(own, host.clock)
      await internalsOf(telemetry).completeRegistry()
    },
    start: () => standalone.start(),
    async close() {
      // Before the host, which gives its plugins two seconds.
      await internalsOf(telemetry).recorder.close()
      await standalone.close()
      await internalsOf(telemetry).history.close()
    }
  })
  telemetry.useViews(db.collection(`${base}_views`))
  return { telemetry, host: standalone }
}

/** Registered by its factory. It keeps no record of migrations: several instances may share a database. */
const plainPlugin = definePlugin({
  manifest: { ...manifest, migrations: [] },
  config: pluginConfig,
  register: () => undefined
})

/** Not by instanceof: the host may have another copy of the driver. */
function databaseOf({ connection }: TelemetryOptions, base: string): Db {
  if (!NAME.test(base)) {
    throw errors.TEL_OPTION_INVALID({
      path: 'collection',
      problem: 'a name has lower-case letters, digits and _'
    })
  }
  if (connection === undefined || connection === null) {
    throw errors.TEL_OPTION_INVALID({ path: 'connection', problem: 'it is missing' })
  }
  return 'collection' in connection ? connection : connection.db()
}
