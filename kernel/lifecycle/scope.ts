// The kernel's own scope on the app: its routes, then every plugin's, then the shell.
import { acceptCrossOrigin } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { hasLateHooks } from '../fastify-internals/late-hooks.ts'
import { holdHostNames } from '../guards/host-names.ts'
import { beginMeter, hideUnserved } from '../guards/watch.ts'
import { answerError } from '../http/answers.ts'
import { KERNEL_OWNER, setOwner } from '../http/owner.ts'
import { embedPolicy } from '../shell/embeds.ts'
import { registerHealth } from './health-routes.ts'
import type { OpenKernel } from './kernel.ts'
import { registerApiDocument } from './openapi.ts'
import { shellOptions } from './plugin-pages.ts'
import { answerUnavailable, completePlugin, registerPlugin } from './register.ts'

/** Errors of everything below, and cross-origin rules: of the embed origins, and of routes. */
export function openScope(kernel: OpenKernel, scope: FastifyInstance): void {
  setOwner(scope, KERNEL_OWNER)
  kernel.asksLate ||= kernel.options.resolveViewer !== undefined && hasLateHooks(scope)
  scope.setErrorHandler((error, request, reply) => {
    beginMeter(request, reply)
    answerError(error, request, reply, kernel.redact)
  })
  holdHostNames(scope, kernel)
  if (kernel.role === 'worker') hideUnserved(scope)
  acceptCrossOrigin(scope, embedPolicy([...kernel.originRule.embedOrigins]))
}

/** Registers everything. Fastify runs it in this order; nothing is awaited here. */
export function registerAll(kernel: OpenKernel, scope: FastifyInstance): void {
  const { role, running, absent } = kernel
  openScope(kernel, scope)
  registerHealth(scope, kernel)
  if (role !== 'worker') registerApiDocument(scope, kernel)
  for (const each of running) registerPlugin(kernel, scope, each)
  for (const each of running) completePlugin(kernel, scope, each)
  scope.register(async (last) => {
    // After all plugins: one that is switched off may be replaced by another at the same addresses.
    for (const known of absent) answerUnavailable(kernel, last, known, new Set())
    if (role === 'worker') return
    kernel.shell = await kernel.seams.registerShell(last, shellOptions(kernel))
  })
}
