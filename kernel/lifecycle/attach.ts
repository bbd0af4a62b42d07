// Ties a kernel to its app: marks, hooks, and what happens when the app closes.
import { KERNEL, type KernelSeam, type PluginHealth } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors/errors.ts'
import { onEarlyClose } from '../fastify-internals/early-close.ts'
import { measureEarlierRoutes } from '../guards/earlier-routes.ts'
import { watchRoutes } from '../guards/watch.ts'
import { logPatterns } from '../http/logged-requests.ts'
import type { PublishedSecret } from '../platform/published-secrets.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Storage } from '../storage/connect.ts'
import { adoptPlugin } from './adopt.ts'
import type { Closing } from './close.ts'
import { createAccess, type Keelson, offerAccess } from './host-access.ts'
import { type Kernel, openKernel } from './kernel.ts'
import { redactLines } from './log-lines.ts'
import { readyPlugins } from './ready.ts'
import { unmatchedPattern } from './unknown-addresses.ts'

/** What the kernel shows to the host and to tools. `storage` and `schedule` throw KRN_NOT_OPEN before the app is ready. */
export interface KernelHandle extends KernelSeam {
  readonly storage: Storage
  readonly schedule: Schedule
  /** Secrets whose values in use anyone can read in the config, as defaults of its placeholders. */
  readonly published: readonly PublishedSecret[]
  /** How each plugin is now, as `/health/plugins` shows it to an admin; every check runs anew. */
  health(): Promise<readonly PluginHealth[]>
  readonly access: Keelson
}

/** The kernel of an app. Throws KRN_NO_KERNEL when there is none. */
export function kernelOf(app: FastifyInstance): KernelHandle {
  const handle = (app as unknown as Record<symbol, KernelHandle | undefined>)[KERNEL]
  if (handle === undefined) throw errors.KRN_NO_KERNEL()
  return handle
}

/**
 * What `app.keelson` is at run time, typed: the capabilities of the plugins for the host's own code.
 * Types travel through this function, so that no global declaration is needed.
 *
 * @throws KRN_NO_KERNEL when the app has no kernel
 */
export function keelsonOf(app: FastifyInstance): Keelson {
  return kernelOf(app).access
}

export function attachKernel(kernel: Kernel, closing: Closing): void {
  const { app } = kernel
  const marked = app as unknown as Record<symbol, KernelHandle | undefined>
  if (marked[KERNEL] !== undefined) throw errors.KRN_KERNEL_TWICE()
  if (app.prefix !== '') throw errors.KRN_SCOPE_PREFIX({ prefix: app.prefix })
  const access = createAccess(kernel.capabilities)
  marked[KERNEL] = {
    async adopt(definition, fastify, options) {
      adoptPlugin(openKernel(kernel), definition, fastify, options)
    },
    get storage() {
      return openKernel(kernel).storage
    },
    get schedule() {
      return openKernel(kernel).schedule
    },
    get published() {
      return openKernel(kernel).published
    },
    health: () => openKernel(kernel).health.read(true),
    access
  }
  offerAccess(app, access)
  const undoRedaction = redactLines(app.log, (text) => kernel.redact(text))
  const undoPatterns = logPatterns(app.log, (request) => unmatchedPattern(kernel, request))
  const { viewers, measuring, capabilities, role } = kernel
  watchRoutes(app, {
    viewers,
    measuring,
    capabilities,
    role,
    asksLate: () => kernel.asksLate,
    permissions: kernel.permissions,
    limits: () => openKernel(kernel).limits,
    originRule: () => openKernel(kernel).originRule,
    addresses: () => kernel.addresses,
    plugins: () => [...kernel.running.map(({ plugin }) => plugin), ...kernel.absent]
  })
  measureEarlierRoutes(app, measuring)
  app.addHook('onReady', () => readyPlugins(openKernel(kernel)))
  app.addHook('preClose', async () => closing.drain())
  app.addHook('onClose', async () => {
    await closing.close()
    undoRedaction()
    undoPatterns()
    kernel.supervisor?.leave()
  })
  abortOnClose(kernel)
}

/** Fastify closes only what has started; a start that still prepares is aborted instead. */
function abortOnClose(kernel: Kernel): void {
  const { app, options } = kernel
  const abort = () => {
    if (kernel.phase === 'ready' || kernel.stop.signal.aborted) return
    kernel.stop.abort(errors.KRN_START_ABORTED({ phase: kernel.phase }))
  }
  onEarlyClose(app, abort)
  options.signal?.addEventListener('abort', abort, { once: true })
  if (options.signal?.aborted === true) abort()
}
