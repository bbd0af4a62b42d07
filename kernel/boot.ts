// The order of the phases, and nothing else.
import type { FastifyInstance } from 'fastify'
import { keepTickShape } from './fastify-internals/tick-shape.ts'
import { watchConnections } from './http/connections.ts'
import { attachKernel } from './lifecycle/attach.ts'
import { createClosing } from './lifecycle/close.ts'
import {
  createKernelState,
  type Kernel,
  type KernelOptions,
  type KernelSeams
} from './lifecycle/kernel.ts'
import { offerPlugins } from './lifecycle/offer-plugins.ts'
import { checkOptions } from './lifecycle/options.ts'
import { openStorage, planPlugins } from './lifecycle/plan.ts'
import { prepareLayers } from './lifecycle/prepare.ts'
import { registerAll } from './lifecycle/scope.ts'
import { failStart, followSupervisor } from './lifecycle/supervision.ts'
import { answerUnknownAddresses } from './lifecycle/unknown-addresses.ts'
import { validate } from './lifecycle/validate.ts'
import { pluginsOf } from './platform/platform.ts'

/**
 * Puts a kernel on an app. Returns at once: what takes time is given to Fastify as the promise of a
 * plugin, which it waits for without its registration deadline.
 */
export function boot(
  app: FastifyInstance,
  options: KernelOptions,
  seams: Partial<KernelSeams>
): void {
  checkOptions(options)
  keepTickShape()
  const kernel = createKernelState(app, options, seams)
  const connections = watchConnections(app.server)
  const closing = createClosing(kernel, connections)
  attachKernel(kernel, closing)
  followSupervisor(kernel, connections)
  const started = start(kernel).catch(async (error) => {
    failStart(kernel, error)
    await closing.close()
    throw error
  })
  // Callers that await app.ready() get this rejection: no warning of an unhandled one.
  started.catch(() => {})
  app.register(started)
  // After a failure while plugins register the database must not stay open.
  app.after(async (error) => {
    if (kernel.failure !== undefined) void closing.close()
    // Fastify says undefined where its types say null.
    if (error !== null && error !== undefined) throw error
    answerUnknownAddresses(kernel)
  })
}

async function start(kernel: Kernel) {
  const valid = await validate(kernel)
  kernel.phase = 'plan'
  const open = await openStorage(valid)
  kernel.stop.signal.throwIfAborted()
  offerPlugins(open)
  const plan = await planPlugins(open, pluginsOf(open.platform))
  kernel.phase = 'prepare'
  await prepareLayers(open, plan)
  kernel.phase = 'register'
  return { default: async (scope: FastifyInstance) => registerAll(open, scope) }
}
