// Digest plugin: counts the errors of a day by service, from telemetry.
import { definePlugin } from '@keelson/sdk'
import { telemetryStore } from '@keelson/telemetry/contracts'
import { digestOperations } from './operations/digest-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configSchema } from './schemas.ts'

export default definePlugin({
  manifest,
  config: configSchema,
  operations: digestOperations,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host, { hours }) {
    const telemetry = host.use(telemetryStore, { optional: true })
    const reader = telemetry && { telemetry, clock: host.clock, hours }
    host.serve(digestOperations, { reader })
  }
})
