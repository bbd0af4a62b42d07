// Rates plugin: keeps the exchange rates of an outside API, day by day.
import { definePlugin } from '@keelson/sdk'
import { rateOperations } from './operations/rate-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { Rates } from './rates.ts'
import { configSchema } from './schemas.ts'

export default definePlugin({
  manifest,
  config: configSchema,
  operations: rateOperations,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host, config) {
    host.serve(rateOperations, { rates: new Rates(host, config) })
  }
})
