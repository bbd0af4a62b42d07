// A plugin that is registered by hand, after the kernel: all phases for this one.
import { fileURLToPath } from 'node:url'
import type { Manifest, PluginConfig, PluginDefinition } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { joinAddress } from '../platform/addresses.ts'
import { validateOne } from '../platform/validate.ts'
import type { OpenKernel } from './kernel.ts'
import { planPlugins } from './plan.ts'
import { openRunning, preparePlugin } from './prepare.ts'
import { completePlugin, registerPlugin } from './register.ts'
import { openScope } from './scope.ts'

/**
 * The options beside the plugin: `app.register(plugin, { config, mount, onFailure })`.
 * Fastify's own `prefix` is taken as the mount.
 */
type AdoptOptions = Pick<PluginConfig, 'config' | 'mount' | 'onFailure'> & {
  readonly prefix?: string
}

/** Enqueues the plugin; what goes wrong comes out of `app.ready()`. */
export function adoptPlugin(
  kernel: OpenKernel,
  definition: PluginDefinition,
  fastify: FastifyInstance,
  options: unknown
): void {
  const { config, mount, onFailure, prefix } = (options ?? {}) as AdoptOptions
  const declared = definition.manifest as Partial<Manifest>
  const own = mount ?? prefix ?? declared.mount ?? `/${declared.id}`
  const base = fastify.prefix === '' ? '/' : fastify.prefix
  const entry: PluginConfig = {
    ...(config !== undefined && { config }),
    ...(onFailure !== undefined && { onFailure }),
    mount: joinAddress(base, own)
  }
  const prepared = prepareOne(kernel, definition, entry)
  // Callers that await app.ready() get this rejection: no warning of an unhandled one.
  prepared.catch(() => {})
  fastify.register(prepared)
}

async function prepareOne(kernel: OpenKernel, definition: PluginDefinition, entry: PluginConfig) {
  const folder = definition.folder === undefined ? undefined : fileURLToPath(definition.folder)
  const plugin = validateOne(
    { source: 'by hand', folder, manifest: definition.manifest, definition, entry },
    {
      running: kernel.running.map((running) => running.plugin),
      disabled: kernel.platform.disabled,
      addresses: kernel.addresses
    }
  )
  kernel.addSecrets(plugin.settings.secrets.values)
  const plan = await planPlugins(kernel, [plugin])
  const running = openRunning(kernel, plugin)
  const fatal = await preparePlugin(kernel, running, plan)
  if (fatal !== undefined) throw fatal
  return {
    default: async (scope: FastifyInstance): Promise<void> => {
      openScope(kernel, scope)
      registerPlugin(kernel, scope, running)
      completePlugin(kernel, scope, running)
      // After its own routes, which come first where both want one address.
      scope.after(() => kernel.shell?.placePages())
    }
  }
}
