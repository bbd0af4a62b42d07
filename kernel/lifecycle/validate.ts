// The validate phase of a host: reads and checks the platform, notes secrets and absent plugins.
import { errors } from '../errors/errors.ts'
import { listOf } from '../platform/config.ts'
import { originRule } from '../platform/origin.ts'
import { pluginsOf } from '../platform/platform.ts'
import { validatePlatform } from '../platform/validate.ts'
import { roles } from '../role.ts'
import type { Kernel, ValidKernel } from './kernel.ts'
import { connectEarly } from './plan.ts'

/** Changes nothing in the database. Throws a KRN_ error that names plugin, field path and remedy. */
export async function validate(kernel: Kernel): Promise<ValidKernel> {
  const { options, role, seams, states } = kernel
  if (!roles.includes(role)) throw errors.KRN_ROLE_UNKNOWN({ role })
  const platform = await validatePlatform({
    config: options.config,
    plugins: options.plugins ?? [],
    prefix: options.prefix,
    env: seams.env,
    onConfig(read) {
      kernel.addSecrets(credentialsOf(read.config.storage?.uri))
      connectEarly(kernel, read)
    }
  })
  kernel.addresses = platform.addresses
  const { auth = {} } = platform.config
  for (const { settings } of pluginsOf(platform)) kernel.addSecrets(settings.secrets.values)
  for (const { id, version, known, reason } of platform.disabled) {
    states.add(id, version).disable(reason)
    if (known !== undefined) kernel.absent.push(known)
  }
  return Object.assign(kernel, {
    platform,
    originRule: originRule(auth.publicUrl, listOf(auth.embedOrigins))
  })
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
