// createOAuthHost: the plugin on a database, without the kernel.
import { plainLog, standaloneHost } from '@keelson/kernel/standalone'
import { definePlugin } from '@keelson/sdk'
import type { Db } from 'mongodb'
import { checkConfig } from './config/check.ts'
import type { OAuthHostConfig } from './config/schema.ts'
import { resolveSettings } from './config/settings.ts'
import { assembleOAuth, type OAuthHost, type OAuthParts } from './oauth-host.ts'
import { administration, ownAccess } from './operations/oauth-operations.ts'
import { DEFAULT_PREFIX, databaseOf, storageManifest } from './storage/collections.ts'

/**
 * Makes an OAuth 2.1 and OpenID Connect authorization server. Does not use the database yet.
 *
 * @throws OAU_CONFIG_INVALID, OAU_SIGNING_KEY_INVALID
 * @example
 * const oauth = createOAuthHost({ issuer, resources, scopes, consentUrl, connection: db, resolveUser, loadUser })
 * await oauth.syncIndexes()
 * app.register(oauth.routes.discovery)
 * app.register(oauth.routes.oauth, { prefix: '/oauth' })
 * app.get('/api/me', { preHandler: oauth.protect(['read']) }, async (request) => accessOf(request))
 */
export function createOAuthHost(config: OAuthHostConfig): OAuthHost {
  return createOAuthParts(config).host
}

/** The same with its inside, for tests. */
export function createOAuthParts(config: OAuthHostConfig): OAuthParts {
  checkConfig(config)
  const { backChannelLogout, events } = config
  const { collectionPrefix, auditRetentionDays, logger, now } = resolveSettings(config)
  const standalone = standaloneHost({
    db: databaseOf(config.connection) as Db,
    log: plainLog(logger),
    clock: { now },
    namespace: collectionPrefix === DEFAULT_PREFIX ? '' : collectionPrefix
  })
  const plugin = definePlugin({
    manifest: storageManifest(auditRetentionDays),
    operations: [...administration, ...ownAccess],
    register: () => undefined
  })
  const host = standalone.add(plugin, { collectionPrefix })
  const sends = backChannelLogout?.enabled === true || (events?.webhooks ?? []).length > 0
  return assembleOAuth(config, {
    limit: host.limit,
    openQueue: (handler) => host.queue('deliveries', handler),
    notify: host.notify,
    async open() {
      await standalone.open()
      if (sends) await standalone.start()
    },
    shut: () => standalone.close()
  })
}
