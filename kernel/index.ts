// The public entry of @keelson/kernel.
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { boot } from './boot.ts'
import type { KernelOptions, KernelSeams } from './lifecycle/kernel.ts'

export { errors, errorTable } from './errors/errors.ts'
export type { ResolveViewer } from './guards/viewer.ts'
export { type KernelHandle, keelsonOf, kernelOf } from './lifecycle/attach.ts'
export type { Keelson } from './lifecycle/host-access.ts'
export type { Deadlines, KernelOptions, KernelSeams } from './lifecycle/kernel.ts'
export { KERNEL_API } from './manifest/check.ts'
export type { PublishedSecret } from './platform/published-secrets.ts'
export type { Role } from './role.ts'
export { createManualTicker } from './schedule/manual-ticker.ts'
export { connectStorage } from './storage/connect.ts'
export { DEFAULT_ENGINE, startEngine } from './storage/engine.ts'

/** A kernel as a Fastify plugin whose hooks and marks hold for the whole app. */
export type KernelPlugin = (app: FastifyInstance, options?: object) => Promise<void>

const metadata = { name: 'keelson', fastify: '5.x' }

/**
 * Makes a kernel with its options bound: `app.register(createKernel({ config, plugins }))`.
 * Use the default export unless you put something in the place of a part (`seams`), as tests do.
 *
 * @throws KRN_KERNEL_TWICE; every other refusal comes out of `app.ready()`, as a KRN_ error with
 * `code`, `plugin` and `remedy`.
 */
export function createKernel(
  options: KernelOptions,
  seams: Partial<KernelSeams> = {}
): KernelPlugin {
  const plugin: KernelPlugin = async (app) => boot(app, options, seams)
  return fastifyPlugin(plugin, metadata)
}

/**
 * The kernel as the Fastify plugin that a host registers:
 * `await app.register(keelson, { config, plugins, resolveViewer, role })`.
 */
async function keelson(app: FastifyInstance, options: KernelOptions): Promise<void> {
  boot(app, options, {})
}

export default fastifyPlugin(keelson, metadata)
