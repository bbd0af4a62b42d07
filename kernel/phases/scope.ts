// The kernel's own scope on the app: its routes, then every plugin's, then the shell.
import type { FastifyInstance } from 'fastify'
import { registerHealth } from '../health/health-routes.ts'
import type { Kernel } from '../kernel.ts'
import { answerError, answers } from '../routes/answers.ts'
import { registerApiDocument } from '../routes/openapi.ts'
import { KERNEL_OWNER, setOwner } from '../routes/owner.ts'
import { beginMeter } from '../routes/watch.ts'
import { allowEmbedOrigins } from '../shell/embeds.ts'
import { shellOptions } from './pages.ts'
import { answerUnavailable, registerPlugin } from './register.ts'

/** Errors of everything below, and CORS for those who may embed. */
export function openScope(kernel: Kernel, scope: FastifyInstance): void {
  setOwner(scope, KERNEL_OWNER)
  scope.setErrorHandler((error, request, reply) => {
    beginMeter(request, reply)
    answerError(error, request, reply)
  })
  allowEmbedOrigins(scope, [...kernel.originRule.embedOrigins])
}

/** Registers everything. Fastify runs it in this order; nothing is awaited here. */
export function registerAll(kernel: Kernel, scope: FastifyInstance): void {
  const { role, running, absent } = kernel
  openScope(kernel, scope)
  registerHealth(scope, kernel)
  if (role !== 'worker') registerApiDocument(scope, kernel)
  for (const each of running) registerPlugin(kernel, scope, each)
  for (const known of absent) answerUnavailable(kernel, scope, known, new Set())
  scope.register(async (last) => {
    if (role === 'worker') last.setNotFoundHandler((_request, reply) => answers.notFound(reply))
    else await kernel.seams.registerShell(last, shellOptions(kernel))
  })
}
