// The public entry of @keelson/platform: the plugin that switches and configures plugins.
import { definePlugin, type Host, Type } from '@keelson/sdk'
import { kernelPlugins } from '@keelson/sdk/contracts/kernel-plugins'
import { platformOperations } from './platform-operations.ts'
import manifest from './plugin.json' with { type: 'json' }

const configSchema = Type.Object({
  adminTenants: Type.Array(Type.String(), {
    default: [],
    description:
      'Tenants whose administrators may switch and configure plugins, besides those of the platform.'
  })
})

export default definePlugin({
  manifest,
  config: configSchema,
  operations: platformOperations,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host: Host) {
    host.serve(platformOperations, { plugins: host.use(kernelPlugins) })
  }
})
