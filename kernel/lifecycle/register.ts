// The register phase: every plugin in its own Fastify scope, in order, held to what it declared.
import { belowPrefix, within } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { errors } from '../errors/errors.ts'
import { noteNestedFailures } from '../fastify-internals/nested-failures.ts'
import { isWriting } from '../fastify-internals/silent-logger.ts'
import { answers } from '../http/answers.ts'
import { acceptMultipart } from '../http/multipart.ts'
import { setOwner } from '../http/owner.ts'
import type { KnownPlugin } from '../platform/platform.ts'
import { disableWithoutNeeds, failPlugin } from './failure.ts'
import { createHost } from './host.ts'
import { hostSeamsOf, type OpenKernel } from './kernel.ts'
import { missingParts } from './missing-parts.ts'
import type { RunningPlugin } from './running-plugin.ts'
import { registerOperations } from './serve-operations.ts'
import { failStart } from './supervision.ts'

/** Fastify's own limit would name neither the plugin nor the cure, so ours ends a little earlier. */
const MARGIN_MS = 500
const UNLIMITED_MS = 60_000

/** How long Fastify lets one step of the start take, less a margin. */
export function hostDeadlineMs({ app }: OpenKernel): number {
  const limit = app.initialConfig.pluginTimeout ?? 0
  return limit > 0 ? Math.max(limit - MARGIN_MS, limit / 2) : UNLIMITED_MS
}

/** Enqueues the registration of a plugin; Fastify runs what is enqueued one after the other. */
export function registerPlugin(
  kernel: OpenKernel,
  scope: FastifyInstance,
  running: RunningPlugin
): void {
  const register = async (root: FastifyInstance) => {
    if (!disableWithoutNeeds(kernel, running)) openScopes(kernel, root, running)
  }
  scope.register(fastifyPlugin(register, scopeName(running.plugin.id)))
  // An error that is thrown here rejects app.ready(); any other is settled here.
  scope.after(async (error) => {
    const fatal = settle(kernel, scope, running, error)
    if (fatal !== null) throw fatal
  })
}

/** Runs what the plugin does once all are registered. Enqueue it after all of them. */
export function completePlugin(
  kernel: OpenKernel,
  scope: FastifyInstance,
  running: RunningPlugin
): void {
  const isWanted = () => running.onRegistered.length > 0 && running.status.downReason === undefined
  const complete = async (root: FastifyInstance) => {
    if (!isWanted() || disableWithoutNeeds(kernel, running)) return
    openRoot(kernel, root, running)
    const steps = running.onRegistered.splice(0)
    await runSteps(kernel, running, root, async () => {
      for (const step of steps) await step(root)
    })
    serveAsked(kernel, root, running)
    scope.after(async (error) => {
      const fatal = settle(kernel, scope, running, error)
      if (fatal !== null) throw fatal
    })
  }
  scope.register(fastifyPlugin(complete, scopeName(running.plugin.id)))
}

/** A scope with the name of the plugin in Fastify's plugin tree. */
const scopeName = (plugin: string) => ({ name: `keelson:${plugin}`, encapsulate: true })

function openRoot(kernel: OpenKernel, root: FastifyInstance, running: RunningPlugin): void {
  const { plugin, owner, log } = running
  setOwner(root, owner)
  // Lines of its requests carry the id of the plugin.
  if (isWriting(kernel.log)) {
    root.setChildLoggerFactory((_log, bindings, options) => log.child(bindings, options))
  }
  acceptMultipart(root, plugin)
}

function openScopes(kernel: OpenKernel, root: FastifyInstance, running: RunningPlugin): void {
  openRoot(kernel, root, running)
  const { plugin } = running
  const register = async (mounted: FastifyInstance) =>
    runRegister(kernel, running, { mounted, root })
  root.register(fastifyPlugin(register, scopeName(plugin.id)), { prefix: prefixOf(root, plugin) })
  const serve = async (own: FastifyInstance) => serveAsked(kernel, own, running)
  root.register(fastifyPlugin(serve, scopeName(plugin.id)))
}

function serveAsked(
  { permissions, viewers, originRule, platform }: OpenKernel,
  root: FastifyInstance,
  running: RunningPlugin
): void {
  const mountPrefix = prefixOf(root, running.plugin)
  registerOperations(root, running, {
    permissions,
    viewers,
    originRule,
    publicUrl: platform.config.auth?.publicUrl,
    mountPrefix
  })
}

/** The mount as seen from the scope; only a plugin that is registered by hand has one with a prefix. */
function prefixOf(root: FastifyInstance, { mount }: KnownPlugin): string {
  const prefix = belowPrefix(root.prefix, mount) ?? mount
  return prefix === '/' ? '' : prefix
}

async function runRegister(
  kernel: OpenKernel,
  running: RunningPlugin,
  scopes: { readonly mounted: FastifyInstance; readonly root: FastifyInstance }
): Promise<void> {
  const { plugin } = running
  const host = createHost(running, hostSeamsOf(kernel), scopes)
  await runSteps(kernel, running, scopes.mounted, async () =>
    plugin.definition.register(host, plugin.settings.all as never)
  )
}

/** Runs code of the plugin that registers, within its time. */
async function runSteps(
  kernel: OpenKernel,
  running: RunningPlugin,
  scope: FastifyInstance,
  run: () => Promise<void>
): Promise<void> {
  const { plugin } = running
  const ms = hostDeadlineMs(kernel)
  running.isRegistering = true
  const note = (error: unknown) => {
    running.failure ??= error
  }
  if (plugin.onFailure === 'disable') noteNestedFailures(scope, note)
  // Failures are settled after the plugin: see nested-failures.ts for why Fastify must not see them.
  await within(run(), {
    deadline: {
      ms,
      overdue: () => errors.KRN_REGISTER_TIMEOUT({ plugin: plugin.id, seconds: ms / 1000 })
    }
  }).catch(note)
}

/** After a plugin and everything it registered: failed, incomplete, or done. */
function settle(
  kernel: OpenKernel,
  scope: FastifyInstance,
  running: RunningPlugin,
  error: Error | null
): Error | null {
  running.isRegistering = false
  if (kernel.failure !== undefined) return error
  const { status } = running
  const cause =
    running.failure ??
    error ??
    (status.downReason === undefined ? missingParts(running) : undefined)
  const fatal =
    cause === undefined || cause === null
      ? undefined
      : failPlugin(kernel, running, 'register', cause)
  if (fatal !== undefined) {
    failStart(kernel, fatal)
    return fatal
  }
  if (status.downReason !== undefined) {
    const { plugin, owner } = running
    answerUnavailable(kernel, scope, plugin, owner.registered)
  }
  return null
}

/** Declared routes of a plugin that does not run answer 503 with the reason. */
export function answerUnavailable(
  kernel: OpenKernel,
  scope: FastifyInstance,
  plugin: KnownPlugin,
  registered: ReadonlySet<string>
): void {
  if (kernel.role === 'worker') return
  const addresses = new Set<string>()
  for (const { key, address, declared } of plugin.routes) {
    if (registered.has(key) || addresses.has(key)) continue
    addresses.add(key)
    const url = belowPrefix(scope.prefix, address)
    if (url === undefined || scope.hasRoute({ method: declared.method, url: address })) continue
    scope.route({
      method: declared.method,
      url,
      handler: (_request, reply) => {
        const reason = kernel.states.of(plugin.id)?.downReason ?? 'it does not run'
        return answers.unavailable(reply, plugin.id, reason)
      }
    })
  }
}
