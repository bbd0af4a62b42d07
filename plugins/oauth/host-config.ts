// The config of the kernel plugin as the configuration of the OAuth host. Pure.
import type { Static } from '@keelson/sdk'
import type { OAuthHostConfig } from './config/types.ts'
import { errors } from './errors.ts'
import type { pluginConfig } from './plugin-config.ts'

export type PluginConfig = Static<typeof pluginConfig>

export const CONSENT_PAGE = '/account/consent'

/**
 * The routes of a plugin are declared before its issuer is known, so an issuer has one path segment at most,
 * and the plugin is mounted below it. `mount` undefined: no routes are made.
 *
 * @throws OAU_CONFIG_INVALID, naming the issuer
 */
function pathOf(issuer: string, mount: string | undefined): string {
  const wrong = (problem: string) =>
    errors.OAU_CONFIG_INVALID({ path: 'issuer', problem: `"${issuer}" ${problem}` })
  if (!URL.canParse(issuer)) throw wrong('is no absolute URL')
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  if (`${origin}${path}` !== issuer)
    throw wrong('is no origin with at most a path, in its plain form')
  if (path.lastIndexOf('/') > 0) throw wrong('has a path of more than one segment')
  if (mount !== undefined && !mount.startsWith(`${path}/`)) {
    throw wrong(
      `has the path ${path}, but the mount ${mount} is not below it; mount at ${path}${mount}`
    )
  }
  return path
}

export function hostConfig(
  config: PluginConfig,
  mount?: string
): Omit<OAuthHostConfig, 'connection' | 'resolveUser' | 'loadUser'> {
  const issuer = (config.publicUrl || config.issuer).replace(/\/+$/, '')
  const path = pathOf(issuer, mount)
  const origin = issuer.slice(0, issuer.length - path.length)
  const limit = { max: config.rateMax, windowMs: 60_000 }
  const { metadataHosts, metadataScopes, initialAccessTokens } = config
  return {
    issuer,
    resources: config.resources.map((resource) => ({
      ...resource,
      id: resource.id.startsWith('/') ? `${origin}${resource.id}` : resource.id
    })),
    scopes: config.scopes,
    consentUrl: CONSENT_PAGE,
    ...(mount !== undefined && { mountPath: mount.slice(path.length) }),
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
