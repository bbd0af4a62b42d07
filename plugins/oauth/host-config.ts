// The config of the kernel plugin as the configuration of the OAuth host. Pure.
import type { Static } from '@keelson/sdk'
import type { OAuthHostConfig } from './config/types.ts'
import { errors } from './errors.ts'
import type { pluginConfig } from './plugin-config.ts'

export type PluginConfig = Static<typeof pluginConfig>

export const CONSENT_PAGE = '/account/consent'

/** @throws OAU_CONFIG_INVALID for an issuer with a path: the kernel's routes are at the root. */
export function hostConfig(
  config: PluginConfig,
  mount: string
): Omit<OAuthHostConfig, 'connection' | 'resolveUser' | 'loadUser'> {
  const issuer = (config.publicUrl || config.issuer).replace(/\/+$/, '')
  if (!URL.canParse(issuer) || new URL(issuer).origin !== issuer) {
    throw errors.OAU_CONFIG_INVALID({ path: 'issuer', problem: `"${issuer}" is no origin` })
  }
  const limit = { max: config.rateMax, windowMs: 60_000 }
  const { metadataHosts, metadataScopes, initialAccessTokens } = config
  return {
    issuer,
    resources: config.resources.map((resource) => ({
      ...resource,
      id: resource.id.startsWith('/') ? `${issuer}${resource.id}` : resource.id
    })),
    scopes: config.scopes,
    consentUrl: CONSENT_PAGE,
    mountPath: mount,
    loginUrl: '/login',
    rateLimits: { token: limit, authorize: limit, consent: limit },
    signing: {
      autoGenerate: true,
      ...(config.algorithms !== undefined && { algorithms: config.algorithms })
    },
    tokenCache: { ttlMs: config.tokenCacheMs ?? 0 },
    dpop: { requireNonce: config.requireDpopNonce ?? false },
    ...(config.defaultScopes !== undefined && { defaultScopes: config.defaultScopes }),
    ...(config.ttl !== undefined && { ttl: config.ttl }),
    ...(config.subjectMode !== undefined && { subjectMode: config.subjectMode }),
    ...(config.pairwiseSalt !== undefined && { pairwiseSalt: config.pairwiseSalt }),
    ...(config.secret !== undefined && { secret: config.secret }),
    ...(metadataHosts !== undefined &&
      metadataHosts.length > 0 && {
        clientIdMetadata: {
          enabled: true,
          allowedHosts: metadataHosts,
          ...(metadataScopes !== undefined && { allowedScopes: metadataScopes })
        }
      }),
    ...(initialAccessTokens !== undefined && {
      registration: { enabled: true, initialAccessTokens }
    })
  }
}
