// The public entry of @keelson/embeds: the plugin that gives tokens of embeds.
import { definePlugin, type Host, type PermissionRule } from '@keelson/sdk'
import { embedsGrants, embedsPages } from '@keelson/sdk/contracts/embed-grants'
import { configSchema, type EmbedsConfig } from './config.ts'
import { embedOperations } from './embed-operations.ts'
import { createGrants } from './grants.ts'
import manifest from './plugin.json' with { type: 'json' }
import { createPageList } from './shared-pages.ts'

/** Who may share: everyone of the admin band, or those whom the config names. */
function sharingRule({ sharers }: EmbedsConfig): PermissionRule {
  if (sharers === undefined) return () => true
  const named = new Set(sharers)
  return ({ viewerRef = '', email = '' }) => named.has(viewerRef) || named.has(email)
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: embedOperations,
  // This module is in dist.
  folder: new URL('..', import.meta.url),
  register(host: Host, config) {
    const pages = createPageList({
      contributions: () => host.contributions(embedsPages),
      contributors: () => host.contributors(embedsPages)
    })
    const grants = createGrants(host, pages)
    host.permissions(sharingRule(config))
    host.provide(embedsGrants, grants)
    host.serve(embedOperations, { grants, pages, prefix: host.prefix, publicUrl: host.publicUrl })
  }
})
