// The process that keelson dev starts and restarts: a host on loopback in which everybody is an admin.
import Fastify from 'fastify'
import keelson from '../index.ts'
import type { DevProject } from './dev-project.ts'

const project = JSON.parse(process.argv[2] ?? '{}') as DevProject
const host = process.env['HOST'] ?? '127.0.0.1'
const port = Number(process.env['PORT'] ?? 3000)
const viewer = { tenantId: '*', role: 'admin', viewerRef: 'user:dev', name: 'Developer' }

const app = Fastify({ logger: { level: process.env['KEELSON_LOG_LEVEL'] ?? 'info' } })
const close = () => void app.close().finally(() => process.exit())
process.once('SIGTERM', close)
process.once('SIGINT', close)
// When the watcher dies, so does its host.
process.once('disconnect', close)

await app.register(keelson, {
  config: project.config,
  ...(!project.hasViewers && { resolveViewer: async () => viewer })
})
await app.listen({ host, port })
process.send?.({ ready: `http://${host}:${port}` })
