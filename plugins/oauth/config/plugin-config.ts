// The config of the kernel plugin: the host's settings that a file can hold, and what only the platform has. Pure.
import { type Host, type Static, Type } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { type OAuthHostConfig, platformSettings } from './schema.ts'

export const pluginConfig = Type.Object(
  {
    ...platformSettings,
    publicUrl: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Used instead of issuer where it is set.' })
    ),
    homeTenant: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The tenant whose people have their bare id as `sub`; other ids name their tenant. Default: the first tenant that is seen.'
      })
    ),
    grantContext: Type.Optional(
      Type.Boolean({
        description:
          'People choose at consent in which context a client acts. Default: true where the sign-in plugin has contexts.'
      })
    ),
    adminTenants: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 200,
        description:
          'Tenants whose administrators manage clients, besides the administrators of the platform.'
      })
    )
  },
  { additionalProperties: false }
)

export type PluginConfig = Static<typeof pluginConfig>

/** Address of the consent page that the plugin brings, below the prefix of the platform. */
export const CONSENT_PAGE = '/account/consent'

/**
 * The settings of the host behind the plugin. `host` undefined: no routes are made.
 *
 * @throws OAU_CONFIG_INVALID, naming the issuer
 */
export function hostConfig(
  {
    publicUrl,
    adminTenants: _tenants,
    homeTenant: _home,
    grantContext: _contexts,
    ...config
  }: PluginConfig,
  host?: Pick<Host, 'mount' | 'prefix' | 'signIn' | 'locale'>
): Omit<OAuthHostConfig, 'connection' | 'resolveUser' | 'loadUser' | 'mapSubject'> {
  const issuer = (publicUrl || config.issuer).replace(/\/+$/, '')
  const { mount, prefix = '', signIn = `${prefix}/login` } = host ?? {}
  const path = pathOf(issuer, mount)
  const origin = issuer.slice(0, issuer.length - path.length)
  const absolute = (id: string) => (id.startsWith('/') ? `${origin}${id}` : id)
  return {
    loginUrl: signIn,
    ...config,
    issuer,
    resources: config.resources.map((given) =>
      typeof given === 'string' ? absolute(given) : { ...given, id: absolute(given.id) }
    ),
    consentUrl: `${prefix}${CONSENT_PAGE}`,
    ...(host !== undefined && { locale: host.locale }),
    ...(mount !== undefined && { mountPath: mount.slice(path.length) }),
    signing: { autoGenerate: true, ...config.signing }
  }
}

/**
 * The path of an issuer: routes of a plugin are declared before its issuer is known, so it has one segment
 * at most, and the plugin is mounted below it.
 */
function pathOf(issuer: string, mount: string | undefined): string {
  const invalid = (problem: string) =>
    errors.OAU_CONFIG_INVALID({ path: 'issuer', problem: `${problem}, but is "${issuer}"` })
  if (!URL.canParse(issuer)) throw invalid('must be an absolute URL')
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  if (`${origin}${path}` !== issuer) {
    throw invalid('must be a normalised origin with an optional one-segment path')
  }
  if (path.lastIndexOf('/') > 0) throw invalid('must not have a path of more than one segment')
  if (mount !== undefined && !mount.startsWith(`${path}/`)) {
    throw invalid(`has the path ${path}, so the mount must be ${path}${mount} and not ${mount}`)
  }
  return path
}
