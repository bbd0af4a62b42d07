// The addresses of operations: liveness, readiness, the state of plugins, metrics.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HIDDEN } from '../http/hidden.ts'
import { below } from '../platform/kernel-addresses.ts'
import type { OpenKernel } from './kernel.ts'
import { publicForm } from './plugin-health.ts'

/** Why the host is not ready; undefined when it is. */
function unreadiness({ phase, storage }: OpenKernel): string | undefined {
  if (phase === 'drain' || phase === 'closed') return 'draining'
  if (phase !== 'ready') return 'starting'
  return storage.isReachable() ? undefined : 'database_unreachable'
}

export function registerHealth(scope: FastifyInstance, kernel: OpenKernel): void {
  const { health, metrics } = kernel.addresses
  addProcessMetrics(kernel)
  if (health !== undefined) serveHealth(scope, kernel, health)
  if (metrics === undefined) return
  scope.get(metrics, HIDDEN, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(kernel.metrics.text())
  )
}

function serveHealth(scope: FastifyInstance, kernel: OpenKernel, health: string): void {
  scope.get(below(health, '/live'), HIDDEN, async () => ({ status: 'live' }))
  scope.get(below(health, '/ready'), HIDDEN, async (_request, reply) => {
    const reason = unreadiness(kernel)
    if (reason === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '1').send({ status: reason })
  })
  scope.get(below(health, '/plugins'), HIDDEN, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('vary', 'cookie')
    const [plugins, isAdmin] = await Promise.all([
      kernel.health.read(false),
      isAdminOf(kernel, request)
    ])
    return { plugins: isAdmin ? plugins : plugins.map(publicForm) }
  })
}

/** The state of plugins must be readable while a resolver of viewers fails. */
async function isAdminOf({ viewers }: OpenKernel, request: FastifyRequest): Promise<boolean> {
  const viewer = await viewers.of(request).catch((error: unknown) => {
    request.log.warn({ err: error }, 'details are left out: the viewer is unknown')
    return null
  })
  return viewer?.role === 'admin'
}

function addProcessMetrics({ metrics, measuring, states }: OpenKernel): void {
  const memory = metrics.gauge('process_resident_memory_bytes', 'Resident memory.')
  const heap = metrics.gauge('nodejs_heap_used_bytes', 'Used heap of JavaScript.')
  const cpu = metrics.gauge('process_cpu_seconds', 'CPU time, user and system.')
  const started = metrics.gauge('process_start_time_seconds', 'When the process began, Unix time.')
  const inHand = metrics.gauge('keelson_http_requests_in_hand', 'Requests not yet answered.')
  const plugins = metrics.gauge('keelson_plugin_up', 'Whether a plugin answers: 1, or 0.')
  started.set(Math.round(performance.timeOrigin / 1000))
  metrics.onCollect(() => {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    memory.set(rss)
    heap.set(heapUsed)
    cpu.set((user + system) / 1e6)
    inHand.set(measuring.inHand())
    for (const { id, state } of states.list()) {
      plugins.set(state === 'ready' || state === 'degraded' ? 1 : 0, { plugin: id })
    }
  })
}
