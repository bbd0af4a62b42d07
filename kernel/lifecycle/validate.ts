// The validate phase of a host: reads and checks the platform, notes secrets and absent plugins.
import { isLoopbackHost, isLoopbackUrl, originRule } from '@keelson/sdk'
import type { ChangeSource } from '../changes/change-plugin.ts'
import { errors } from '../errors/errors.ts'
import { listOf } from '../platform/config-values.ts'
import { hostRule } from '../platform/host-rule.ts'
import { type Platform, pluginsOf } from '../platform/platform.ts'
import type { PublishedSecret } from '../platform/published-secrets.ts'
import { validatePlatform } from '../platform/validate.ts'
import { roles } from '../role.ts'
import type { Kernel, ValidKernel } from './kernel.ts'
import { connectEarly, readRevision } from './plan.ts'

/** Changes nothing in the database. Throws a KRN_ error that names plugin, field path and remedy. */
export async function validate(kernel: Kernel): Promise<ValidKernel> {
  const { options, role, states } = kernel
  if (!roles.includes(role)) throw errors.KRN_ROLE_UNKNOWN({ role })
  const file = await validatePlatform({
    ...configSource(kernel),
    onConfig(read) {
      kernel.addSecrets(credentialsOf(read.config.storage?.uri))
      connectEarly(kernel, read)
    }
  })
  const platform = await withSettings(kernel, file)
  kernel.addresses = platform.addresses
  const { published } = platform
  const { auth = {} } = platform.config
  const { listenHost } = options
  refusePublished(published, reachableBy(listenHost, auth.publicUrl))
  for (const { settings } of pluginsOf(platform)) kernel.addSecrets(settings.secrets.values)
  for (const { id, version, known, reason } of platform.disabled) {
    states.add(id, version).disable(reason)
    if (known !== undefined) kernel.absent.push(known)
  }
  return Object.assign(kernel, {
    platform,
    published,
    originRule: originRule(auth.publicUrl, listOf(auth.embedOrigins)),
    hostRule: hostRule({ publicUrl: auth.publicUrl, hosts: listOf(auth.hosts), listenHost })
  })
}

/** What the platform is made from without its settings in the database. */
export function configSource({ options, seams }: Kernel): ChangeSource['base'] {
  return {
    config: options.config,
    plugins: options.plugins ?? [],
    prefix: options.prefix,
    env: seams.env
  }
}

/** The config alone must be valid too, so most starts read the plugins while the database connects. */
async function withSettings(kernel: Kernel, file: Platform): Promise<Platform> {
  const newest = await readRevision(kernel, file)
  kernel.revision = newest?.revision ?? 0
  const isProven = newest?.state !== 'new'
  kernel.supervisor?.send({ keelson: 'starts', revision: kernel.revision, isProven })
  const { changes = {} } = newest ?? {}
  if (Object.keys(changes).length === 0) return file
  return validatePlatform({ ...configSource(kernel), changes })
}

/** By what others can reach the host; undefined for a host of this machine, or one that does not say. */
function reachableBy(listenHost = 'localhost', publicUrl = ''): string | undefined {
  if (!isLoopbackHost(listenHost)) return `the address ${listenHost}`
  return publicUrl === '' || isLoopbackUrl(publicUrl) ? undefined : `auth.publicUrl ${publicUrl}`
}

/** @throws KRN_SECRETS_PUBLISHED */
function refusePublished(published: readonly PublishedSecret[], by: string | undefined): void {
  if (by === undefined || published.length === 0) return
  const list = published.map(({ variable, path }) => `${variable} (${path})`).join(', ')
  throw errors.KRN_SECRETS_PUBLISHED({ by, list })
}

/** The password of a connection string, as it is written there and as it is meant. */
function credentialsOf(uri: string | undefined): string[] {
  const written = /^[a-z+]+:\/\/[^/@]*:([^/@]+)@/.exec(uri ?? '')?.[1]
  if (written === undefined) return []
  try {
    return [written, decodeURIComponent(written)]
  } catch {
    return [written]
  }
}
