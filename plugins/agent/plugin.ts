// The kernel plugin: the same router as createAgentRouter, at the mount.
import { mailerHandle } from '@keelson/mailer'
import { definePlugin, type Host } from '@keelson/sdk'
import { mailerBreaker } from '@keelson/sdk/contracts/mailer-breaker'
import { testContactsPattern } from './boundary/test-contacts.ts'
import { type PluginConfig, pluginConfig } from './config.ts'
import manifest from './plugin.json' with { type: 'json' }
import { createAgentRouter } from './router.ts'

function register(host: Host, { tokens, testContacts }: PluginConfig): void {
  const router = createAgentRouter(host.use(mailerHandle), {
    tokens: tokens.map(({ expiresAt, ...token }) => ({
      ...token,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) })
    })),
    testContacts: testContactsPattern(testContacts),
    health: async () => (await host.use(mailerBreaker, { optional: true })?.health()) ?? null
  })
  // Routes that other plugins put into the admin API are there when all have registered.
  host.onRegistered(async (app) => {
    await app.register(router, { prefix: `${host.prefix}${host.mount}` })
  })
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
