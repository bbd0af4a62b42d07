// The validate phase for a host: the platform is read and checked, secrets and absent plugins noted.

import { errors } from '../errors/errors.ts'
import { originRule } from '../guards/origin.ts'
import type { Kernel } from '../kernel.ts'
import { listOf } from '../platform/config.ts'
import { type Platform, pluginsOf } from '../platform/platform.ts'
import { validatePlatform } from '../platform/validate.ts'
import { roles } from '../role.ts'

/** Touches no storage. Throws a KRN_ error that names plugin, field path and remedy. */
export async function validate(kernel: Kernel): Promise<Platform> {
  const { options, role, seams, states } = kernel
  if (!roles.includes(role)) throw errors.KRN_ROLE_UNKNOWN({ role })
  const platform = await validatePlatform({
    config: options.config,
    plugins: options.plugins ?? [],
    prefix: options.prefix,
    env: seams.env
  })
  kernel.platform = platform
  kernel.addresses = platform.addresses
  const { auth = {}, storage = {} } = platform.config
  kernel.originRule = originRule(auth.publicUrl, listOf(auth.embedOrigins))
  kernel.addSecrets(credentialsOf(storage.uri))
  for (const { settings } of pluginsOf(platform)) kernel.addSecrets(settings.secrets.values)
  for (const { id, version, known, reason } of platform.disabled) {
    states.add(id, version).disable(reason)
    if (known !== undefined) kernel.absent.push(known)
  }
  return platform
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
