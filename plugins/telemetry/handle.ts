// The whole telemetry handle as a contract, for plugins that depend on this package.
import { type Capability, defineCapability } from '@keelson/sdk'
import { telemetryStore } from './contracts/telemetry-store.ts'
import type { Telemetry } from './telemetry.ts'

/**
 * `telemetry.store/v1` with everything that `createTelemetry` returns: keys, alerts, collections, the
 * compiled registry. Use `telemetryStore` of the SDK unless you need them: it goes with any provider.
 */
export const telemetryHandle: Capability<Telemetry> = defineCapability<Telemetry>(
  telemetryStore.id,
  telemetryStore.schema
)
