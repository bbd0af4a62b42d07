// Relay plugin: hands mail to the HTTP API of a vendor.
import { mailerProvider } from '@keelson/mailer/contracts'
import { definePlugin } from '@keelson/sdk'
import manifest from './plugin.json' with { type: 'json' }
import { handOver } from './relay/hand-over.ts'
import { readEvents, verifyWebhook } from './relay/webhooks.ts'
import { configSchema } from './schemas.ts'

export default definePlugin({
  manifest,
  config: configSchema,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host, config) {
    host.extend(mailerProvider, {
      // In settings and templates of the mailer, and in the address of its webhooks: /m/webhooks/relay-plugin.
      name: 'relay-plugin',
      sendRatePerSecond: 10,
      capabilities: { idempotencyKeys: true, idempotencyHours: 24 },
      send: handOver(host, config),
      verifyWebhook: verifyWebhook(config, host.clock),
      parseWebhookEvents: readEvents
    })
  }
})
