// Where records come in: the registry that they are checked by, and the recorder that writes them.
import type { Clock } from '@keelson/sdk'
import type { EventSpec, RegistrySpec } from './contracts/telemetry-registry.ts'
import type { OnCount } from './emit/counters.ts'
import { Recorder } from './emit/recorder.ts'
import { recordSettings, type SettingsOptions } from './emit/settings.ts'
import type { DuckDBSource } from './history/duckdb.ts'
import { createHistory, type History, type HistoryOptions } from './history/history.ts'
import type { TelemetryLogger } from './logger.ts'
import { defineRegistry, specOf } from './registry/registry.ts'
import type { Registry } from './registry/types.ts'
import { payloadIndexesOf } from './storage/payload-indexes.ts'
import type { TelemetryStorage } from './storage/storage.ts'

/** What an instance takes, and how. */
export interface RecordsOptions extends SettingsOptions {
  /** Event names to specs, or the result of defineRegistry. */
  readonly registry: RegistrySpec | Registry
  /** Milliseconds a write waits for company. Default 5. */
  readonly gatherMs?: number
  /** Records that may wait in memory. Default 10,000. */
  readonly maxQueued?: number
  /** Older records in columns. Default: on, where DuckDB is installed. */
  readonly history?: HistoryOptions
  /** Called with every count, for metrics of the host. */
  readonly onCount?: OnCount
}

interface RecordsHost {
  readonly storage: TelemetryStorage
  readonly clock: Clock
  readonly log: TelemetryLogger
  /** Default: the package that is installed. */
  readonly duckdb?: DuckDBSource | undefined
}

/** The way in of one instance. */
export interface Records {
  readonly storage: TelemetryStorage
  /** Has the registry as it is now. */
  readonly recorder: Recorder
  readonly history: History
  /** Told when something was erased, so that caches forget it. */
  readonly onErased: Set<() => void>
  /** @throws TEL_REGISTRY_INVALID, TEL_INDEX_BUDGET */
  extendRegistry(more: Readonly<Record<string, EventSpec>>): void
}

/**
 * Nothing is read or written until it is used.
 *
 * @throws TEL_REGISTRY_INVALID, TEL_INDEX_BUDGET, TEL_OPTION_INVALID.
 */
export function openRecords(options: RecordsOptions, host: RecordsHost): Records {
  const { storage, clock, log: logger, duckdb } = host
  let registry = checkedRegistry(options.registry)
  warnOfLosses(registry, logger)
  const now = () => clock.now()
  const history = createHistory(options.history ?? {}, { storage, now, logger, duckdb })
  const recorder = new Recorder({
    storage,
    registry: () => registry,
    settings: recordSettings(options),
    clock,
    logger,
    gatherMs: options.gatherMs ?? 5,
    maxQueued: options.maxQueued ?? 10_000,
    isSealing: () => history.isSealing,
    onCount: options.onCount
  })
  return {
    storage,
    recorder,
    history,
    onErased: new Set([() => recorder.ledger.forget()]),
    extendRegistry(more) {
      registry = checkedRegistry({ ...specOf(registry), ...more })
      warnOfLosses(registry, logger)
    }
  }
}

function checkedRegistry(given: RegistrySpec | Registry): Registry {
  const registry = isRegistry(given) ? given : defineRegistry(given)
  payloadIndexesOf(registry)
  return registry
}

const isRegistry = (given: RegistrySpec | Registry): given is Registry =>
  typeof given === 'object' && given !== null && given['events'] instanceof Map

// Data is kept as long as its row: an event that declares it should set how long.
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
